"""What a browser gets from the dashboard: bytes of each view, time from a key to the next question, from a rule to its
effect. Chromium, on the demo's web, with nothing in its cache."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.demo import plan_demo
from scenthound.protocols.records import PageFilters
from scenthound.web.server import Address, serving
from scenthound.web.shelf import Shelf

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
PAGES, MORE = 400, 1500
QUESTIONS, RULES = 12, 6
VIEWS = (
    "", "watch", "pages", "search?q=orchid", "groups", "map", "sites", "label", "trails", "changes", "labels", "notes",
)  # fmt: skip


class BrowserFigures(Struct):
    kilobytes: dict[str, float]  # of each view, all it loads included, as sent
    next_question: list[float]  # ms from the key to the next page's title on the screen
    steered: list[float]  # ms from the click to a frontier on the screen that begins with what was raised


async def measured() -> BrowserFigures:
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
            found = BrowserFigures(await _kilobytes(browser, base, shelf), await _keys(browser, base), [])
            found.steered = await _rules(browser, base, shelf)
            await browser.close()
            return found


async def _kilobytes(browser: Any, base: str, shelf: Shelf) -> dict[str, float]:
    with shelf.get("demo").readers.lend() as library:
        best = library.page_list(PageFilters(counts=True), limit=1).pages[0].url
    found = {}
    for view in (*VIEWS, f"page?url={quote(best, safe='')}"):
        context = await browser.new_context()
        page = await context.new_page()
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


async def _rules(browser: Any, base: str, shelf: Shelf) -> list[float]:
    """Hosts from the lower part of the frontier are raised while the crawl runs."""
    page = await browser.new_page()
    await page.goto(f"{base}watch")
    await page.fill("#start-pages", str(MORE))
    await page.click("[data-crawl=start]")
    await page.wait_for_selector("#frontier li:nth-child(10)")
    live, times = shelf.get("demo").live, []
    for _ in range(RULES):
        links = live.frontier(400)
        host = next((link.host for link in reversed(links) if link.host != links[0].host), "")
        if not host or not live.under_way:
            break
        await page.fill("#steer-rule", f"host:{host}")
        started = time.perf_counter()
        await page.click("#steer button")
        await page.wait_for_function(
            "(host) => document.querySelector('#frontier .where').innerText.startsWith(host)",
            arg=host.removeprefix("www."),
        )
        times.append(1000 * (time.perf_counter() - started))
        await page.click("#rules button")
        await asyncio.sleep(1.2)
    await page.close()
    await live.close()
    return times
