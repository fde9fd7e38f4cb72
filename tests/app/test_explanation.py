from pathlib import Path

import pytest

from scenthound import config as toml
from scenthound.app.explanation import TOPIC, UNKNOWN, Judgement, explain
from scenthound.app.judge import JudgeOptions, JudgeSession
from scenthound.library import open_library
from scenthound.model import Label
from tests.crawler.judged_library import BIRDS, BOTH, FERNS, SITE, crawl, settings
from tests.library.collection import zoo
from tests.small_web import page


async def test_it_can_be_asked_while_something_else_runs(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    told = explain(folder, "http://nowhere.test/")
    assert told.state == UNKNOWN


async def test_a_page_tells_its_way_and_its_judgement(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    with open_library(folder, write=False) as library:
        url = next(library.pages()).url
    told = explain(folder, url)
    assert told.state == "fetched"
    assert told.judgement is not None
    assert told.way[-1].url == url


async def judged(folder: Path, **options: float) -> None:
    await JudgeSession(folder, JudgeOptions(**options)).run()  # type: ignore[arg-type]


def judgement_of(folder: Path, url: str) -> Judgement:
    judgement = explain(folder, url).judgement
    assert judgement is not None
    return judgement


async def test_the_present_judgement_stands_beside_the_first(tmp_path: Path) -> None:
    await crawl(tmp_path, settings("birds"))
    toml.save(settings("birds", "ferns"), tmp_path / "topic.toml")
    await judged(tmp_path, threshold=0.2)
    told = judgement_of(tmp_path, FERNS)
    assert (told.first_relevance, told.first_relevant) == (0.0, False)
    assert (told.relevant, told.threshold, told.note) == (True, 0.2, ""), "the settings it was judged by"
    assert told.relevance == pytest.approx(sum(term.share for term in told.terms))


async def test_settings_that_were_changed_and_not_judged_by_yet_change_nothing(tmp_path: Path) -> None:
    await crawl(tmp_path, settings("birds"))
    toml.save(settings("birds", "ferns"), tmp_path / "topic.toml")
    told = judgement_of(tmp_path, FERNS)
    assert (told.relevance, told.relevant, told.note) == (0.0, False, "")


@pytest.mark.parametrize("again", [False, True])
async def test_a_label_decides_and_says_since_when(tmp_path: Path, again: bool) -> None:
    await crawl(tmp_path, settings("birds"))
    toml.save(settings("birds"), tmp_path / "topic.toml")
    with open_library(tmp_path, write=False) as library:
        library.add_labels([Label(BIRDS, False, at=1000.0), Label(FERNS, True, by="program:oracle", at=2000.0)])
    if again:
        await judged(tmp_path)
    told = judgement_of(tmp_path, BIRDS)
    assert told.label is not None
    assert (told.relevance, told.relevant, told.label.by, told.label.at) == (0.0, False, "person", 1000.0)
    assert told.label.alone == pytest.approx(told.first_relevance)
    assert told.terms, "what the judge alone goes by"
    other = judgement_of(tmp_path, FERNS)
    assert other.label is not None
    assert (other.relevant, other.label.by) == (True, "program:oracle")


async def test_a_counterexample_does_not_count_as_found(tmp_path: Path) -> None:
    examples = {"examples": ["yes.html"], "counterexamples": [BOTH]}
    (tmp_path / "yes.html").write_text(page(text="birds sing in the morning and build a nest. " * 4))
    config = settings("birds", topic=examples, crawl={"judge": "examples"})
    await crawl(tmp_path, config)
    toml.save(config, tmp_path / "topic.toml")
    told = judgement_of(tmp_path, BOTH)
    assert told.label is not None
    assert (told.relevant, told.label.relevant, told.label.by) == (False, False, TOPIC)
    assert told.label.alone is not None
    assert told.label.alone > told.threshold
    with open_library(tmp_path, write=False) as library:
        assert {each.url for each in library.pages(relevant=True)} == {BIRDS}


async def test_pages_on_the_way_tell_how_they_were_judged_when_they_led_on(tmp_path: Path) -> None:
    await crawl(tmp_path, settings("birds", crawl={"seeds": [f"{SITE}/"]}))
    toml.save(settings("ferns"), tmp_path / "topic.toml")
    await judged(tmp_path)
    point = explain(tmp_path, BIRDS).way[-1]
    assert point.first_relevance is not None
    assert point.first_relevance > 0.1 > (point.relevance or 0.0)
