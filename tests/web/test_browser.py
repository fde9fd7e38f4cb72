"""The dashboard in a real browser: crawls watched and steered, pages taught, hostile ones looked at. Needs Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from scenthound.app.label import set_labels
from scenthound.app.notes import write_note
from scenthound.crawler.engine import SEED_PRIORITY
from tests.app.small_experiment import small_experiment
from tests.library.collection import collect, stored, zoo, zoo_config
from tests.watchdog import PATIENCE
from tests.web.served import Dashboard, opened, prepared_demo

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
EVIL = """<!doctype html><title>Otters <script>document.title='owned'</script></title>
<meta http-equiv=refresh content="0;url=http://127.0.0.1:{port}/owned"><base href="http://127.0.0.1:{port}/owned/">
<link rel=preconnect href="http://127.0.0.1:{port}/"><link rel=stylesheet href="http://127.0.0.1:{port}/owned.css">
<body onload="top.location='/owned'"><script>top.location='/owned'</script>
<img src="http://127.0.0.1:{port}/owned.png" alt=otter>
<iframe src="http://127.0.0.1:{port}/owned"></iframe><form action="/owned"><input name=a autofocus></form>
<a id=go href="/otters" target=_top onclick="top.location='/owned'">More about otters</a>"""

SHOWN = [
    *("", "pages", "search?q=otters", "page?url=https://www.zoo.example/otters", "watch", "label", "labels"),
    *("sites", "map", "groups", "notes", "changes", "trails", "page?url=https://www.zoo.example/map", "../lab"),
]

HOSTILE = [
    *("", "pages", "search?q=otter", "page?url=http%3A%2F%2Fevil.example%2F1", "watch", "label", "labels", "sites"),
    *(
        "map",
        "groups",
        "notes",
        "changes?since=1970-01-02&first=true",
        "trails",
        "why?url=http%3A%2F%2Fevil.example%2F1",
    ),
]

WHOLE = "() => ![...document.querySelectorAll('[aria-busy=true]')].some((each) => each.checkVisibility())"
"""No part of the page is still to come."""

MARK = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled && each.tabIndex >= 0)
  .forEach((each, place) => { each.dataset.place = place; })"""

FOCUSED = """() => { const here = document.activeElement, style = getComputedStyle(here);
  return [here.dataset.place ?? null, style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0]; }"""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt-get install chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    made = context.new_page()
    made.set_default_timeout(1000 * PATIENCE)
    troubles: list[str] = []
    made.on("pageerror", lambda error: troubles.append(str(error)))
    made.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    yield made
    context.close()
    assert not troubles


def test_a_crawl_is_started_watched_paused_changed_stopped_and_goes_on(page: Any, tmp_path: Path) -> None:
    with opened([prepared_demo(tmp_path / "demo", pages=600)]) as dashboard:
        page.goto(f"{dashboard.url}demo/watch")
        page.get_by_role("button", name="Go on crawling").click()
        page.wait_for_selector("#arrived li")
        page.wait_for_selector("#frontier li")
        page.keyboard.press("p")
        page.wait_for_selector("#state[data-state=paused]")
        page.fill("#s-pages", "900")
        page.click("#settings button")
        page.wait_for_selector("#f-budget:text-is('of 900')")
        page.keyboard.press("p")
        page.wait_for_selector("#state[data-state=running]")
        page.get_by_role("button", name="Stop").click()
        page.wait_for_selector("#state[data-state=ended]")
        before = dashboard.ask("/api/libraries/demo").json["totals"]["pages"]
        page.fill("#start-pages", str(before + 15))
        page.get_by_role("button", name="Go on crawling").click()
        page.wait_for_selector("#state[data-state=running], #state[data-state=starting]")
        page.wait_for_selector("#state[data-state=ended]")
        assert dashboard.ask("/api/libraries/demo").json["totals"]["pages"] == before + 15
        page.goto("about:blank")


def ranked(dashboard: Dashboard) -> list[dict[str, Any]]:
    """Waiting links but for seeds, and what stands in for one."""
    links = dashboard.ask("/api/libraries/demo/frontier?limit=500").json
    return [link for link in links if link["priority"] < SEED_PRIORITY]


