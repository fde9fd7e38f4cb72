import asyncio
from pathlib import Path

import pytest

from scenthound.app import demo
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.errors import ConfigError, UnknownName
from scenthound.lab.generated.web import GeneratedWeb
from scenthound.library import open_library
from tests.small_web import crawl_of, page


@pytest.fixture(scope="module")
def web() -> GeneratedWeb:
    return GeneratedWeb(seed=1, pages=1000, hosts=20, topics=3)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_topic_is_chosen_by_name(web: GeneratedWeb) -> None:
    topics = web.topics()
    assert demo.choose(topics, None) is topics[0]
    assert demo.choose(topics, topics[1].name.upper()) is topics[1]
    with pytest.raises(UnknownName, match=topics[2].name):
        demo.choose(topics, "stamps")


def test_a_breadth_first_walk_meets_each_page_once_nearest_first(web: GeneratedWeb) -> None:
    seeds = web.topics()[0].seeds
    walked = demo.walk(web, seeds, 100)
    assert walked[: len(seeds)] == list(seeds)
    assert len(walked) == len(set(walked)) == 100
    first = web.page(seeds[0])
    assert first is not None
    after_seeds = walked[len(seeds)]
    assert after_seeds in {web.url(page) for page in web.links(first)}


def test_each_demo_gets_a_folder_of_its_own(web: GeneratedWeb) -> None:
    first = demo.make_plan(web.topics()[0], CrawlOptions())
    assert first.folder == Path("crawls/demo")
    first.folder.mkdir(parents=True)
    first.write()
    assert demo.make_plan(web.topics()[0], CrawlOptions()).folder == Path("crawls/demo-2")


def test_a_demo_goes_on_where_it_is_told_to_but_not_with_another_topic(web: GeneratedWeb) -> None:
    into = CrawlOptions(into=Path("mine"), pages=5)
    plan = demo.make_plan(web.topics()[0], into)
    plan.folder.mkdir()
    plan.write()
    assert demo.make_plan(web.topics()[0], CrawlOptions(into=Path("mine"), pages=9)).config.crawl.pages == 9
    with pytest.raises(ConfigError, match="already"):
        demo.make_plan(web.topics()[1], into)


def test_what_counts_is_held_against_the_truth(monkeypatch: pytest.MonkeyPatch, web: GeneratedWeb) -> None:
    """Of six stored pages four count: a target, a copy whose original came later, a related page, and another."""
    monkeypatch.setattr(demo, "demo_web", lambda: web)
    subject = web.topics()[0]
    first, copied, missed = subject.targets[:3]
    story = " ".join(f"chapter {number} of the hound" for number in range(40))
    pages = {
        first: "a hound in the first place",
        "http://copy.test/": story,
        copied: story,
        subject.related[0]: "a hound with something else that is near",
        "http://other.test/": "a hound of no use whatever here",
        missed: "a page that is not thought to be of use",
    }
    plan = demo.make_plan(subject, CrawlOptions(into=Path("mine")))
    with crawl_of(plan.folder, {url: page(text=text) for url, text in pages.items()}, seeds=tuple(pages)) as crawl:
        asyncio.run(crawl.run())
    truth = demo.measure(plan)
    assert (truth.counted, truth.right, truth.related, truth.fetched) == (4, 2, 1, 3)
    assert truth.targets == len(subject.targets)
    assert (truth.precision, truth.recall) == (0.5, 2 / truth.targets)
    with open_library(plan.folder, write=False) as library:
        assert truth.counted == library.counts().relevant
