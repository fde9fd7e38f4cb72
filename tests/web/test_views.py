"""The pages: what they show, and that nothing a stored page says becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from scenthound.app.label import set_labels
from scenthound.app.notes import write_note
from scenthound.library.library_copy import copy_library
from scenthound.web.views import short_address
from tests.app.small_experiment import small_experiment
from tests.library.collection import collect, stored, zoo, zoo_config
from tests.web.served import Dashboard, opened

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'"
OTTERS = quote("https://www.zoo.example/otters", safe="")
WAITS = quote("https://www.zoo.example/map", safe="")


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    folder = tmp_path_factory.mktemp("views")
    hostile = [
        stored(
            "http://evil.example/",
            f"otter {EVIL}",
            title=EVIL,
            relevance=0.9,
            body=f"<p>{EVIL}<base href=//evil>".encode(),
        ),
    ]
    with opened([zoo(folder / "zoo"), collect(folder / "evil", hostile, zoo_config())]) as found:
        yield found


def test_several_libraries_are_listed_and_one_is_the_front(dashboard: Dashboard, tmp_path: Path) -> None:
    page = dashboard.ask("/").text
    assert "/zoo/" in page
    assert "/evil/" in page
    with opened([zoo(tmp_path / "Zoo of the week!")]) as alone:
        assert alone.ask("/").headers["location"] == "/zoo-of-the-week/"


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("", "otters"),
        ("details", "Harvest"),
        ("pages", "The zoo"),
        ("pages?order=newest&limit=2", "More pages"),
        ("pages?host=nobody.example", "No page is like that"),
        ("facets?language=en", '<option value="en" selected>'),
        ("facets?fetched=2023", '<option value="2023" selected>'),
        ("facets?year=2021", '<option value="2021" selected>2021 (1)'),
        ("facets?year=unknown", '<option value="unknown" selected>no date given (6)'),
        ("pages?year=2021", "otters"),
        ("recall", "cannot be said: no page was drawn at random"),
        ("search-counts?q=otters", "no date given"),
        ("pages?year=1999", "No page is like that"),
        ("pages?label=none&tag=nowhere", "No page is like that"),
        ("search-counts?q=otters", "birds.example"),
        ("search-counts?q=owls", "1 is a copy of a page that is one answer"),
        ("groups", "Reading the best pages"),
        ("map", "Reading links"),
        ("map?host=www.zoo.example", "Reading links"),
        ("notes", "Nothing is written yet"),
        ("trails", "Begin a trail"),
        ("search?q=otters", "<mark>"),
        ("search?q=walrus", "Nothing found"),
        ("search?q=%22swim+in+rivers%22", "1 page<"),
        ("search?q=%22rivers+swim%22", "Nothing found"),
        ("search?q=title:otters", "1 page<"),
        ("search?q=otters+url:/otters+year:2021+fetched:2023", "1 page<"),
        ("search?q=site:zoo.example", "only pages that count"),
        ("search-counts?q=otters+language:en", "birds.example"),
        ("watch", "Pages as they arrive"),
        ("label", "Teach"),
        ("labels", "Nothing was said yet"),
        ("sites", "www.zoo.example"),
        ("changes?since=1970-01-02&first=true", "The zoo"),
        (f"page?url={OTTERS}", "Text and why"),
        (f"why?url={OTTERS}", "The way to it"),
        (f"why?url={OTTERS}", "A page of this library"),
        (f"why?url={WAITS}", "Not a page of this library"),
        (f"links?url={quote('https://www.zoo.example/', safe='')}", "links; those"),
        (f"why?url={quote('https://www.zoo.example/map', safe='')}", "It waits"),
        (f"why?url={quote('https://nowhere.example/', safe='')}", "Never seen"),
        (f"page?url={quote('https://www.zoo.example/map', safe='')}", 'hx-get="/zoo/why?url='),
    ],
)
def test_each_view_shows_what_it_is_for(dashboard: Dashboard, path: str, wanted: str) -> None:
    answer = dashboard.ask(f"/zoo/{path}")
    assert answer.status == 200, answer.text
    assert wanted in answer.text


def test_a_file_that_changes_has_another_address(dashboard: Dashboard) -> None:
    """Browsers keep files for an hour."""
    found = re.findall(r"/static/[a-z.]+\?[0-9a-f]{8}", dashboard.ask("/zoo/").text)
    assert {address.partition("?")[0] for address in found} >= {
        "/static/app.js",
        "/static/app.css",
        "/static/icons.svg",
    }
    assert all(dashboard.ask(address).status == 200 for address in set(found))


def test_where_a_search_cannot_be_narrowed_nothing_is_offered(dashboard: Dashboard) -> None:
    assert dashboard.ask("/zoo/search-counts?q=owls+host:birds.example").text.strip() == ""


def test_addresses_are_read_in_their_own_letters_where_all_of_them_show() -> None:
    assert short_address("https://www.flora.example/%E8%98%AD/") == "flora.example/蘭"
    assert short_address("https://flora.example/%E2%80%AEmoc.knab") == "flora.example/%E2%80%AEmoc.knab"
    assert short_address("https://flora.example/%FF") == "flora.example/%FF"


@pytest.mark.parametrize("path", ["pages?order=worst", "pages?after=x", "page", "pages?limit=0", "changes?since=soon"])
def test_what_cannot_be_meant_is_said(dashboard: Dashboard, path: str) -> None:
    answer = dashboard.ask(f"/zoo/{path}")
    assert answer.status == 400
    assert "That did not work" in answer.text


def test_an_address_that_is_none(dashboard: Dashboard) -> None:
    assert dashboard.ask("/nobody/").status == 400
    assert dashboard.ask("/zoo/nothing/here").status == 404


@pytest.mark.parametrize(
    "path",
    [
        "",
        "pages",
        "search?q=otter",
        f"page?url={quote('http://evil.example/', safe='')}",
        f"why?url={quote('http://evil.example/', safe='')}",
        "changes?since=1970-01-02&first=true",
        f"search?q={quote(EVIL)}",
        f"page?url={quote(EVIL)}",
    ],
)
def test_nothing_a_page_says_becomes_markup(dashboard: Dashboard, path: str) -> None:
    page = dashboard.ask(f"/evil/{path}").text
    assert "<script>alert" not in page
    assert "<img" not in page


def test_a_title_that_runs_the_other_way_turns_nothing_around_it(tmp_path: Path) -> None:
    """Hebrew, and a sign that turns round all that follows it: each is kept to itself, wherever a title stands."""
    title, url = "\u202eשלום otters", "http://turned.example/"
    folder = collect(tmp_path / "turned", [stored(url, "otters swim in rivers", title=title)], zoo_config())
    set_labels(folder, [url], True)
    write_note(folder, url, "turned", ["odd"])
    views = ["", "pages", "search?q=otters", f"page?{urlencode({'url': url})}", "labels", "notes", "trails", "groups"]
    views += ["changes?since=1970-01-02&first=true", f"why?{urlencode({'url': url})}"]
    with opened([folder]) as dashboard:
        dashboard.ask("/api/libraries/turned/trails/begin", "POST", {})
        dashboard.ask("/api/libraries/turned/trails/visit", "POST", {"url": url})
        for view in views:
            shown = dashboard.ask(f"/turned/{view}", **({"HX_Request": "true"} if view == "groups" else {})).text
            body = shown.partition("<body")[2] or shown
            tags = re.findall(rf"<([^<>]*)>{title}<", body)
            assert tags, view
            assert all('dir="auto"' in tag for tag in tags), (view, tags)


def test_a_stored_page_is_replayed_without_anything_that_acts(dashboard: Dashboard) -> None:
    answer = dashboard.ask(f"/evil/replay?url={quote('http://evil.example/', safe='')}")
    policy = answer.headers["content-security-policy"]
    assert "sandbox" in policy
    assert "allow-scripts" not in policy
    assert "default-src 'none'" in policy
    assert "<script" not in answer.text
    assert "<base" not in answer.text


@pytest.mark.parametrize("path", ["groups", "map", "map?host=www.zoo.example"])
def test_what_takes_a_while_is_asked_for_as_a_part(dashboard: Dashboard, path: str) -> None:
    part = dashboard.ask(f"/zoo/{path}", HX_Request="true").text
    assert "<html" not in part
    assert "zoo.example" in part


def test_the_lab_shows_experiments(tmp_path: Path) -> None:
    folders = [small_experiment(tmp_path / "first"), small_experiment(tmp_path / "second")]
    with opened(folders) as alone:
        assert alone.ask("/").headers["location"] == "/lab"
        page = alone.ask("/lab").text
        assert "Compared" in page
        assert "breadth-first" in page
        assert page.count("data-curves=") >= 2


@pytest.mark.parametrize("kept_in", ["a folder", "PostgreSQL"])
def test_every_view_answers_the_same_from_a_copy(tmp_path: Path, kept_in: str, request: pytest.FixtureRequest) -> None:
    folder = zoo(tmp_path / "one" / "zoo")
    write_note(folder, "https://www.zoo.example/otters", "kept", ["fish"])
    set_labels(folder, ["https://www.zoo.example/otters"], True)
    address = request.getfixturevalue("postgres") if kept_in == "PostgreSQL" else ""
    copy_library(folder, tmp_path / "other" / "zoo", address)
    url = f"url={OTTERS}"
    views = ["", "pages?tag=fish", "search?q=otter", "search-counts?q=otter", f"page?{url}", "sites", "labels", "notes"]
    views += ["changes?since=1970-01-02&first=true", "watch", "label", "trails", "groups", "map", "facets"]
    views += [f"page?url={WAITS}", f"replay?{url}", "pages?year=2021&order=oldest", "map?host=www.zoo.example"]
    parts = ["groups", "map", "facets", "details", "recall", f"why?{url}", f"why?url={WAITS}", f"links?{url}"]
    answers = ["details", "pages", "search?q=otter", "search/facets?q=otter", f"page?{url}", f"why?{url}", "sites"]
    answers += ["groups", "map", "hosts", "labels", "notes", "tags", "frontier", "queue", "coverage"]
    with opened([folder]) as one, opened([tmp_path / "other" / "zoo"]) as other:
        for path in views:
            assert one.ask(f"/zoo/{path}").text.replace(str(folder), "") == other.ask(f"/zoo/{path}").text.replace(
                str(tmp_path / "other" / "zoo"), ""
            ), path
        for path in parts:
            assert one.ask(f"/zoo/{path}", HX_Request="true").text == other.ask(f"/zoo/{path}", HX_Request="true").text
        for path in answers:
            address = f"/api/libraries/zoo/{path}"
            assert one.ask(address).status == 200, path
            assert one.ask(address).text == other.ask(address).text, path


def test_a_list_is_paged_by_key(dashboard: Dashboard) -> None:
    first = dashboard.ask("/zoo/pages?limit=2", HX_Request="true").text
    onward = first.partition('class="next"')[2].partition('hx-get="')[2].partition('"')[0].replace("&amp;", "&")
    second = dashboard.ask(onward, HX_Request="true").text
    assert "<html" not in second
    assert second.count('<li class="row') >= 1


def test_all_that_is_transferred_is_small(dashboard: Dashboard) -> None:
    files = [
        "/zoo/",
        "/static/app.css",
        "/static/app.js",
        "/static/htmx.min.js",
        "/static/uplot.min.js",
        "/static/uplot.min.css",
        "/static/mark.svg",
    ]
    sizes = {path: len(dashboard.ask(path, Accept_Encoding="gzip").body) for path in files}
    assert sum(sizes.values()) < 150_000, sizes
