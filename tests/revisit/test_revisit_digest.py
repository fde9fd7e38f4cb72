"""Looks at stored pages, over real HTTP: what the server sees, what the library keeps."""

from pathlib import Path

import pytest
from aiohttp import web

from scenthound.config import Config
from scenthound.crawler.budget import Budget
from scenthound.library import open_library
from scenthound.model import Step
from scenthound.revisit.recrawl import recrawling
from scenthound.revisit.revisit_digest import LOOK_AGAIN
from scenthound.revisit.tell.change_log import gather
from tests.failing_parser import REASON, WORD, break_parser
from tests.revisit.changing_web import ChangingWeb, Clock, collect, fetcher, html, prose, serving, settings


async def look(config: Config, folder: Path, clock: Clock, steps: list[Step] | None = None) -> dict[str, str]:
    """Looks at all pages once; the last outcome of each, by path."""
    observers = [steps.append] if steps is not None else []
    async with recrawling(config, folder, fetcher=fetcher(config, clock), clock=clock, observers=observers) as (
        crawl,
        looks,
    ):
        looks.look_again(list(looks.history.watched()))
        await crawl.run(Budget(least=LOOK_AGAIN))
    with open_library(folder, write=False) as library:
        return {"/" + found.url.split("/", 3)[3]: found.outcome for found in library.looks()}


