from __future__ import annotations

from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound.cluster.experience_format import packed, told, unpacked
from scenthound.judges.auto import FAULTY, MOST_TAUGHT, Auto
from scenthound.learn.relevance.page_sample import PageSample
from scenthound.learn.relevance.page_words import read
from scenthound.model import Keyword, Lessons, Link, Page, Topic
from scenthound.protocols.crawl import Context
from scenthound.text import idf
from scenthound.text.analysis import analyzer
from tests.counting import calls_of

TOPIC = Topic("ferns", (Keyword("ferns", 0.5), Keyword("fronds", 0.5)))
ORDINARY = [
    "bank money loan credit",
    "football goal match referee",
    "opera stage singer tenor",
    "engine car wheel road",
]
ABOUT = ["ferns unfold their fronds in shade, spores ripen below", "the spores of ferns; fronds in moss and shade"]


def page(text: str, url: str = "http://a.test/", title: str = "") -> Page:
    return Page(url, title=title, text=text, terms=analyzer("en").counts(f"{title}\n{text}"), language="en")


def ordinary(number: int) -> Page:
    words = ORDINARY[number % len(ORDINARY)]
    return page(f"{words} number{number} {words.split()[number % 3]}", f"http://b.test/{number}")


def about(number: int) -> Page:
    return page(ABOUT[number % 2] + f" place{number}", f"http://c.test/{number}", title="Ferns")


def begun(topic: Topic = TOPIC, examples: tuple[Page, ...] = (), others: tuple[Page, ...] = ()) -> Auto:
    made = Auto()
    made.begin(Context(topic, idf.background("en"), Random(0), examples, others))
    return made


def taught() -> Auto:
    made = begun()
    for number in range(60):
        made.saw(about(number) if number % 6 == 0 else ordinary(number))
    return made


def test_lessons_teach_it_from_all_over_whatever_stands_at_their_end() -> None:
    """As where pages come kind by kind: it would not know that the first of them are not wanted."""
    gardens = [page(f"ferns and fronds for sale, price {n}, add to basket", f"http://d.test/{n}") for n in range(400)]
    others = [page(f"students of opera, home page {n}", f"http://e.test/{n}") for n in range(400)]
    targets = [about(number) for number in range(30)]
    pages = (*targets, *gardens, *others)
    lessons = Lessons(pages, (), tuple(0 if each in targets else 1 for each in pages), ())
    judge = Auto()
    judge.begin(replace(Context(TOPIC, idf.background("en"), Random(0)), lessons=lessons))
    assert (len(judge.relevant_), len(judge.irrelevant_)) == (30, MOST_TAUGHT)
    of_gardens = sum(row.url.startswith("http://d.test/") for row in judge.irrelevant_)
    assert of_gardens == MOST_TAUGHT // 2


def test_what_a_parser_process_has_noted_changes_no_word_of_it() -> None:
    """And nothing that it learns."""
    alone, helped = begun(), begun()
    for number in range(70):
        seen = about(number) if number % 6 == 0 else ordinary(number)
        noted = replace(seen, notes=read(seen, "en"))
        assert alone(seen) == helped(noted)
        alone.saw(seen)
        helped.saw(noted)


def test_a_parser_process_finds_its_reader() -> None:
    assert Auto.page_reader == f"{read.__module__}:{read.__name__}"


def test_another_topic_counts_at_once_and_what_goes_with_it_is_learned_when_it_begins_anew() -> None:
    made = taught()
    tenors = page("A tenor sings. The opera has a tenor.", "http://d.test/", title="Tenor")
    before = made(tenors)
    topic = Topic("singing", (Keyword("tenor", 0.5), Keyword("opera", 0.5)))
    context = Context(topic, idf.background("en"), Random(0))

    def at_once() -> None:
        made.retopic(context)
        made(tenors)

    def anew() -> None:
        made.begin(context)
        made(tenors)

    quick = calls_of(at_once)
    assert made(tenors) > before
    assert calls_of(anew) > 20 * quick, "it learned, which takes its time"
    assert made(tenors) > 0.5 > made(about(1))


def test_before_anything_was_seen_keywords_count() -> None:
    made = begun()
    assert made(page("Ferns have fronds.", title="Ferns and fronds")) > 0.5
    assert made(ordinary(1)) < 0.1
    assert made(page("")) == 0.0


def test_before_anything_was_seen_pages_like_an_example_count() -> None:
    made = begun(examples=(page("museum painting gallery"),))
    assert made(page("a gallery with a painting, a museum")) > 0.9
    assert made(page("dengue fever")) < 0.1


def test_examples_alone_are_a_topic() -> None:
    made = begun(Topic("x"), examples=(about(1), about(2)))
    assert made(about(3)) > 0.5 > made(ordinary(1))


def test_pages_that_were_seen_teach_the_words_that_go_with_the_topic() -> None:
    before, after = begun(), taught()
    unnamed = page("spores ripen in moss and shade", "http://d.test/")
    assert after(unnamed) > before(unnamed)
    assert after(about(7)) > 0.5 > after(ordinary(99))


