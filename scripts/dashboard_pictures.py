"""Takes the pictures of docs/dashboard.md: a demo crawl, watched, read and searched in Chromium.

    ./run python -m scripts.dashboard_pictures [NAME ...]
    ./run python -m scripts.dashboard_pictures --all FOLDER [NAME ...]    every view, light and dark, desktop and phone

Needs Chromium and playwright. The demo is made in a folder that is gone afterwards.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.demo import plan_demo
from scenthound.app.label import set_labels
from scenthound.library import open_library
from scenthound.protocols.records import PageFilters
from scenthound.web.server import Address, serving
from scenthound.web.shelf import Shelf

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZES = {"desktop": (1280, 860), "phone": (390, 780)}
LAB = ["lab", "--generated", "500", "--strategies", "breadth-first,best-first,auto"]
PAGES, MORE, SEEN = 250, 400, 110
SHOWN_WHEN = {
    "overview": "#details .uplot",
    "why": ".reasons .way",
    "teach": "#q-card:not([hidden])",
    "map": "svg.map",
    "map-dark": "svg.map",
    "groups": "#groups .card",
    "pages": "#year",
    "search": "#hits .title",
    "lab": ".lab .uplot",
    "waits": ".reasons, .way",
}
"""What a view has once it is whole, where that comes after the page itself."""


async def main(only: list[str], every: Path | None) -> None:
    from playwright.async_api import async_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("The pictures are taken with Chromium, which is not installed: apt-get install chromium")
    into = every or PICTURES
    into.mkdir(exist_ok=True, parents=True)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "orchids"
        await CrawlSession(plan_demo(None, CrawlOptions(into=place, pages=PAGES))).run()
        experiment = Path(folder) / "orchids-and-others"
        await _make_experiment(experiment)
        shelf = Shelf([place, experiment, _prepared(Path(folder) / "live")])
        async with serving(shelf, Address(port=0)) as served, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            for name, path, device, scheme in _each_way(_wanted(shelf)) if every else _wanted(shelf):
                if only and name.partition(".")[0] not in only:
                    continue
                if name.startswith("trails"):
                    _walk(shelf)
                library = "live" if path == "watch" else "orchids"
                address = f"{served.url}lab" if name.partition(".")[0] == "lab" else f"{served.url}{library}/{path}"
                await _take(browser, address, name, into, (device, scheme), live=path == "watch")
            await browser.close()


def _prepared(folder: Path) -> Path:
    """A demo that has yet to begin: it is watched from its first page on."""
    folder.mkdir()
    plan_demo(None, CrawlOptions(into=folder, pages=MORE)).write()
    with open_library(folder, create=True):
        return folder


def _each_way(wanted: list[tuple[str, str, str, str]]) -> list[tuple[str, str, str, str]]:
    views = {name.removesuffix("-dark"): path for name, path, _, _ in wanted} | {
        "changes": "changes?since=2000-01-01&first=true",
        "labels": "labels",
        "notes": "notes",
    }
    ways = [(device, scheme) for device in SIZES for scheme in ("light", "dark")]
    return [
        (f"{name}.{device}.{scheme}", path, device, scheme) for name, path in views.items() for device, scheme in ways
    ]


async def _make_experiment(folder: Path) -> None:
    program = [sys.executable, "-m", "scenthound", *LAB, "--into", str(folder)]
    process = await asyncio.create_subprocess_exec(*program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if await process.wait():
        sys.exit(f"This failed: {' '.join(program)}")


def _wanted(shelf: Shelf) -> list[tuple[str, str, str, str]]:
    with shelf.get("orchids").readers.lend() as library:
        best = library.page_list(PageFilters(counts=True), limit=1).pages[0].url
        waits = max(library.queues(), key=lambda queue: queue.best).host
        waits = library.waiting(waits, 1)[0].link.url
    return [
        ("overview", "", "desktop", "light"),
        ("lab", "", "desktop", "light"),
        ("waits", f"page?url={quote(waits, safe='')}", "desktop", "light"),
        ("why", f"page?url={quote(best, safe='')}", "desktop", "light"),
        ("search", "search?q=orchid+greenhouse", "phone", "light"),
        ("map", "map", "desktop", "light"),
        ("map-dark", "map", "desktop", "dark"),
        ("groups", "groups", "desktop", "light"),
        ("sites", "sites", "phone", "dark"),
        ("pages", "pages", "desktop", "dark"),
        ("teach", "label", "phone", "dark"),
        ("watch", "watch", "desktop", "dark"),
        ("trails", "trails", "desktop", "light"),
    ]


def _walk(shelf: Shelf) -> None:
    """A trail along the way that the crawl took to its best page."""
    served = shelf.get("orchids")
    served.trails.begin()
    with served.readers.lend() as library:
        best = library.page_list(PageFilters(counts=True), limit=1).pages[0].url
        for step in library.way(best):
            served.trails.visit(library, step.link.url)
    set_labels(served.folder, [best], True)


async def _take(  # type: ignore[no-untyped-def]
    browser, address: str, name: str, into: Path, way: tuple[str, str], live: bool
) -> None:
    (width, height), scheme = SIZES[way[0]], way[1]
    context = await browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    page = await context.new_page()
    page.set_default_timeout(120_000)
    await page.goto(address)
    view = name.partition(".")[0]
    if live:
        await page.wait_for_selector("#state[data-state]")
        if await page.is_visible("[data-crawl=start]"):
            await page.fill("#start-pages", str(MORE))
            await page.select_option("#start-recall", "0.9")
            await page.click("[data-crawl=start]")
        await page.wait_for_function(f"() => Number(document.querySelector('#f-pages').innerText) >= {SEEN}")
    elif view in SHOWN_WHEN:
        await page.wait_for_selector(SHOWN_WHEN[view], state="attached")  # on a phone some of it is folded
    await page.wait_for_timeout(700)
    await page.screenshot(path=into / f"dashboard-{name}.png")
    await context.close()


if __name__ == "__main__":
    given = sys.argv[1:]
    whole = Path(given[1]) if given[:1] == ["--all"] and len(given) > 1 else None
    asyncio.run(main(given[2:] if whole else given, whole))