async def test_what_has_not_changed_costs_next_to_nothing(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start"), "/a", "/b"))
        web.put("/a", html(prose("alpha")))
        web.put("/b", html(prose("beta")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        before = (tmp_path / "library.db").stat().st_size
        web.log.clear()
        clock.pass_days(1)
        assert await look(config, tmp_path, clock) == {"/": "same", "/a": "same", "/b": "same"}
        assert web.not_modified == 3
        assert all(asked.conditional for asked in web.log)
        assert (tmp_path / "library.db").stat().st_size <= before + 8192
        with open_library(tmp_path, write=False) as library:
            assert [page.versions for page in library.pages()] == [1, 1, 1]
            page = library.page(web.url("/a"))
            assert page is not None
            assert page.checked_at - page.fetched_at > 86_000
            assert library.body(web.url("/a")).body == html(prose("alpha")).encode()  # type: ignore[union-attr]


async def test_a_server_without_tags_is_compared_by_bytes(tmp_path: Path) -> None:
    async with serving(ChangingWeb(tags=False)) as web:
        web.put("/", html(prose("start")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        assert await look(config, tmp_path, clock) == {"/": "same"}
        assert not web.log[-1].conditional


async def test_a_change_is_a_new_version_and_its_links_wait(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        clock.pass_days(2)
        web.put("/", html(prose("start") + " Puppies were born.", "/puppies"))
        assert await look(config, tmp_path, clock) == {"/": "changed"}
        with open_library(tmp_path, write=False) as library:
            versions = library.versions(web.url())
            assert len(versions) == 2
            assert library.text(web.url(), versions[0]) != library.text(web.url(), versions[1])
            assert "Puppies" in (library.text(web.url()) or "")
            (found,) = library.looks()
            assert found.version == versions[1].seq
            assert found.size > 0
            row = library.url_row(web.url("/puppies"))
            assert row is not None
            assert row.state == "waiting"
            assert 0 < row.priority < LOOK_AGAIN
            old, new = library.texts(versions[1].seq) or ("", "")
            assert "Puppies" not in old
            assert "Puppies" in new
            mine = library.url_row(web.url())
            assert mine is not None
            assert mine.priority == 1e6, "the way to the page stays as it was"


async def test_what_a_changed_page_hands_down_is_no_look(tmp_path: Path) -> None:
    """A canonical form or a frame stands for its page and has its priority: that of the crawl."""
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start"), "/a"))
        web.put("/a", html(prose("alpha")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        web.put("/a", html(prose("alpha") + " News.").replace("<head>", '<head><link rel="canonical" href="/b">'))
        assert (await look(config, tmp_path, clock))["/a"] == "changed"
        with open_library(tmp_path, write=False) as library:
            row = library.url_row(web.url("/b"))
            assert row is not None
            assert row.state == "waiting"
            assert row.priority < 1e6


async def test_noise_is_no_new_version(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start") + " 1,203 visitors. Last modified: 3 May 2015."))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        web.put("/", html(prose("start") + " 1,309 visitors. Last modified: 4 May 2015."))
        assert await look(config, tmp_path, clock) == {"/": "noise"}
        assert await look(config, tmp_path, clock) == {"/": "same"}, "the tag of the noisy answer is asked with"
        with open_library(tmp_path, write=False) as library:
            assert len(library.versions(web.url())) == 1
            assert "1,309 visitors" in next(library.looks()).detail


def found_state(folder: Path, words: str) -> str:
    """Of the page that a search finds first."""
    with open_library(folder, write=False) as search:
        search.update_search()
        return search.search([words]).hits[0].state


async def test_a_404_is_missing_and_a_day_later_gone(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start"), "/a", "/b"))
        web.put("/a", html(prose("alpha")))
        web.put("/b", html(prose("beta")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        web.put("/a", None)
        web.put("/b", (410, {}))
        assert await look(config, tmp_path, clock) == {"/": "same", "/a": "missing", "/b": "gone"}
        clock.pass_days(0.5)
        assert (await look(config, tmp_path, clock))["/a"] == "missing", "half a day is too soon"
        clock.pass_days(0.6)
        assert (await look(config, tmp_path, clock))["/a"] == "gone"
        with open_library(tmp_path, write=False) as library:
            page = library.page(web.url("/a"))
            assert page is not None
            assert (page.state, page.reason) == ("failed", "gone: 404")
            assert library.text(web.url("/a")), "its text stays"
            assert [link.source for link in library.holders(web.url("/a"))] == [web.url()]
        assert found_state(tmp_path, "alpha") == "failed"
        assert found_state(tmp_path, "start") == "fetched"


async def test_a_page_that_comes_back_was_only_missing(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        web.put("/", None)
        assert await look(config, tmp_path, clock) == {"/": "missing"}
        web.put("/", html(prose("start")))
        clock.pass_days(3)
        assert await look(config, tmp_path, clock) == {"/": "same"}
        web.put("/", None)
        clock.pass_days(3)
        assert await look(config, tmp_path, clock) == {"/": "missing"}, "the count begins anew"


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("tags", [True, False])
async def test_what_was_gone_may_come_back(tmp_path: Path, same: bool, tags: bool) -> None:
    async with serving(ChangingWeb(tags=tags)) as web:
        web.put("/", html(prose("start")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        web.put("/", (410, {}))
        assert await look(config, tmp_path, clock) == {"/": "gone"}
        clock.pass_days(40)
        web.put("/", None)
        assert await look(config, tmp_path, clock) == {"/": "gone"}, "still, and not missing once more"
        clock.pass_days(90)
        web.put("/", html(prose("start") + ("" if same else " It was a long time.")))
        assert await look(config, tmp_path, clock) == {"/": "changed"}
        with open_library(tmp_path, write=False) as library:
            page = library.page(web.url())
            assert page is not None
            assert page.state == "fetched"
            assert [item.sort for item in gather(library, 1.0).changes] == ["back", "gone", "new"]
            assert library.text(web.url())
        clock.pass_days(1)
        assert await look(config, tmp_path, clock) == {"/": "same"}


async def test_a_permanent_redirect_moves_the_page(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start"), "/old"))
        web.put("/old", html(prose("alpha")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        web.put("/old", (301, {"Location": "/new"}))
        web.put("/new", html(prose("alpha") + " At a new place."))
        assert (await look(config, tmp_path, clock))["/old"] == "moved"
        with open_library(tmp_path, write=False) as library:
            old, new = library.page(web.url("/old")), library.page(web.url("/new"))
            assert old is not None
            assert (old.state, old.reason) == ("moved", web.url("/new"))
            assert new is not None, "the target was fetched as a page of its own"
            assert library.body(web.url("/old")).status == 200  # type: ignore[union-attr]


async def test_a_page_that_moved_as_it_was_is_watched_at_its_new_place(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start"), "/old", "/copy"))
        web.put("/old", html(prose("alpha")))
        web.put("/copy", html(prose("alpha")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        web.put("/old", (301, {"Location": "/new"}))
        web.put("/new", html(prose("alpha")))
        await look(config, tmp_path, clock)
        with open_library(tmp_path, write=False) as library:
            new = library.page(web.url("/new"))
            assert new is not None
            assert not new.duplicate_of, "what moved is nobody's original"
            watched = {page.url for page in library.watched()}
            assert watched == {web.url(), web.url("/new"), web.url("/copy")}


async def test_a_page_is_asked_for_by_date_where_that_is_all_its_server_knows(tmp_path: Path) -> None:
    date = "Sun, 06 Nov 1994 08:49:37 GMT"

    def dated(request: web.Request) -> web.Response:
        if request.headers.get("If-Modified-Since") == date:
            return web.Response(status=304)
        return web.Response(text=html(prose("start")), content_type="text/html", headers={"Last-Modified": date})

    async with serving(ChangingWeb()) as changing:
        changing.put("/", dated)
        config, clock = settings(changing), Clock()
        await collect(config, tmp_path, clock)
        for _ in range(2):
            assert await look(config, tmp_path, clock) == {"/": "same"}
        with open_library(tmp_path, write=False) as library:
            statuses = [found.status for found in library.looks()]
            assert statuses == [304, 304], "the date is kept though the 304s do not say it"


async def test_a_temporary_redirect_has_to_last(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start"), "/old"))
        web.put("/old", html(prose("alpha")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        web.put("/old", (302, {"Location": "/login"}))
        assert (await look(config, tmp_path, clock))["/old"] == "missing"
        clock.pass_days(2)
        assert (await look(config, tmp_path, clock))["/old"] == "moved"


async def test_trouble_says_nothing_about_a_page(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        web.log.clear()
        web.put("/", (500, {}))
        steps: list[Step] = []
        assert await look(config, tmp_path, clock, steps) == {"/": "failed"}
        assert len(web.log) == 2, "once more after a while"
        assert [step.check.outcome for step in steps if step.check] == ["nothing", "failed"]
        with open_library(tmp_path, write=False) as library:
            row = library.url_row(web.url())
            assert row is not None
            assert row.state == "fetched"
            assert library.counts().waiting == 0


async def test_robots_may_forbid_what_they_allowed(tmp_path: Path) -> None:
    async with serving(ChangingWeb(robots="User-agent: *\nDisallow: /secret")) as web:
        web.put("/", html(prose("start")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        web.robots = "User-agent: *\nDisallow: /"
        web.log.clear()
        clock.pass_days(3)
        assert await look(config, tmp_path, clock) == {"/": "refused"}
        assert [asked.path for asked in web.log] == ["/robots.txt"]
        with open_library(tmp_path, write=False) as library:
            assert library.url_row(web.url()).state == "fetched"  # type: ignore[union-attr]


async def test_a_host_limit_does_not_hold_back_looks(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start"), "/a"))
        web.put("/a", html(prose("alpha")))
        config, clock = settings(web), Clock()
        config.scope.host_pages = 1
        await collect(config, tmp_path, clock)
        assert await look(config, tmp_path, clock) == {"/": "same"}


class TestSoft404:
    async def test_a_page_that_says_so_is_missing_after_a_probe(self, tmp_path: Path) -> None:
        async with serving(ChangingWeb()) as web:
            lost = html(
                "Sorry, this page could not be found. " + " ".join(f"word{n}" for n in range(30)), title="Error 404"
            )
            web.otherwise = lost
            web.put("/", html(prose("start"), "/a"))
            web.put("/a", html(prose("alpha")))
            config, clock = settings(web), Clock()
            await collect(config, tmp_path, clock)
            web.log.clear()
            web.put("/a", lost)
            assert await look(config, tmp_path, clock) == {"/": "same", "/a": "missing"}
            assert sum("no-such-page" in asked.path for asked in web.log) == 1
            clock.pass_days(2)
            web.log.clear()
            assert (await look(config, tmp_path, clock))["/a"] == "gone"
            assert not [asked for asked in web.log if "no-such-page" in asked.path], "a host is probed once"
            with open_library(tmp_path, write=False) as library:
                assert library.counts().waiting == 0
                assert not any("no-such-page" in url for url, _, _ in library.broken())

    async def test_a_page_like_the_hosts_answer_to_nonsense(self, tmp_path: Path) -> None:
        async with serving(ChangingWeb()) as web:
            shop = html(" ".join(f"offer{n}" for n in range(25)), title="Our shop")
            web.otherwise = shop
            web.put("/", html(prose("start"), "/a"))
            web.put("/a", html(prose("alpha", 12)))
            config, clock = settings(web), Clock()
            await collect(config, tmp_path, clock)
            web.put("/a", shop)
            assert (await look(config, tmp_path, clock))["/a"] == "missing"

    async def test_a_page_that_was_only_cut_down_has_changed(self, tmp_path: Path) -> None:
        async with serving(ChangingWeb()) as web:
            web.put("/", html(prose("start"), "/a"))
            web.put("/a", html(prose("alpha", 12)))
            config, clock = settings(web), Clock()
            await collect(config, tmp_path, clock)
            web.put("/a", html("A short word on something else. " + " ".join(f"item{n}" for n in range(20))))
            web.log.clear()
            assert (await look(config, tmp_path, clock))["/a"] == "changed"
            assert len(web.log) == 3, "two pages and a probe"

    async def test_a_redirect_to_the_front_page(self, tmp_path: Path) -> None:
        async with serving(ChangingWeb()) as web:
            web.put("/", html(prose("start"), "/a"))
            web.put("/a", html(prose("alpha")))
            config, clock = settings(web), Clock()
            await collect(config, tmp_path, clock)
            web.put("/a", (301, {"Location": "/"}))
            assert (await look(config, tmp_path, clock))["/a"] == "missing"


async def test_a_library_without_warc_compares_texts(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start"), "/a"))
        web.put("/a", html(prose("alpha") + " 10 visitors"))
        config, clock = settings(web), Clock()
        config.library.warc = False
        await collect(config, tmp_path, clock)
        web.put("/", html(prose("start") + " News.", "/a"))
        web.put("/a", html(prose("alpha") + " 11 visitors"))
        assert await look(config, tmp_path, clock) == {"/": "changed", "/a": "noise"}
        with open_library(tmp_path, write=False) as library:
            assert [len(library.versions(page.url)) for page in library.pages()] == [2, 1]


async def test_a_page_on_which_the_parser_fails_costs_that_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it raises: the page stays as it is stored, and the others are looked at."""
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start"), "/a", "/b"))
        web.put("/a", html(prose("alpha")))
        web.put("/b", html(prose("beta")))
        config, clock = settings(web), Clock()
        await collect(config, tmp_path, clock)
        clock.pass_days(1)
        break_parser(monkeypatch)
        web.put("/a", html(f"{prose('alpha')} {WORD}"))
        web.put("/b", html(prose("beta") + " Puppies were born."))
        assert await look(config, tmp_path, clock) == {"/": "same", "/a": "failed", "/b": "changed"}
        with open_library(tmp_path, write=False) as library:
            [found] = library.looks_of(web.url("/a"))
            assert found.detail == REASON
            assert library.text(web.url("/a")) is not None
            assert len(library.versions(web.url("/a"))) == 1
