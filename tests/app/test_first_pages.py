from pathlib import Path

import pytest
from msgspec.structs import replace

from scenthound.app.crawl_plan import CrawlOptions, CrawlPlan, plan_crawl
from scenthound.app.events import Event, LanguageRecognized, NoneRelevant, TopicAbsent
from scenthound.app.first_pages import ENOUGH, FRUITLESS, FirstPages, note_language
from scenthound.config import load
from scenthound.model import Page, Step
from scenthound.text.analysis import analyzer
from tests.app.steps import visited

GERMAN = "Die Vögel singen im Wald, wenn der Morgen kommt und das Licht durch die Bäume fällt."
ENGLISH = "The birds sing in the forest when the morning comes and the light falls through the trees."


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def plan(topic: str = "Ornithologie", **options: object) -> CrawlPlan:
    return plan_crawl(topic, CrawlOptions(seeds=["http://a.test/"], **options))  # type: ignore[arg-type]


def step(text: str, language: str = "en") -> Step:
    terms = analyzer(language).counts(text)
    made, page = visited(0.0), Page("http://a.test/", text=text, terms=terms, language=language)
    assert made.visit is not None
    return replace(made, visit=replace(made.visit, page=page))


def heard(plan: CrawlPlan, *texts: str, settles: bool = True, new: bool = True) -> tuple[list[Event], FirstPages]:
    told: list[Event] = []
    first = FirstPages(plan, told.append, (lambda: None) if settles else None)
    first.new = new
    for text in texts:
        first(step(text))
    return told, first


def test_where_the_words_do_not_tell_the_pages_decide() -> None:
    told, first = heard(plan("Ornithologie"), GERMAN)
    assert told == [LanguageRecognized("de", "en", changed=True)]
    assert first.language == "de"


@pytest.mark.parametrize("options", [{"language": "en"}, {}])
def test_a_language_that_is_said_or_clear_is_kept_and_the_difference_told(options: dict[str, str]) -> None:
    topic = "birds" if options else "I am looking for pages about birds and their songs"
    told, first = heard(plan(topic, **options), GERMAN)
    assert told == [LanguageRecognized("de", "en", changed=False)]
    assert first.language == ""


def test_it_is_told_where_nothing_can_be_changed() -> None:
    told, first = heard(plan(), GERMAN, settles=False)
    assert told == [LanguageRecognized("de", "en", changed=False)]
    assert first.language == ""


@pytest.mark.parametrize("new", [True, False])
def test_nothing_is_said_of_the_same_language_or_of_a_crawl_that_goes_on(new: bool) -> None:
    told, _ = heard(plan("birds"), ENGLISH if new else GERMAN, new=new)
    assert told == []


def test_a_topic_that_is_nowhere_is_told_once() -> None:
    told, first = heard(plan("teapots, saucers"), *[ENGLISH] * (ENOUGH - 1))
    assert told == []
    for _ in range(5):
        first(step(ENGLISH))
    assert told == [TopicAbsent(ENOUGH, ("teapots", "saucers"), "crawls/teapots-saucers")]
    assert first.end() == ENOUGH + 4
    assert len(told) == 1


def test_a_short_crawl_is_told_at_its_end() -> None:
    told, first = heard(plan("teapots"), ENGLISH, ENGLISH)
    assert first.end() == 2
    assert told == [TopicAbsent(2, ("teapots",), "crawls/teapots")]


def test_one_word_in_any_form_is_enough() -> None:
    told, first = heard(plan("bird, teapot"), ENGLISH, *["nothing here"] * ENOUGH)
    assert (told, first.end()) == ([], 0)


def test_words_are_looked_for_in_the_spelling_of_the_pages_language() -> None:
    first = FirstPages(plan("Vogel", language="en"), lambda event: None)
    first.new = True
    first(step(GERMAN, "de"))
    assert first.end() == 0


def test_the_language_is_noted() -> None:
    Path("x").mkdir()
    Path("x/topic.toml").write_text('[topic]\nname = "birds"  # mine\n')
    note_language(Path("x"), "de")
    assert load(Path("x/topic.toml")).topic.language == "de"
    assert "# mine" in Path("x/topic.toml").read_text()


def test_a_hundred_pages_without_a_relevant_one_are_told_once() -> None:
    told: list[Event] = []
    first = FirstPages(plan("teapots"), told.append)
    first.begin(40, 0)  # it goes on: forty pages are there
    for number in range(FRUITLESS):
        made = visited(0.0)
        assert made.visit is not None
        page = replace(made.visit.page, url=f"http://a.test/{number}")
        first(replace(made, visit=replace(made.visit, page=page, relevance=number / 1000, relevant=False)))
    assert told == [NoneRelevant(FRUITLESS, "http://a.test/59", 0.059, "crawls/teapots")]


@pytest.mark.parametrize(("pages", "relevant"), [(40, 1), (FRUITLESS, 0)])
def test_nothing_is_said_where_one_was_relevant_or_it_was_said_before(pages: int, relevant: int) -> None:
    told: list[Event] = []
    first = FirstPages(plan("teapots"), told.append)
    first.begin(pages, relevant)
    for _ in range(FRUITLESS):
        first(step("nothing of the kind"))
    assert not any(isinstance(event, NoneRelevant) for event in told)
