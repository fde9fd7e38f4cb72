from pathlib import Path

import pytest

from scenthound.app import demo
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.errors import ConfigError, UnknownName
from scenthound.lab.generated.web import GeneratedWeb


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
