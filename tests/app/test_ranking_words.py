"""Why a waiting link stands where it stands, as the strategy says it after the crawl."""

from __future__ import annotations

from pathlib import Path

from scenthound.app.explanation import PlaceInQueue, explain
from scenthound.library import open_library
from tests.crawler.judged_library import SITE, WAITING, crawl, settings
from tests.small_web import page

LIST, OTHER = f"{SITE}/list", f"{SITE}/other"
NAMES = [f"{SITE}/n{number}" for number in range(6)]
WEB = {
    f"{SITE}/": page(f"List of birds={LIST}", f"birds, or not={OTHER}", text="where to go from here"),
    LIST: page(*(f"number {url[-1]}={url}" for url in NAMES), text="Birds").replace("<title>t", "<title>Birds"),
    OTHER: page(*(f"tram {number}={SITE}/t{number}" for number in range(30)), text="tickets are sold here"),
    **{name: page(text="birds sing in the morning and build a nest. " * 8) for name in NAMES},
}


def queued(folder: Path, url: str) -> PlaceInQueue:
    queue = explain(folder, url).queue
    assert queue is not None
    return queue


async def test_a_list_whose_links_were_relevant(tmp_path: Path) -> None:
    config = settings("birds", pages=6, crawl={"strategy": "auto", "seeds": [f"{SITE}/"]})
    await crawl(tmp_path, config, web=WEB)
    told = queued(tmp_path, NAMES[5])
    assert told.listed_on == "Birds"
    assert told.reasons[0].words == "it stands in a list about the topic"
    parts = [reason.part for reason in told.reasons]
    assert parts == sorted(parts, reverse=True)
    assert all(part > 0 for part in parts)


async def test_a_strategy_that_gives_no_reasons(tmp_path: Path) -> None:
    await crawl(tmp_path, settings("birds", crawl={"strategy": "best-first"}))
    told = queued(tmp_path, WAITING["bird"])
    assert (told.reasons, told.found_on) == ([], 1)


async def test_what_was_not_kept_is_not_made_up(tmp_path: Path) -> None:
    config = settings("birds", pages=6, crawl={"strategy": "auto", "seeds": [f"{SITE}/"]})
    await crawl(tmp_path, config, web=WEB)
    with open_library(tmp_path) as library:
        library.keep_snapshots({}, "another crawl")
    assert queued(tmp_path, NAMES[5]).reasons == []