def test_links_are_raised_while_it_runs_and_that_can_be_undone(page: Any, tmp_path: Path) -> None:
    with opened([prepared_demo(tmp_path / "demo", pages=600)]) as dashboard:
        page.goto(f"{dashboard.url}demo/watch")
        page.get_by_role("button", name="Go on crawling").click()
        page.wait_for_selector("#arrived li:nth-child(12)")
        page.keyboard.press("p")
        page.wait_for_selector("#state[data-state=paused]")
        before = ranked(dashboard)
        other = next(link["host"] for link in reversed(before) if link["host"] != before[0]["host"])
        page.fill("#steer-rule", f"host:{other}")
        page.get_by_role("button", name="Do it").click()
        page.wait_for_selector(f"#rules li:has-text('host:{other} is raised')")
        assert ranked(dashboard)[0]["host"] == other
        page.get_by_role("button", name=f"Undo: host:{other} is raised").click()
        page.wait_for_selector("#rules:not(:has(li))", state="attached")
        assert ranked(dashboard) == before
        page.goto("about:blank")


def test_a_host_is_banned_by_one_click_while_it_runs(page: Any, tmp_path: Path) -> None:
    with opened([prepared_demo(tmp_path / "demo", pages=600)]) as dashboard:
        page.goto(f"{dashboard.url}demo/watch")
        page.get_by_role("button", name="Go on crawling").click()
        page.wait_for_selector("#hosts tr")
        page.keyboard.press("p")
        page.wait_for_selector("#state[data-state=paused]")
        host = page.locator("#hosts td a").first.inner_text()
        page.get_by_role("button", name=f"ban {host}", exact=True).click()
        page.wait_for_selector(f"#rules li:has-text('host:{host} is banned')")
        page.goto("about:blank")


def test_an_answer_changes_the_frontier_of_the_crawl_that_runs(page: Any, tmp_path: Path) -> None:
    """Before and after stand side by side, without a button to press."""
    with opened([prepared_demo(tmp_path / "demo", pages=600)]) as dashboard:
        page.goto(f"{dashboard.url}demo/watch")
        page.get_by_role("button", name="Go on crawling").click()
        page.wait_for_selector("#arrived li:nth-child(12)")
        page.keyboard.press("p")
        page.wait_for_selector("#state[data-state=paused]")
        page.goto(f"{dashboard.url}demo/label")
        page.wait_for_selector("#q-card:not([hidden])")
        page.wait_for_selector("#effect", state="hidden")
        page.wait_for_selector("#front-now li:nth-child(10)")
        first = page.inner_text("#q-url")
        page.keyboard.press("n")
        page.wait_for_function("(url) => document.querySelector('#q-url').innerText !== url", arg=first)
        page.wait_for_selector("#effect-note:has-text('Judged again')")
        page.keyboard.press("u")
        page.wait_for_selector("#q-undo:disabled")
        assert dashboard.ask("/api/libraries/demo/labels").json == []
        page.goto("about:blank")


def test_before_the_first_page_a_view_says_what_to_do(page: Any, tmp_path: Path) -> None:
    with opened([prepared_demo(tmp_path / "demo", pages=600)]) as dashboard:
        page.goto(f"{dashboard.url}demo/")
        page.get_by_role("link", name="Start the crawl").click()
        page.wait_for_selector("#watch.idle")
        page.get_by_role("button", name="Go on crawling").wait_for()
        assert page.locator("#curve").is_hidden()
        page.goto("about:blank")


def test_a_url_that_waits_says_why_and_how_it_was_found(page: Any, shown: Dashboard) -> None:
    page.goto(f"{shown.url}zoo/page?url=https://www.zoo.example/map")
    page.get_by_role("heading", name="It waits").wait_for()
    page.get_by_role("heading", name="The way to it").wait_for()


