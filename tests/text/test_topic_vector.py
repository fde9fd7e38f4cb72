import pytest

from scenthound.model import Keyword, Page, Topic
from scenthound.text.analysis import analyzer
from scenthound.text.topic_vector import TopicVector, occurrences

TOPIC = Topic("dengue", (Keyword("dengue fever", 0.7), Keyword("mosquito", 0.3)))


def page(title: str, text: str) -> Page:
    counts = analyzer("en").counts(f"{title}\n{text}")
    return Page("http://a/", title=title, text=text, terms=counts)


def test_by_hand() -> None:
    # Twelve words count: the phrase twice (once in the title), the mosquito three times; a lone fever is no phrase.
    found = page("Dengue fever", "Mosquitoes carry dengue fever. The mosquito bites; fever comes, mosquito goes.")
    assert sum(found.terms.values()) == 12
    assert TopicVector(TOPIC).of_page(found) == pytest.approx(2 / 12 * 0.7 + 3 / 12 * 0.3)
    assert dict(TopicVector(TOPIC).parts(found)) == pytest.approx(
        {"dengu fever": 2 / 12 * 0.7, "mosquito": 3 / 12 * 0.3}
    )


def test_title_and_text_do_not_join_into_a_phrase() -> None:
    assert TopicVector(TOPIC).of_page(page("On dengue", "fever")) == 0.0


def test_nothing_in_it() -> None:
    assert TopicVector(TOPIC).of_page(Page("http://a/")) == 0.0
    assert TopicVector(TOPIC).of_page(page("Home", "welcome")) == 0.0


def test_it_stays_within_1() -> None:
    topic = Topic("x", (Keyword("mosquito", 1.0), Keyword("mosquitoes", 1.0)))
    assert TopicVector(topic).of_page(page("", "mosquito")) == 1.0


def test_occurrences() -> None:
    assert occurrences(["a", "b"], ["a", "b", "a", "a", "b"]) == 2
    assert occurrences(["a", "a"], ["a", "a", "a"]) == 2
    assert occurrences(["a", "b"], ["a"]) == 0
