"""In a crawl: robots.txt is asked first and obeyed, and links wait where it cannot be read."""

from pathlib import Path

from scenthound.crawler.engine import Crawl
from scenthound.model import Failed, Response, Step
from tests.small_web import Script, answer, crawl_of, page

A, B = (f"http://{name}.test/" for name in "ab")


def visited(crawl: Crawl) -> list[str]:
    return [stored.url for stored in crawl.library.pages()]  # type: ignore[attr-defined]


async def test_robots_are_asked_first_and_obeyed(tmp_path: Path) -> None:
    web = {
        f"{A}robots.txt": answer(f"{A}robots.txt", "User-agent: *\nDisallow: /secret", content_type="text/plain"),
        A: page(f"2={A}secret/x", f"1={A}open"),
        f"{A}open": page(),
    }
    settings = {"politeness": {"delay": 0.0, "robots": True}}
    with crawl_of(tmp_path, web, settings) as crawl:
        await crawl.run()
        assert crawl.fetcher.asked == [f"{A}robots.txt", A, f"{A}open"]  # type: ignore[attr-defined]
        row = crawl.library.url_row(f"{A}secret/x")  # type: ignore[attr-defined]
        assert (row.state, row.reason) == ("refused", "robots")
        assert b"Disallow: /secret" in crawl.library.body(f"{A}robots.txt").body  # type: ignore[attr-defined]


async def test_a_host_with_thousands_of_rules_holds_up_nobody(tmp_path: Path) -> None:
    """Neither while they are read nor while three thousand links are held against them."""
    rules = "User-agent: *\n" + "".join(f"Disallow: /{n}*a*a*a*$\n" for n in range(22_000))
    web: dict[str, str | Response | Failed | list[str | Response | Failed]] = {
        f"{A}robots.txt": answer(f"{A}robots.txt", rules, content_type="text/plain"),
        A: page(*(f"5=/{n}xaxaxa" for n in range(3_000)), f"1={B}"),
        B: page(),
    }
    settings = {"politeness": {"delay": 0.0, "robots": True}}
    with crawl_of(tmp_path, web, settings) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, B]
        assert crawl.library.counts().refused == {"robots": 3_000}  # type: ignore[attr-defined]


ROBOTS = {"politeness": {"delay": 0.0, "robots": True}, "fetch": {"retries": 1, "backoff": 0.0}}
UNWELL = answer(f"{A}robots.txt", status=503)


async def test_links_wait_while_robots_cannot_be_read(tmp_path: Path) -> None:
    """One 503 for robots.txt, with links waiting: none of them is refused."""
    web: Script = {f"{A}robots.txt": [UNWELL, answer(f"{A}robots.txt", status=404)], A: page("/x", "/y")}
    with crawl_of(tmp_path, web, ROBOTS) as crawl:
        crawl.add_seeds([f"{A}{n}" for n in range(30)])
        await crawl.run()
        assert crawl.library.counts().refused == {}  # type: ignore[attr-defined]
        assert crawl.fetcher.asked.count(f"{A}robots.txt") == 2  # type: ignore[attr-defined]
        assert len(crawl.fetcher.asked) == 2 + 31 + 2  # type: ignore[attr-defined]


async def test_links_of_a_host_without_readable_robots_are_there_for_the_next_crawl(tmp_path: Path) -> None:
    steps: list[Step] = []
    with crawl_of(tmp_path, {f"{A}robots.txt": UNWELL}, ROBOTS, seeds=(A, f"{A}x"), steps=steps) as crawl:
        assert await crawl.run() == "frontier empty"
        assert crawl.robots.unreachable == {"a.test": "robots unreachable: 503"}
        assert crawl.frontier.held() == {"a.test": 2}
        assert crawl.fetcher.asked == [f"{A}robots.txt"] * 2  # type: ignore[attr-defined]
        assert crawl.library.counts().failed == {"robots unreachable": 1}  # type: ignore[attr-defined]
        assert [step.reason for step in steps if step.state == "failed"] == ["robots unreachable: 503"]
    with crawl_of(tmp_path, {A: page(), f"{A}x": page()}, ROBOTS, seeds=()) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, f"{A}x"]
        assert crawl.library.counts().failed == {}  # type: ignore[attr-defined]
        assert crawl.robots.unreachable == {}


async def test_a_name_that_is_not_found_is_asked_for_once(tmp_path: Path) -> None:
    lost = Failed(f"{A}robots.txt", "dns", "no such name")
    with crawl_of(tmp_path, {f"{A}robots.txt": lost}, ROBOTS) as crawl:
        await crawl.run()
        assert crawl.robots.unreachable == {"a.test": "dns: no such name"}
        assert crawl.fetcher.asked == [f"{A}robots.txt"]  # type: ignore[attr-defined]


async def test_robots_behind_a_redirect_rule_the_host_that_asked(tmp_path: Path) -> None:
    web = {
        f"{A}robots.txt": answer(f"{A}robots.txt", status=301, location=f"{B}robots.txt"),
        f"{B}robots.txt": answer(f"{B}robots.txt", "User-agent: *\nDisallow: /", content_type="text/plain"),
        A: page(),
    }
    with crawl_of(tmp_path, web, {"politeness": {"delay": 0.0, "robots": True}}) as crawl:
        assert await crawl.run() == "frontier empty"
        assert visited(crawl) == []
        assert crawl.library.url_row(A).reason == "robots"  # type: ignore[attr-defined]
