"""What a browser gets from the dashboard: bytes of each view, time from a key to the next question, from a rule to its
effect. Chromium, on the demo's web, with nothing in its cache."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from benchmarks.dashboard_parts import steering_times
from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.demo import plan_demo
from scenthound.protocols.records import PageFilters
from scenthound.web.server import Address, serving
from scenthound.web.shelf import Shelf

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
NEXT_QUESTION, STEERED = 200.0, 1000.0  # ms: the goals
PAGES = 300
QUESTIONS = 12
PATIENCE = 600_000  # ms: on a busy machine a figure that is late is better than none
VIEWS = (
    "", "watch", "pages", "search?q=orchid", "groups", "map", "sites", "label", "trails", "changes", "labels", "notes",
)  # fmt: skip


class Told(Protocol):
    """Hears of figures as they come."""

    def kilobytes(self, views: dict[str, float]) -> None:
        """Of each view, all it loads included, as sent."""

    def times(self, name: str, milliseconds: list[float], goal: float, processor: Sequence[float] = ()) -> None:
        """`processor`: of these, how many our own process was at work."""


async def measure(told: Told) -> None:
    from playwright.async_api import async_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("This is measured with Chromium, which is not installed: apt-get install chromium")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "demo"
        await CrawlSession(plan_demo(None, CrawlOptions(into=folder, pages=PAGES, delay=0.0))).run()
        shelf = Shelf([folder])
        async with serving(shelf, Address(port=0)) as served, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            base = f"{served.url}demo/"
            told.times("key to the next question", await _keys(browser, base), NEXT_QUESTION)
            async for kind in steering_times.measured(browser, base, shelf):
                for name, effects in kind.items():
                    clock, processor = [each.milliseconds for each in effects], [each.processor for each in effects]
                    goal = inf if name == "judged again" else STEERED
                    told.times(f"{name}, on the screen", clock, goal, processor)
            told.kilobytes(await _kilobytes(browser, base, shelf))
            await browser.close()


async def _kilobytes(browser: Any, base: str, shelf: Shelf) -> dict[str, float]:
    with shelf.get("demo").readers.lend() as library:
        best = library.page_list(PageFilters(counts=True), limit=1).pages[0].url
    found = {}
    for view in (*VIEWS, f"page?url={quote(best, safe='')}"):
        context = await browser.new_context()
        page = await context.new_page()
        page.set_default_timeout(PATIENCE)
        network = await context.new_cdp_session(page)
        await network.send("Network.enable")
        sizes: list[int] = []
        network.on("Network.loadingFinished", lambda event, sizes=sizes: sizes.append(event["encodedDataLength"]))
        await page.goto(base + view)
        await page.wait_for_timeout(1500)  # parts that come later belong to it
        found[view.partition("?")[0] or "overview"] = sum(sizes) / 1000
        await context.close()
    return found


async def _keys(browser: Any, base: str) -> list[float]:
    page = await browser.new_page()
    page.set_default_timeout(PATIENCE)
    await page.goto(f"{base}label")
    await page.wait_for_selector("#q-card:not([hidden])")
    times = []
    for number in range(QUESTIONS):
        url = await page.inner_text("#q-url")
        started = time.perf_counter()
        await page.keyboard.press("y" if number % 2 else "n")
        await page.wait_for_function("(url) => document.querySelector('#q-url').innerText !== url", arg=url)
        times.append(1000 * (time.perf_counter() - started))
    await page.close()
    return times