def test_a_word_of_the_topic_is_added_and_undone(page: Any, tmp_path: Path) -> None:
    folder = prepared_demo(tmp_path / "demo")
    with opened([folder]) as dashboard:
        page.goto(f"{dashboard.url}demo/watch")
        page.wait_for_selector("#words li")
        page.fill("#word", "<b>moss</b>")
        page.get_by_role("button", name="Add word").click()
        page.wait_for_selector("#words li:has-text('<b>moss</b>')")
        assert "<b>moss</b>" in (folder / "topic.toml").read_text()
        page.get_by_role("button", name="Undo: <b>moss</b> was added to the topic").click()
        page.wait_for_selector("#rules:not(:has(li))", state="attached")
        assert "moss" not in (folder / "topic.toml").read_text()
        page.goto("about:blank")


def test_a_word_added_while_it_runs_counts_with_the_next_page_and_stored_ones_are_judged_in_view(
    page: Any, tmp_path: Path
) -> None:
    with opened([prepared_demo(tmp_path / "demo", pages=2000)]) as dashboard:
        page.goto(f"{dashboard.url}demo/watch")
        page.get_by_role("button", name="Go on crawling").click()
        page.wait_for_selector("#arrived li:nth-child(12)")
        page.fill("#word", "moss")
        with page.expect_response("**/steering") as answer:
            page.get_by_role("button", name="Add word").click()
        pages = answer.value.json()["pages"]
        page.wait_for_function("(n) => Number(document.querySelector('#f-pages').innerText) > n", arg=pages)
        page.wait_for_selector("#judged:has-text('Judged again for topic')")
        dashboard.ask("/api/libraries/demo/crawl/stop", "POST", {})  # it may have come to its end meanwhile
        page.wait_for_selector("#state[data-state=ended]")
        page.goto("about:blank")


def test_a_trail_is_walked_and_a_note_is_written(page: Any, tmp_path: Path) -> None:
    with opened([zoo(tmp_path / "zoo")]) as dashboard:
        page.goto(f"{dashboard.url}zoo/trails")
        page.get_by_role("button", name="Begin a trail").click()
        page.wait_for_selector("[data-trail=end]:visible")
        page.locator(".note a").first.click()
        page.wait_for_selector("#walking[data-steps='1']")
        page.keyboard.press("y")
        page.wait_for_selector(".verdict .yes[aria-pressed=true]")
        page.locator(".writing summary").click()
        page.fill("#note-text", "<script>alert(1)</script>")
        page.fill("#note-tags", "Fish, later")
        page.get_by_role("button", name="Keep").click()
        page.wait_for_selector(".writing summary:has-text('fish, later')")
        page.goto(f"{dashboard.url}zoo/trails")
        page.wait_for_selector(".trail li.good")
        page.goto(f"{dashboard.url}zoo/notes?tag=fish")
        assert page.locator(".news .reading").inner_text() == "<script>alert(1)</script>"


def test_a_word_on_a_page_is_one_key_and_can_be_taken_back(page: Any, tmp_path: Path) -> None:
    with opened([zoo(tmp_path / "zoo")]) as dashboard:
        page.goto(f"{dashboard.url}zoo/search?q=otters")
        page.locator(".hits .title").first.click()
        page.wait_for_selector(".reasons .way")
        page.keyboard.press("y")
        page.wait_for_selector(".verdict .yes[aria-pressed=true]")
        assert [each["relevant"] for each in dashboard.ask("/api/libraries/zoo/labels").json] == [True]
        page.keyboard.press("u")
        page.wait_for_selector(".verdict .yes[aria-pressed=false]")
        assert dashboard.ask("/api/libraries/zoo/labels").json == []


def test_a_hostile_page_does_nothing_but_lie_there(page: Any, tmp_path: Path) -> None:
    asked: list[str] = []
    with opened([tmp_path_library(tmp_path)]) as dashboard:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{dashboard.url}evil/page?url=http://evil.example/")
        page.get_by_role("tab", name="As it was").click()
        frame = page.frame_locator("iframe.replay")
        frame.get_by_text("More about otters").wait_for()
        page.wait_for_timeout(500)
        assert not [url for url in asked if "owned" in url or not url.startswith(dashboard.url)]
        assert page.url.startswith(f"{dashboard.url}evil/page")
        assert "owned" not in page.title()
        frame.get_by_text("More about otters").click()
        page.wait_for_url("**/evil/page?url=http%3A%2F%2Fevil.example%2Fotters")


