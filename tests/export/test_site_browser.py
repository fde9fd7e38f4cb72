"""The static site in a real browser, from a disk: no server, no network. Needs Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scenthound.app.export import export
from tests.library.collection import zoo
from tests.watchdog import PATIENCE
from tests.web.test_browser import CHROMIUM, FLAGS

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt-get install chromium")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    export(zoo(folder / "zoo"), folder / "public", form="site")
    return folder / "public"


@pytest.fixture(scope="module", params=["light", "dark"])
def page(request: pytest.FixtureRequest, site: Path) -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True, color_scheme=request.param)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
        page.on("request", lambda asked: troubles.append(asked.url) if site.as_uri() not in asked.url else None)
        yield page
        context.close()
        browser.close()
        assert not troubles  # nothing was asked for elsewhere, nothing went wrong


def test_the_search_finds_ranks_and_marks(page: Any, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
    page.fill("#q", "otters SWIM")
    page.wait_for_selector("#found li")
    assert page.inner_text("#found li:first-child mark").lower() in ("otters", "swim")
    assert page.inner_text("#said") == f"{page.locator('#found li').count()} page" + (
        "s" if page.locator("#found li").count() > 1 else ""
    )
    assert page.is_hidden("#browse")
    page.click("#found li:first-child a")
    assert "otters" in page.inner_text("h1").lower()
    page.go_back()
    page.wait_for_selector("#found li")  # what was asked is still there
    page.fill("#q", "xyzzy")
    page.wait_for_function("document.querySelectorAll('#found li').length === 0")
    assert page.inner_text("#said") == "0 pages"
    page.fill("#q", "")
    page.wait_for_selector("#browse", state="visible")


def test_a_word_is_found_where_one_begins(page: Any, site: Path) -> None:
    """`ot` begins otters; `tters` is no beginning. What is written without spaces is found anywhere."""
    page.goto((site / "index.html").as_uri())

    def found(word: str) -> int:
        page.fill("#q", word)
        return int(page.inner_text("#said").split()[0])

    assert found("ott") == found("otter") > 0
    assert found("tters") == 0
    text = "catfish, Cats and the cat"
    assert page.evaluate("text => find(text.toLowerCase(), 'cat')", text) == 0
    assert page.evaluate("text => find(text.toLowerCase(), 'fish')", text) == -1
    assert page.evaluate("text => find(text, 'cat', 12)", text) == len(text) - 3
    assert page.evaluate("find('海のサンゴの白化', 'サンゴ')") == 2
    assert page.evaluate("find('naïve über', 'ber')") == -1


def test_every_list_and_page_fits_a_phone(page: Any, site: Path) -> None:
    for file in sorted(site.rglob("*.html")):
        if file.parent.name == "copies":
            continue
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), file
        assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith("system-ui"), "no style"


def test_the_copy_is_shown_in_a_frame_that_runs_nothing(page: Any, site: Path) -> None:
    copy = sorted((site / "copies").iterdir())[0]
    page.goto(copy.as_uri())
    assert page.get_attribute("iframe", "sandbox") == ""
    page.click("text=its main text")
    assert page.url == (site / "pages" / copy.name).as_uri()
