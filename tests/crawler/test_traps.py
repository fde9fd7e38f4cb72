"""Traps are noticed, honest spaces are not taken for traps, and neither costs much."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound import urls
from scenthound.config import from_dict
from scenthound.crawler import traps
from scenthound.crawler.assemble import assembled
from scenthound.crawler.traps import FRUITLESS_DATES, HOST_VISITS, SHAPE_VISITS, Traps, is_dated, shape
from scenthound.fetch.recording import Recording
from scenthound.fetch.replay import ReplayFetcher
from scenthound.model import Step
from tests.counting import calls_of

DATA = Path(__file__).parents[3] / "shared" / "data"
CRAWLED = 500
"""Pages of the crawl that must not lose any; with 2,000 it loses none either, and takes four times as long."""

NOW = 1_794_000_000.0  # November 2026
H = "http://h.test"


def seen(now: float = NOW) -> Traps:
    return Traps(lambda: now)


def visit(trap: Traps, template: str, numbers: range, *, duplicate: bool = False, relevant: bool = False) -> None:
    for number in numbers:
        trap.learn(H + template.format(number), duplicate=duplicate, relevant=relevant)


# Read off one URL


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/a/b/a/b/a/b/", "trap: a path that repeats itself"),
        ("/x/img/img/img/p.html", "trap: a path that repeats itself"),
        ("/p/a/b/c/d/a/b/c/d/a/b/c/d", "trap: a path that repeats itself"),
        ("/job/a/job/b/job/c/job/d/job/e/job/f", "trap: a path that repeats itself"),
        ("/" + "/".join(f"level{n}" for n in range(21)), "trap: a path of 21 segments"),
        ("/?" + "&".join(f"k{n}=v" for n in range(51)), "trap: 51 parameters"),
        ("/?q=" + "x" * 1_000, "trap: a query of 1002 characters"),
        ("/calendar/2099/05/", "trap: a calendar that shows 2099"),
        ("/cal?year=2031&month=3", "trap: a calendar that shows 2031"),
        ("/events/2040-12-01", "trap: a calendar that shows 2040"),
        ("/?view=month&date=20991201", "trap: a calendar that shows 2099"),
    ],
)
def test_a_trap_that_shows_in_the_url(path: str, reason: str) -> None:
    assert seen().refuses(H + path) == reason


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "",
        "/wp/a/Aardvark.htm",
        "/job/Sling/job/modules/job/sling-parent/job/master/",
        "/htdoc/fed/all/any/any/menu/any/index.htm",
        "/apache/solr/blob/main/solr/core/src/java/org/apache/solr/cluster/placement/plugins/Affinity.java",
        "/1/1/1/1/2/",
        "/calendar/2026/12/",
        "/calendar/2028/01/",
        "/archive/1845/03/12/",
        "/rfc/2045/12",
        "/updates/2045/12",
        "/item/20991201",
        "/search?" + "&".join(f"f{n}=1" for n in range(42)),
        "/events/room-2100-a",
    ],
)
def test_an_honest_url_is_followed(path: str) -> None:
    assert seen().refuses(H + path) is None


def test_what_is_far_from_now_depends_on_now() -> None:
    assert seen(NOW).refuses(H + "/calendar/2040/05/") is not None
    assert seen(NOW + 13 * 365.25 * 86_400).refuses(H + "/calendar/2040/05/") is None


def test_a_clock_that_begins_at_nought_makes_no_calendar_of_the_present() -> None:
    assert seen(0.0).refuses(H + "/calendar/2026/05/") is None
    assert seen(0.0).refuses(H + "/calendar/2040/05/") is not None


# Shapes


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/wp/a/Aardvark.htm", "/wp/a/*.htm"),
        ("/day/2026-11-15/r7?month=3&view=day", "/day/0/*?month&view"),
        ("/maze/8f3a9c0d/room", "/maze/0/*"),
        ("/2026/11/15/", "/0/"),
        ("/day/2026-11-15.html", "/day/0.html"),
        ("/a/b", "/a/*"),
        ("/?b=1&a=2&b=3", "/?a&b"),
        ("", "/"),
    ],
)
def test_the_shape_of_a_url(path: str, expected: str) -> None:
    assert shape(H + path) == expected


@pytest.mark.parametrize(
    ("path", "dated"),
    [
        ("/2026/11/", True),
        ("/news/2026/11/15", True),
        ("/day/2026-11-15.html", True),
        ("/d/20261115", True),
        ("/?year=2026&month=11", True),
        ("/cal?start_date=2026-11-15", True),
        ("/2026/11/15/a-story", False),
        ("/wiki/1845", False),
        ("/item/4711", False),
        ("/?page=2026", False),
        ("/2026/13/", False),
    ],
)
def test_a_url_that_asks_for_a_date_and_nothing_else(path: str, dated: bool) -> None:
    assert is_dated(H + path) is dated


# Learned


def test_a_shape_that_repeats_itself_is_left_and_others_of_the_host_are_not() -> None:
    trap = seen()
    visit(trap, "/list?n={}", range(SHAPE_VISITS - 1), duplicate=True)
    assert trap.refuses(f"{H}/list?n=999") is None
    visit(trap, "/list?n={}", range(1), duplicate=True)
    assert trap.refuses(f"{H}/list?n=999") == "trap: endless near-duplicates of the form /*?n"
    assert trap.refuses(f"{H}/about") is None
    assert trap.refuses("http://other.test/list?n=999") is None


def test_near_duplicates_on_topic_are_a_trap_all_the_same() -> None:
    trap = seen()
    visit(trap, "/list?n={}", range(SHAPE_VISITS), duplicate=True, relevant=True)
    assert trap.refuses(f"{H}/list?n=999") is not None


def test_a_shape_with_some_new_pages_is_followed() -> None:
    trap = seen()
    for number in range(300):
        trap.learn(f"{H}/tags/{number}.html", duplicate=number % 4 > 0, relevant=False)
        assert trap.refuses(f"{H}/tags/x.html") is None


def test_a_good_shape_that_turns_into_a_trap_is_noticed_soon() -> None:
    trap = seen()
    visit(trap, "/doc/{}.html", range(5_000))
    visit(trap, "/doc/{}.html", range(3 * SHAPE_VISITS), duplicate=True)
    assert trap.refuses(f"{H}/doc/0.html") is not None


def test_a_shape_that_betters_itself_is_let_go() -> None:
    trap = seen()
    visit(trap, "/list?n={}", range(SHAPE_VISITS), duplicate=True)
    visit(trap, "/list?n={}", range(SHAPE_VISITS))
    assert trap.refuses(f"{H}/list?n=999") is None


def test_a_host_that_repeats_itself_under_ever_new_shapes_is_left() -> None:
    trap = seen()
    for number in range(HOST_VISITS):
        trap.learn(f"{H}/{'abcdefghij'[number % 10]}{'klmnopqrst'[number // 10]}/x", duplicate=True, relevant=False)
    assert trap.refuses(f"{H}/quite/another") == "trap: endless near-duplicates on this host"
    assert trap.refuses("http://other.test/quite/another") is None


def test_a_calendar_that_brings_nothing_is_left() -> None:
    trap = seen()
    for number in range(FRUITLESS_DATES):
        assert trap.refuses(f"{H}/cal/2019/04/") is None
        trap.learn(month(number), duplicate=False, relevant=False, new=[month(number + 1)])
    assert trap.refuses(f"{H}/cal/2019/04/") == "trap: a calendar without end, of the form /cal/0/"


def test_a_calendar_that_brings_something_now_and_then_is_followed() -> None:
    trap = seen()
    for number in range(500):
        trap.learn(month(number), duplicate=False, relevant=number % 40 == 0, new=[month(number + 1)])
    assert trap.refuses(f"{H}/cal/2019/04/") is None


@pytest.mark.parametrize("new", [[], [f"{H}/2019/04/a-story", f"{H}/cal/2019/04/"]])
def test_an_archive_by_months_is_no_calendar(new: list[str]) -> None:
    """Its months are known from one list, or lead to stories: 17 such pages of a real web were lost."""
    trap = seen()
    for number in range(500):
        trap.learn(month(number), duplicate=False, relevant=False, new=new)
    assert trap.refuses(f"{H}/cal/2019/04/") is None


def month(number: int) -> str:
    return f"{H}/cal/{2026 - number // 12}/{12 - number % 12:02}/"


def test_numbers_that_only_sometimes_look_like_dates_are_no_calendar() -> None:
    trap = seen()
    for number in range(2_000):
        trap.learn(f"{H}/item/{20_260_900 + number}", duplicate=False, relevant=False)
    assert trap.refuses(f"{H}/item/20260901") is None


# Bounds


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traps, "MAX_HOSTS", 10)
    trap = seen()
    for number in range(100):
        for form in range(100):
            trap.learn(f"http://h{number}.test/{'x' * form}/{'y' * 500}/", duplicate=True, relevant=False)
    assert len(trap._hosts) == 10
    assert len(trap._trapped) <= 10
    assert max(len(host.shapes) for host in trap._hosts.values()) == traps.SHAPES_A_HOST
    assert max(len(name) for host in trap._hosts.values() for name in host.shapes) <= traps.MAX_SHAPE


def test_a_known_trap_is_remembered_when_many_other_shapes_come_by() -> None:
    trap = seen()
    visit(trap, "/list?n={}", range(SHAPE_VISITS), duplicate=True)
    for number in range(1_000):
        trap.learn(f"{H}/{'z' * (number % 200)}/x", duplicate=False, relevant=True)
    assert trap.refuses(f"{H}/list?n=999") is not None


@given(st.lists(st.tuples(st.text(max_size=60), st.booleans(), st.booleans()), max_size=80))
def test_no_url_is_too_odd(visits: list[tuple[str, bool, bool]]) -> None:
    trap = seen()
    for rest, duplicate, relevant in visits:
        url = urls.canonical(f"{H}/{rest}")
        if isinstance(url, str):
            trap.learn(url, duplicate=duplicate, relevant=relevant)
            reason = trap.refuses(url)
            assert reason is None or reason.startswith("trap: ")


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=19), st.integers(3, 5), st.integers(1, 4))
def test_repetition_is_found_wherever_it_stands(front: list[str], times: int, length: int) -> None:
    unit = ["p", "q", "r", "s"][:length]
    path = "/".join([*front[: 20 - times * length], *unit * times])
    expected = len(path.split("/")) > 4 or len(H) + len(path) > 110
    assert (seen().refuses(f"{H}/{path}") is not None) or not expected


def test_asking_is_cheap() -> None:
    """Each link of each page is asked about, and each visit learned from: about 0.5 and 5 microseconds."""
    trap = seen()
    address = "https://www.example.org/docs/2.4/mod/mod_proxy_balancer.html"
    visit(trap, "/docs/{}/x.html", range(1_000))
    assert calls_of(lambda: trap.refuses(address)) <= 8
    assert calls_of(lambda: trap.learn(address, duplicate=False, relevant=False)) <= 80


# Real webs


@pytest.mark.parametrize("web", ["schools-wikipedia", "webkb", "apache"])
def test_no_page_of_a_real_web_looks_like_a_trap(web: str, tmp_path: Path) -> None:
    path = DATA / f"{web}.warc.gz"
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    trap = seen()
    addresses = list(Recording([path], tmp_path).urls())
    assert len(addresses) > 3_000
    assert [reason for address in addresses if (reason := trap.refuses(address))] == []


async def test_a_long_crawl_loses_no_relevant_page(tmp_path: Path) -> None:
    path, topics = DATA / "schools-wikipedia.warc.gz", DATA / "topics.jsonl"
    if not path.exists() or not topics.exists():
        pytest.skip(f"{path.name} or {topics.name} is not here")
    topic = json.loads(topics.read_text().splitlines()[0])
    config = from_dict(
        {
            "topic": {"name": topic["name"], "keywords": topic["keywords"].split()},
            "crawl": {"seeds": topic["seeds"], "pages": CRAWLED, "threshold": 0.1},
            "scope": {"traps": False},
            "politeness": {"delay": 0.0, "robots": False},
            "library": {"warc": False},
        }
    )
    trap = seen()
    lost: list[str] = []
    relevant = 0

    def learn(step: Step) -> None:
        nonlocal relevant
        if step.visit is not None:
            relevant += step.visit.relevant
            if step.visit.relevant and trap.refuses(step.visit.page.url):
                lost.append(step.visit.page.url)
            trap.learn(step.visit.page.url, duplicate=bool(step.duplicate_of), relevant=step.visit.relevant)

    fetcher = ReplayFetcher([path], index_folder=tmp_path)
    async with assembled(config, tmp_path / "library", fetcher=fetcher, observers=[learn]) as crawl:
        await crawl.run()
    assert relevant > 20
    assert lost == []
