"""Lines of barren pages are left, and sites that only look a little like them lose nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate
from random import Random

import pytest

from scenthound.config import from_dict
from scenthound.crawler import barren_lines
from scenthound.crawler.assemble import assembled
from scenthound.crawler.barren_lines import LINES, BarrenLines
from scenthound.library import memory_library
from scenthound.model import Failed, Link, Page, Response, Visit, Waiting

H = "http://h.test"
Site = Callable[[str], str | None]

VOCABULARY = [f"{Random(number).getrandbits(40):x}z" for number in range(8_000)]
ZIPF = list(accumulate(1 / (rank + 3) for rank in range(len(VOCABULARY))))


def writing(seed: object, words: int = 150) -> str:
    """Words as people use them: some often, most seldom."""
    return " ".join(Random(str(seed)).choices(VOCABULARY, cum_weights=ZIPF, k=words))


def html(title: str, text: str, links: Iterable[str]) -> str:
    anchors = " ".join(f'<a href="{link}">{link}</a>' for link in links)
    return f"<html><title>{title}</title><body><p>{text}</p>{anchors}</body></html>"


class SiteFetcher:
    """A site made by a function, asked without a network."""

    parallel = 1
    recorded = True

    def __init__(self, site: Site) -> None:
        self.site = site
        self.asked: list[str] = []

    async def __call__(self, link: Link) -> Response | Failed:
        path = link.url.removeprefix(H)
        body = self.site(path)
        self.asked.append(path)
        if body is None:
            return Failed(url=link.url, kind="status", status=404, at=1.0)
        return Response(link.url, 200, (("Content-Type", "text/html"),), body.encode(), at=1.0)

    async def close(self) -> None:
        pass


async def crawled(site: Site, pages: int = 0) -> list[str]:
    config = from_dict(
        {
            "topic": {"name": "hound"},
            "crawl": {"seeds": [f"{H}/"], "strategy": "breadth-first", "pages": pages, "idf": "none"},
            "politeness": {"delay": 0.0, "robots": False},
        }
    )
    config.crawl.judge = "keywords"
    fetcher = SiteFetcher(site)
    async with assembled(config, memory_library(texts=False, answers=False), fetcher=fetcher) as crawl:
        await crawl.run()
    return fetcher.asked


# Sites that are none

BOILERPLATE = writing("menu", 60)


def number_in(path: str) -> int:
    return int(path.rpartition("=")[2])


def shop(path: str) -> str | None:
    """Ten categories of twenty articles, each article with four others beside it, and more menu than text."""
    menu = [f"/category?id={number}" for number in range(10)]
    if path == "/":
        return html("shop", BOILERPLATE, menu)
    if path.startswith("/category"):
        own = range(20 * number_in(path), 20 * number_in(path) + 20)
        return html("category", f"{BOILERPLATE} {writing(path, 40)}", [*menu, *(f"/item?id={n}" for n in own)])
    others = Random(path).sample(range(200), 4)
    return html(path, f"{BOILERPLATE} {writing(path, 30)}", [*menu, *(f"/item?id={n}" for n in others)])


def forum(path: str) -> str | None:
    """Pages of threads, each known from the one before, and threads that lead back."""
    if path == "/" or path.startswith("/list"):
        number = 0 if path == "/" else number_in(path)
        threads = [f"/thread?id={5 * number + n}" for n in range(5)]
        on = [f"/list?page={number + 1}"] if number < 40 else []
        return html("forum", f"{BOILERPLATE} {writing(path, 30)}", [*threads, *on])
    return html(path, f"{BOILERPLATE} {writing(path, 60)}", [f"/list?page={number_in(path) // 5}"])


def articles(path: str) -> str | None:
    """Articles that lead to each other and nowhere else."""
    number = 0 if path == "/" else number_in(path)
    return html(path, writing(path), [f"/a?id={n}" for n in (2 * number + 1, 2 * number + 2) if n < 200])


def handbook(path: str) -> str | None:
    """A book: each chapter leads to the next, below the same menu."""
    number = 0 if path == "/" else int(path.removeprefix("/book/chapter").removesuffix(".html"))
    return html(path, f"{BOILERPLATE} {writing(path)}", [f"/book/chapter{number + 1}.html"] if number < 80 else [])


def chapters(path: str) -> str | None:
    """Forty chapters with nothing but the menu on them, and what stands in each one level below."""
    if path == "/":
        return html("book", writing("preface"), [f"/chapter{n}/" for n in range(40)])
    if path.count("/") == 2 and path.endswith("/"):
        return html("chapter", BOILERPLATE, [f"{path}part{n}.html" for n in range(3)])
    return html(path, f"{BOILERPLATE} {writing(path)}", [])


@pytest.mark.parametrize(
    ("site", "whole"), [(shop, 211), (forum, 247), (articles, 200), (handbook, 81), (chapters, 161)]
)
async def test_a_site_with_something_to_say_loses_no_page(site: Site, whole: int) -> None:
    assert len(await crawled(site)) == whole


# A trap in such a site


async def test_a_trap_in_a_site_is_left_and_the_site_is_not() -> None:
    def with_trap(path: str) -> str | None:
        if not path.startswith("/cal"):
            page = articles(path)
            return page.replace("</body>", '<a href="/cal?month=0">calendar</a></body>') if page else None
        month = number_in(path)
        return html("hound", f"hound {BOILERPLATE} {month}", [f"/cal?month={month - 1}", f"/cal?month={month + 1}"])

    asked = await crawled(with_trap, pages=400)
    assert sum(not path.startswith("/cal") for path in asked) == 200
    assert sum(path.startswith("/cal") for path in asked) <= 50


# One by one


def visit(path: str, source: str, terms: str) -> Visit:
    link = Link(url=H + path, source=H + source if source else "")
    return Visit(link, Page(url=H + path, terms=dict.fromkeys(terms.split(), 1), simhash=1), 1.0, True, 0)


def waiting(path: str, source: str, order: int) -> Waiting:
    return Waiting(id=order, link=Link(url=H + path, source=H + source), host="h.test", priority=1.0, order=order)


def walk_into(lines: BarrenLines, pages: int, *, host: str = H) -> None:
    for number in range(pages):
        link = Link(url=f"{host}/t?n={number}", source=f"{host}/t?n={number - 1}")
        page = Page(url=link.url, terms={f"w{word}": 1 for word in range(30)}, simhash=1)
        lines.learn(Visit(link, page, 1.0, True, 0), [f"{host}/t?n={number + 1}"], duplicate=number > 0)


def test_the_reason_names_how_many_pages_and_what_was_wrong_with_them() -> None:
    lines = BarrenLines()
    walk_into(lines, LINES)
    assert lines.gives_up(waiting("/t?n=99", "/t?n=5", 1)) is None
    walk_into(lines, LINES + 1)
    reason = "trap: 24 pages in a row, each found on another of them, had the same text"
    assert lines.gives_up(waiting("/t?n=99", "/t?n=5", 1)) == reason


def test_what_another_page_shows_is_followed_and_so_is_what_a_person_named() -> None:
    lines = BarrenLines()
    walk_into(lines, LINES + 5)
    assert lines.gives_up(waiting("/t?n=99", "/good", 1)) is None
    seed = Waiting(id=1, link=Link(url=f"{H}/t?n=99", kind="seed"), host="h.test", priority=1.0, order=1)
    assert lines.gives_up(seed) is None
    assert lines.gives_up(waiting("/t?n=99", "/t?n=5", 1)) is not None


def test_pages_alike_in_one_list_are_no_line() -> None:
    lines = BarrenLines()
    for number in range(3 * LINES):
        lines.learn(visit(f"/l?n={number}", "/list", "a b c d e"), [f"{H}/x{number}"], duplicate=True)
    assert not lines.lines["h.test"].closed


def test_a_trap_that_was_left_is_not_forgotten_for_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(barren_lines, "MAX_LINES", 8)
    lines = BarrenLines()
    walk_into(lines, LINES + 1)
    for number in range(20):
        walk_into(lines, 3, host=f"http://h{number}.test")
    assert lines.gives_up(waiting("/t?n=99", "/t?n=5", 1))
    assert len(lines.lines) == 8


def test_words_are_the_same_numbers_in_every_process() -> None:
    assert barren_lines._word("hound") == 1_986_792_700_519_962_628
    assert 0 <= barren_lines._word("\ud800") < 2**63


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(barren_lines, "MAX_HOSTS", 4)
    monkeypatch.setattr(barren_lines, "MAX_LINES", 8)
    lines = BarrenLines()
    for number in range(20):
        walk_into(lines, 10, host=f"http://h{number}.test")
    walk_into(lines, 3 * barren_lines.PAGES_A_HOST)
    assert len(lines._hosts) == 4
    assert len(lines.lines) == 8
    assert len(lines.lines["h.test"].barren) <= barren_lines.PAGES_A_HOST
    assert lines._words.held <= barren_lines.REMEMBERED_WORDS