def tmp_path_library(folder: Path) -> Path:
    body = EVIL.format(port=9).encode()
    page = stored("http://evil.example/", "otters in rivers", title="Otters <b>", relevance=0.9, body=body)
    return collect(folder / "evil", [page], zoo_config())


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    folder = tmp_path_factory.mktemp("axe")
    with opened([zoo(folder / "zoo"), small_experiment(folder / "first")]) as dashboard:
        yield dashboard


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(browser: Any, shown: Dashboard, scheme: str) -> None:
    """By the rules of axe-core, which knows WCAG; its script is put in by the test, past the policy."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844}, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    found = []
    for path in SHOWN:
        page.goto(f"{shown.url}zoo/{path}")
        found += violations(page, path)
    context.close()
    assert not found


def violations(page: Any, path: str) -> list[tuple[str, str, str]]:
    """What axe-core finds once all parts of the page are there: where, which rule, and what breaks it."""
    page.wait_for_load_state("load")
    page.wait_for_function(WHOLE)
    page.add_script_tag(content=(files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8"))
    result = page.evaluate("axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })")
    return [(path, each["id"], each["nodes"][0]["html"][:120]) for each in result["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_watch_and_steer_a_crawl(browser: Any, tmp_path: Path, scheme: str) -> None:
    """While it runs, with rules to be undone: much of the live view is not there before."""
    context = browser.new_context(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")  # rows fade in
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    with opened([prepared_demo(tmp_path / "demo", pages=600)]) as dashboard:
        page.goto(f"{dashboard.url}demo/watch")
        page.get_by_role("button", name="Go on crawling").click()
        page.wait_for_selector("#arrived li:nth-child(12)")
        page.keyboard.press("p")
        page.wait_for_selector("#state[data-state=paused]")
        page.fill("#steer-rule", "path:/forum/*")
        page.get_by_role("button", name="Do it").click()
        page.wait_for_selector("#rules li")
        found = violations(page, "watch")
        page.goto(f"{dashboard.url}demo/label")
        page.wait_for_selector("#q-card:not([hidden])")
        found += violations(page, "label")
        page.goto("about:blank")
    context.close()
    assert not found


def test_curves_are_drawn_anew_in_the_colours_of_the_night(page: Any, shown: Dashboard) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(f"{shown.url}zoo/")
    page.wait_for_selector("[data-curve] canvas")
    page.evaluate("document.querySelector('[data-curve] canvas').dataset.old = 'true'")
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("[data-curve] canvas:not([data-old])")
    assert page.locator("[data-curve] canvas").count() == 1
    page.goto("about:blank")


def test_who_is_at_a_row_by_keys_stays_there_when_the_list_is_made_anew(page: Any, tmp_path: Path) -> None:
    with opened([prepared_demo(tmp_path / "demo", pages=2000)]) as dashboard:
        page.goto(f"{dashboard.url}demo/watch")
        page.get_by_role("button", name="Go on crawling").click()
        page.wait_for_selector("#hosts tr")
        name = page.locator("#hosts button").first.get_attribute("aria-label")
        page.locator("#hosts button").first.focus()
        page.evaluate("document.activeElement.dataset.old = 'true'")
        page.wait_for_function("() => !document.querySelector('[data-old]')")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == name
        page.goto("about:blank")


def out_of_reach(page: Any) -> list[tuple[str, list[str]]]:
    """What can be clicked and is not reached by Tab, or does not show that it was.

    Going round three times: focus that a page sets when it is painted throws back whoever has begun before."""
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    page.evaluate(MARK)
    places = page.evaluate("document.querySelectorAll('[data-place]').length")
    left, reached = {str(n) for n in range(places)}, []
    for _ in range(3 * places + 15):
        page.keyboard.press("Tab")
        place, seen = page.evaluate(FOCUSED)
        reached.append(place)
        if seen:
            left.discard(place)
        if not left:
            return []
    return [
        (page.evaluate("(n) => document.querySelector(`[data-place='${n}']`)?.outerHTML.slice(0, 120)", n), reached)
        for n in sorted(left, key=int)
    ]


def test_all_that_can_be_clicked_is_reached_by_keys_and_shows_it(page: Any, shown: Dashboard) -> None:
    found = []
    for path in ("..", *SHOWN):
        page.goto(f"{shown.url}zoo/{path}")
        page.wait_for_function(WHOLE)
        found += [(path, *each) for each in out_of_reach(page)]
    page.goto("about:blank")
    assert not found


def test_a_hostile_library_asks_for_nothing_and_goes_nowhere_in_any_view(page: Any, tmp_path: Path) -> None:
    """Its pages have markup for titles and texts, and links that are none."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: asked.append(f"dialog: {dialog.message}"))
    evil = "</title></textarea><script>alert(1)</script><img src=http://127.0.0.1:9/owned.png onerror=alert(2)>"
    body = EVIL.format(port=9).encode()
    pages = [
        stored(f"http://evil.example/{n}", f"otter river {evil}", title=f"{n} {evil}", relevance=0.9, body=body)
        for n in range(3)
    ]
    folder = collect(tmp_path / "evil", pages, zoo_config())
    write_note(folder, "http://evil.example/1", evil, ["<b>"])
    set_labels(folder, ["http://evil.example/1"], True)
    with opened([folder]) as dashboard:
        page.goto(f"{dashboard.url}evil/trails")
        page.get_by_role("button", name="Begin a trail").click()
        page.wait_for_selector("[data-trail=end]:visible")
        for path in HOSTILE:
            page.goto(f"{dashboard.url}evil/{path}")
            page.wait_for_function(WHOLE)
            assert page.url == f"{dashboard.url}evil/{path}"
            assert not page.evaluate("document.querySelectorAll('main img, main script, main object').length"), path
        page.goto("about:blank")
        assert not [url for url in asked if not url.startswith((dashboard.url, "about:"))]


