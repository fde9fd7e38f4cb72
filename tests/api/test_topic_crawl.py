"""A crawl in a few lines: pages as they arrive, stopped by leaving, gone on with, refused if it cannot work."""

import asyncio
import threading
from pathlib import Path

import pytest

import scenthound
from scenthound import Config, Keyword, Topic
from scenthound.app.events import Stopped, Visited
from scenthound.errors import ConfigError, ScenthoundError, UnknownName, UsageError


def demo(folder: Path, pages: int = 30, **more: object) -> scenthound.TopicCrawl:
    return scenthound.crawl("orchids", demo=True, into=folder, pages=pages, delay=0.0, **more)  # type: ignore[arg-type]


def test_pages_arrive(tmp_path: Path) -> None:
    crawl = demo(tmp_path)
    pages = list(crawl)
    assert len(pages) == 30
    assert any(page.relevant for page in pages)
    assert crawl.summary is not None
    assert (crawl.summary.pages, crawl.summary.ending) == (30, "pages")
    with crawl.library as library:
        assert {page.url for page in library} == {page.url for page in pages}


async def test_pages_arrive_in_a_program_with_a_loop(tmp_path: Path) -> None:
    pages = [page async for page in demo(tmp_path)]
    assert len(pages) == 30


def test_leaving_the_loop_stops_and_another_one_goes_on(tmp_path: Path) -> None:
    crawl = demo(tmp_path, 60)
    first = []
    for page in crawl:
        first.append(page.url)
        if len(first) == 5:
            break
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("scenthound crawl")]
    with crawl.library as library:
        kept = len(library)
    assert 5 <= kept < 60
    second = [page.url for page in crawl]
    assert kept + len(second) == 60
    assert not set(first) & set(second)


async def test_leaving_an_asynchronous_loop_stops_it_too(tmp_path: Path) -> None:
    crawl = demo(tmp_path, 60)
    pages = crawl.__aiter__()
    await anext(pages)
    await pages.aclose()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("scenthound crawl")]


def test_stop_from_another_thread(tmp_path: Path) -> None:
    crawl = demo(tmp_path, 2000)
    for page in crawl:
        threading.Thread(target=crawl.stop).start()
        assert isinstance(page, Visited)
    assert crawl.summary is not None
    assert crawl.summary.ending == "stopped"


def test_events_end_with_the_reason(tmp_path: Path) -> None:
    *_, last = demo(tmp_path, 10).events()
    assert isinstance(last, Stopped)
    assert last.ending == "pages"


def test_run_says_what_came_of_it(tmp_path: Path) -> None:
    summary = demo(tmp_path, 12).run()
    assert summary.pages == 12


def test_one_loop_at_a_time(tmp_path: Path) -> None:
    crawl = demo(tmp_path, 60)
    pages = iter(crawl)
    next(pages)
    with pytest.raises(UsageError, match="running already"):
        next(iter(crawl))
    pages.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("given", "error", "word"),
    [
        ({"seeds": "https://example.org"}, UsageError, "takes a list"),
        ({"seeds": []}, ConfigError, "nowhere to start"),
        ({"seeds": ["example.org"], "until": "recall=0.9"}, UsageError, "takes a list"),
        ({"seeds": ["example.org"], "until": ["recall=9"]}, ConfigError, "between 0 and 1"),
        ({"seeds": ["https://a b"]}, ConfigError, "no usable URL"),
        ({"seeds": ["example.org"], "strategy": "best-frist"}, UnknownName, "best-first"),
        ({"seeds": ["example.org"], "strategy": {"name": "best-n-first", "m": 3}}, ConfigError, "no parameter 'm'"),
        ({"seeds": ["example.org"], "threshold": 7}, ConfigError, "from 0 to 1"),
        ({"seeds": ["example.org"], "pages": "many"}, ConfigError, "pages"),
        ({"seeds": ["example.org"], "allow": "site:"}, ScenthoundError, "site:"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_made(
    given: dict[str, object], error: type[Exception], word: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=word):
        scenthound.crawl("orchids", into=tmp_path / "new", **given)  # type: ignore[arg-type]
    assert not (tmp_path / "new").exists()


def test_a_topic_keeps_its_weights(tmp_path: Path) -> None:
    topic = Topic("orchids", (Keyword("orchid", 0.7), Keyword("epiphyte", 0.3)))
    crawl = scenthound.crawl(topic, seeds=["example.org"], into=tmp_path)
    kept = crawl.plan.config.make_topic()
    weights = {keyword.term: round(keyword.weight, 6) for keyword in kept.keywords}
    assert weights == {"orchid": 0.7, "epiphyte": 0.3}


def test_whole_settings(tmp_path: Path) -> None:
    settings = Config()
    settings.topic.name = "orchids"
    settings.crawl.seeds = ["https://example.org/"]
    crawl = scenthound.crawl(settings, into=tmp_path, strategy={"name": "best-n-first", "n": 3})
    assert crawl.plan.config.crawl.strategy == {"name": "best-n-first", "n": 3}
    with pytest.raises(UsageError, match="not a int"):
        scenthound.crawl(7)  # type: ignore[arg-type]


def test_an_error_on_the_way_is_raised_in_the_loop(tmp_path: Path) -> None:
    (tmp_path / "library.db").write_text("no database")
    with pytest.raises(ScenthoundError):
        list(demo(tmp_path))


def test_progress_is_drawn_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo(tmp_path, 10, progress=True).run()
    drawn = capsys.readouterr().err
    assert "10 of 10 pages" in drawn
    assert drawn.endswith("\n")


def test_nothing_is_drawn_where_nobody_looks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo(tmp_path, 10).run()
    assert capsys.readouterr() == ("", "")


def test_it_says_what_it_is(tmp_path: Path) -> None:
    crawl = demo(tmp_path, 10)
    assert "about 'orchids'" in repr(crawl)
    crawl.run()
    assert "10 pages" in repr(crawl)
    assert "<svg" in crawl.plot().svg
    assert asyncio.iscoroutinefunction(crawl.run) is False
