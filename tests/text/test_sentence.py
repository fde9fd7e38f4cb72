import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.sentence import MOST_KEYWORDS, is_sentence, understood

CORAL = "I am looking for pages about coral bleaching and what warm water does to reefs"


def terms(text: str, language: str = "en") -> set[str]:
    return {keyword.term for keyword in understood(text, language).keywords}


def test_words_that_ask_are_no_keywords_and_phrases_are_recognised() -> None:
    topic = understood(CORAL, "en")
    assert [keyword.term for keyword in topic.keywords] == ["coral bleaching", "reefs", "warm water"]
    assert sum(keyword.weight for keyword in topic.keywords) == pytest.approx(1.0)
    assert topic.name == "coral bleaching, reefs, warm water"


def test_what_tells_more_weighs_more() -> None:
    weight = {keyword.term: keyword.weight for keyword in understood(CORAL, "en").keywords}
    assert weight["coral bleaching"] > weight["reefs"] > weight["warm water"] > 0.1


@pytest.mark.parametrize(
    ("text", "language", "wanted"),
    [
        ("pages about search engines", "en", {"search engines"}),
        ("I want to learn about information theory", "en", {"information theory"}),
        ("information about the Great Barrier Reef", "en", {"Great Barrier Reef"}),
        ("Find websites of orchid nurseries in New York", "en", {"orchid nurseries", "New York"}),
        ("how farmers grow coffee in the highlands of Ethiopia", "en",
         {"farmers", "grow", "coffee", "highlands", "Ethiopia"}),
        ("Ich suche Seiten über Korallenbleiche und was warmes Wasser mit Riffen macht", "de",
         {"Korallenbleiche", "warmes Wasser", "Riffen"}),
        ("Je cherche des pages sur le blanchissement des coraux et ce que l'eau chaude fait aux récifs", "fr",
         {"blanchissement", "coraux", "eau chaude", "récifs"}),
        ("Busco páginas sobre los arrecifes y el agua caliente", "es", {"arrecifes", "agua caliente"}),
        ("Cerco pagine sullo sbiancamento dei coralli", "it", {"sbiancamento", "coralli"}),
        ("Procuro páginas sobre o branqueamento de corais", "pt", {"branqueamento", "corais"}),
        ("ik zoek pagina's over het verbleken van koraal", "nl", {"verbleken", "koraal"}),
    ],
)  # fmt: skip
def test_sentences(text: str, language: str, wanted: set[str]) -> None:
    assert is_sentence(text, language)
    assert terms(text, language) == wanted


def test_what_is_said_not_to_be_meant_is_left_out() -> None:
    topic = understood("I'm interested in how coffee is grown, but not in coffee shops", "en")
    assert "shops" not in {word for keyword in topic.keywords for word in keyword.term.split()}
    assert topic.not_meant == ("coffee", "shops")


def test_a_word_said_again_speaks_for_its_phrase() -> None:
    once, twice = (
        understood(f"pages about coral bleaching{more} and about warm water", "en") for more in ("", ", corals")
    )
    assert {keyword.term for keyword in twice.keywords} == {"coral bleaching", "warm water"}
    assert twice.keywords[0].weight > once.keywords[0].weight


@pytest.mark.parametrize(
    "topic",
    [
        "dengue fever", "dengue fever, mosquito", "Web of Science", "Looking for Alaska", "TCP/IP", "birds",
        "solar power companies", "sites of memory", "history of Rome", "vintage fountain pens, nibs, inks", "about",
        "pages about", "東京の歴史", "",
    ],
)  # fmt: skip
def test_short_topics_and_lists_are_no_sentences(topic: str) -> None:
    assert not is_sentence(topic, "en")


def test_a_sentence_that_says_nothing_is_kept_as_it_stands() -> None:
    assert [keyword.term for keyword in understood("what is it that we are", "en").keywords] == [
        "what is it that we are"
    ]


def test_a_long_text_gives_so_many_keywords_and_no_more() -> None:
    words = " and the ".join(f"zork{chr(97 + i)}{chr(97 + j)}" for i in range(6) for j in range(6))
    assert len(understood(words, "en").keywords) == MOST_KEYWORDS


@given(st.text(), st.sampled_from(["en", "de", "fr", "ja", "xx"]))
def test_any_text_gives_a_topic(text: str, language: str) -> None:
    is_sentence(text, language)
    topic = understood(text, language)
    assert topic.keywords
    assert sum(keyword.weight for keyword in topic.keywords) == pytest.approx(1.0)