def test_no_page_is_wider_than_a_phone(browser: Any, shown: Dashboard) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    for path in SHOWN:
        page.goto(f"{shown.url}zoo/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        here = page.locator("nav a[aria-current]")
        for place in [each.bounding_box() for each in here.all()]:
            assert 0 <= place["x"] <= place["x"] + place["width"] <= 390, path
    context.close()


MOVING = """() => [...document.querySelectorAll('*')].map((each) => getComputedStyle(each)).filter((style) =>
  style.animationName !== 'none' || style.transitionDuration.split(',').some((part) => parseFloat(part) > 0)).length"""


def test_nothing_moves_for_who_wants_no_motion(browser: Any, shown: Dashboard) -> None:
    moving = {}
    for wish in ("reduce", "no-preference"):
        context = browser.new_context(reduced_motion=wish)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        moving[wish] = 0
        for path in SHOWN:
            page.goto(f"{shown.url}zoo/{path}")
            moving[wish] += page.evaluate(MOVING)
        context.close()
    assert moving["reduce"] == 0 < moving["no-preference"]


def test_pages_are_narrowed_by_the_year_they_were_published(page: Any, shown: Dashboard) -> None:
    page.goto(f"{shown.url}zoo/pages")
    page.wait_for_selector("#year option[value='2021']", state="attached")
    page.select_option("#year", "2021")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**year=2021**")
    assert page.locator(".rows .title").all_inner_texts() == ["All about otters"]
    page.locator(".rows .title").click()
    page.get_by_text("published 2021-05-03").wait_for()
    page.goto(f"{shown.url}zoo/page?url=https://www.zoo.example/")
    page.get_by_text("no date given").wait_for()


def test_where_no_page_was_drawn_it_says_why_there_is_no_recall_and_what_to_do(page: Any, tmp_path: Path) -> None:
    with opened([prepared_demo(tmp_path / "demo", pages=600)]) as dashboard:
        page.goto(f"{dashboard.url}demo/watch")
        page.get_by_role("button", name="Go on crawling").click()
        page.wait_for_selector("#no-recall:has-text('drawn at random'):has-text('Until recall of')")
        page.get_by_role("button", name="Stop").click()
        page.wait_for_selector("#state[data-state=ended]")
        page.goto(f"{dashboard.url}demo/")
        page.wait_for_selector("#recall:has-text('cannot be said: no page was drawn at random')")
        page.goto("about:blank")