def test_a_label_changes_its_mind() -> None:
    """The page says the words, but those who know call such pages wrong."""
    traps = tuple(page(f"ferns fronds wallpaper pattern cheap{n} shop", f"http://e.test/{n}") for n in range(6))
    made = taught()
    before = made(page("ferns fronds wallpaper pattern shop", "http://f.test/"))
    made.begin(Context(TOPIC, idf.background("en"), Random(0), tuple(map(about, range(100, 106))), traps))
    assert made(page("ferns fronds wallpaper pattern shop", "http://f.test/")) < before
    assert made(about(7)) > 0.5


def test_it_learns_when_the_pages_have_doubled_and_at_no_other_time() -> None:
    made, learned = begun(), []
    for number in range(70):
        made.saw(ordinary(number))
        learned.append(made.version_)
    changes = [seen + 1 for seen in range(1, 70) if learned[seen] != learned[seen - 1]]
    assert changes == [16, 32, 64]


def test_the_order_of_pages_does_not_matter() -> None:
    pages = [about(number) if number % 5 == 0 else ordinary(number) for number in range(64)]
    one, other = begun(), begun()
    for found in pages:
        one.saw(found)
    for found in reversed(pages):
        other.saw(found)
    assert one(about(3)) == pytest.approx(other(about(3)), abs=1e-9)


def test_a_topic_that_the_web_does_not_have() -> None:
    """The least bad pages of a web are not relevant for being the best of it."""
    made = begun()
    for number in range(64):
        made.saw(ordinary(number))
    assert max(made(ordinary(number)) for number in range(40)) < 0.5


def test_a_web_that_has_nothing_else() -> None:
    """A crawl that does well sees relevant pages mostly; they are no less relevant for being ordinary there."""
    made = begun()
    for number in range(64):
        made.saw(about(number) if number % 8 else ordinary(number))
    assert made(about(200)) > 0.5 > made(ordinary(200))


def test_a_fault_counts_against_a_page() -> None:
    made = taught()
    stuffed = page("ferns fronds spores moss shade " * 200, "http://f.test/")
    assert made(stuffed) <= FAULTY
    links = tuple(Link(f"http://g.test/{number}", anchor="ferns and fronds") for number in range(30))
    listed = Page("http://g.test/", text="ferns and fronds " * 30, terms={"fern": 30, "frond": 30}, links=links)
    assert made(listed) <= FAULTY


def test_what_is_strongest_adds_up_to_the_log_odds() -> None:
    """Up to a constant, which is what a page without a telling word has."""
    made = taught()

    def rest(found: Page) -> float:
        p = made(found)
        return log(p / (1 - p)) - sum(part for _, part in made.strongest(found, 1000))

    first, second = (page(text, "http://h.test/x/y.html") for text in ("moss and money", "goal of the spores, bank"))
    assert rest(first) == pytest.approx(rest(second), abs=1e-3)


def test_words_for_and_against() -> None:
    parts = dict(taught().strongest(page("ferns, spores, credit and football", "http://h.test/"), 20))
    assert parts["fern"] > 0 < parts["spore"]
    assert parts["credit"] < 0 > parts["footbal"]


@given(st.text(max_size=300), st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_whatever_a_page_says_it_is_a_probability(text: str, title: str) -> None:
    assert 0.0 <= _TAUGHT(page(text, title=title)) <= 1.0


_TAUGHT = taught()


@pytest.mark.parametrize("examples", [(), (about(100), about(101))])
@pytest.mark.parametrize("stop", [0, 3, 15, 16, 17, 40, 64])
def test_one_that_was_stopped_goes_on_with_the_same_words(stop: int, examples: tuple[Page, ...]) -> None:
    def pages(first: int, last: int) -> list[Page]:
        return [about(number) if number % 6 == 0 else ordinary(number) for number in range(first, last)]

    def crawled(made: Auto, first: int, last: int) -> list[float]:
        said = []
        for each in pages(first, last):
            said.append(made(each))
            made.saw(each)
        return said

    whole, stopped, goes_on = begun(examples=examples), begun(examples=examples), begun(examples=examples)
    expected = crawled(whole, 0, 80)
    assert crawled(stopped, 0, stop) == expected[:stop]
    kept = stopped.snapshot()
    crawled(stopped, stop, 80)
    goes_on.restore(kept)
    assert crawled(goes_on, stop, 80) == expected[stop:]
    assert (goes_on.version_, goes_on.due_) == (whole.version_, whole.due_)
    assert goes_on.strongest(about(7), 20) == whole.strongest(about(7), 20)


def test_who_hears_what_another_saw_judges_as_that_one_does() -> None:
    """To the last digit: pages that its sample leaves out count all the same."""
    seer, hearer, sent = begun(), begun(), 0
    seer.sample_ = hearer.sample_ = None
    for each in (seer, hearer):
        each.sample_ = PageSample(each.evidence_, sample=10, best=5)
    for number in range(140):
        shown = about(number) if number % 6 == 0 else ordinary(number)
        seer(shown)
        seer.saw(shown)
        experience = seer.experience()
        assert experience is not None
        assert seer.experience() is None, "it is told once"
        sent += bool(experience.arrays)
        [told_on] = unpacked(packed([told("judge", experience)]))
        hearer.take_experience(told_on.snapshot(), "seer")
    assert sent < 100, "most pages are not in the sample"
    for shown in (about(500), ordinary(501), page("spores ripen in moss", "http://d.test/")):
        assert hearer(shown) == seer(shown)
    assert hearer.version_ == seer.version_
