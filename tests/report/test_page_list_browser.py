"""The report of 10,000 pages in a real browser: one file, no server, no network. Needs Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import Config
from scenthound.protocols.records import LibraryCounts
from scenthound.report.crawl_page import Facts, render
from scenthound.report.page_list import MOST_PAGES, PageLine
from tests.watchdog import PATIENCE
from tests.web.test_browser import CHROMIUM, FLAGS

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt-get install chromium")
COPIES = 100


def line(number: int) -> PageLine:
    copy = number < COPIES
    return PageLine(
        relevance=round(1 - number / MOST_PAGES, 3),
        counts=number % 2 == 0 and not copy,
        title="סחלבים – otters" if number == 300 else f"Page {(number * 7919) % MOST_PAGES:05d}",
        url=f"http://host-{number % 40}.example/{number}",
        address=f"http://host-{number % 40}.example/{number}",
        host=f"host-{number % 40}.example",
        day=f"2026-11-{1 + number % 28:02d} 10:00",
        text=f"What page {number} says about otters. " * 4 + ("A rare capybara." if number == 7_777 else ""),
        words="otter 4, river 2",
        label="yes" if number == 200 else "",
        archive="pages-00001.warc.gz",
        copy_of="http://host-1.example/5000" if copy else "",
    )


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    counts = LibraryCounts(
        fetched=MOST_PAGES,
        relevant=4_950,
        duplicates=COPIES,
        waiting=0,
        moved=0,
        failed={},
        refused={},
        hosts=40,
        bytes=1,
    )
    lines = [line(number) for number in range(MOST_PAGES)]
    facts = Facts("otters", Config(), counts, harvest=[], hosts=[], runs=[], disk=1, at=1.0, pages=lines)
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render(facts), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def opened(report: Path) -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(viewport={"width": 500, "height": 900}, offline=True)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: troubles.append(request.url) if request.url != report.as_uri() else None)
        page.goto(report.as_uri())
        yield page
        context.close()
        browser.close()
        assert not troubles  # nothing was asked for, nothing went wrong


@pytest.fixture
def page(opened: Any) -> Any:
    opened.reload()
    return opened


def told(page: Any) -> str:
    return str(page.inner_text("output"))


def first(page: Any) -> str:
    return str(page.inner_text(".pages article:first-child"))


def test_all_are_there_the_best_first_a_few_at_a_time(page: Any) -> None:
    assert told(page) == "9,900 pages"  # without copies
    assert page.locator(".pages article").count() == 25
    assert "http://host-20.example/100" in first(page)
    for part in ("0.99", "otter 4, river 2", "2026-11-", "archived in pages-00001.warc.gz"):
        assert part in first(page)
    page.click(".more")
    assert page.locator(".pages article").count() == 50
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")  # nothing sticks out on a phone


def test_filter_by_word_host_relevance_and_copies(page: Any) -> None:
    page.fill("[type=search]", "capybara")
    assert told(page) == "1 page"
    assert "/7777" in first(page)
    page.fill("[type=search]", "host-3.example otters")
    assert told(page) == "247 pages"
    page.fill("[type=search]", "")
    page.select_option(".host", "host-4.example")
    assert told(page) == "247 pages"
    page.check(".only")
    assert told(page) == "247 pages"  # even numbers all
    page.select_option(".host", "host-5.example")
    assert told(page) == "0 pages"
    assert page.inner_text(".pages") == "No page is like that."
    assert not page.is_visible(".more")
    page.uncheck(".only")
    page.select_option(".host", "")
    page.check(".copies")
    assert told(page) == "10,000 pages"
    assert "a copy of http://host-1.example/5000" in first(page)


def test_sort_by_date_and_title(page: Any) -> None:
    page.select_option(".order", label="newest first")
    assert "2026-11-28" in first(page)
    page.select_option(".order", label="by title")
    titles = page.eval_on_selector_all(".pages h3 .page", "found => found.map((each) => each.textContent)")
    assert len(titles) == 25
    assert titles == sorted(titles)
    page.select_option(".order", label="most relevant first")
    assert "http://host-20.example/100" in first(page)


def test_labels_show(page: Any) -> None:
    page.fill("[type=search]", "host-0.example/200")
    assert "label: yes" in page.inner_text(".pages")


def test_a_title_is_read_in_the_direction_of_its_script(page: Any) -> None:
    def direction() -> str:
        return str(page.eval_on_selector(".pages h3 .page", "title => getComputedStyle(title).direction"))

    assert direction() == "ltr"
    page.fill("[type=search]", "סחלבים")
    assert told(page) == "1 page"
    assert direction() == "rtl"


def test_what_can_be_asked_for_is_not_cut(page: Any) -> None:
    for width in (390, 760, 1180):
        page.set_viewport_size({"width": width, "height": 900})
        room, asked = page.eval_on_selector(
            "[type=search]",
            """box => { const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(box);
            pen.font = style.font;
            return [box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
                    pen.measureText(box.placeholder).width]; }""",
        )
        assert asked <= room
    page.set_viewport_size({"width": 500, "height": 900})
