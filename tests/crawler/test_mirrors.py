from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from scenthound.crawler.mirrors import ENOUGH, Mirrors
from scenthound.model import Step
from tests.small_web import ScriptedFetcher, crawl_of, page

A, B = "http://a.test", "http://b.test"


def test_a_host_that_repeats_another_path_by_path_is_a_mirror() -> None:
    mirrors = Mirrors()
    for number in range(ENOUGH):
        assert mirrors.refuses(f"{B}/new") is None
        mirrors.learn(f"{B}/{number}", f"{A}/{number}")
    assert mirrors.original("b.test") == "a.test"
    assert mirrors.refuses(f"{B}/new") == "mirror: of a.test"
    assert mirrors.refuses(f"{A}/new") is None


def test_a_page_of_its_own_in_ten_makes_no_mirror() -> None:
    mirrors = Mirrors()
    for number in range(9):
        mirrors.learn(f"{B}/{number}", f"{A}/{number}")
    mirrors.learn(f"{B}/own", "")
    assert mirrors.original("b.test") == "a.test", "one in ten may be a page of the day"
    mirrors.learn(f"{B}/own too", "")
    assert mirrors.original("b.test") is None


def test_what_says_nothing() -> None:
    """Front pages, pages at other paths, copies within the host, pages without words."""
    mirrors = Mirrors()
    for number in range(2 * ENOUGH):
        mirrors.learn(f"{B}/", f"{A}/")
        mirrors.learn(f"{B}/{number}", f"{B}/x{number}")
        mirrors.learn(f"{B}/{number}", f"{A}/{number}", words=False)
        mirrors.learn(f"http://c.test/{number}", f"{A}/other{number}")
    assert mirrors.original("b.test") is None
    assert mirrors.original("c.test") is None


def text_of(number: int) -> str:
    return " ".join(f"word{number * 100 + place}" for place in range(60))


def mirrored(folder: Path, mirrors: bool) -> tuple[list[str], set[str]]:
    """Two hosts of twenty pages, the second the first once more: what was asked of it, and why the rest was not."""
    paths = [f"/{number}" for number in range(20)]
    script: dict[str, Any] = {"http://a.test/": page(*(f"{host}{path}" for path in paths for host in (A, B)))}
    script |= {f"{host}{path}": page(text=text_of(n)) for n, path in enumerate(paths) for host in (A, B)}
    fetcher, steps = ScriptedFetcher(script), list[Step]()
    with crawl_of(folder, fetcher, {"scope": {"mirrors": mirrors}}, steps=steps) as crawl:
        asyncio.run(crawl.run())
    late = {step.reason for step in steps if step.state == "refused"}
    return [url for url in fetcher.asked if url.startswith(B)], late


def test_a_crawl_leaves_a_mirror_and_says_why(tmp_path: Path) -> None:
    asked, reasons = mirrored(tmp_path / "x", mirrors=True)
    assert ENOUGH <= len(asked) < 10
    assert reasons == {"mirror: of a.test"}
    asked, reasons = mirrored(tmp_path / "y", mirrors=False)
    assert (len(asked), reasons) == (20, set())
