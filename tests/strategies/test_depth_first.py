"""Depth first, by hand: down the first link of every page, then back up."""

from pathlib import Path

import pytest

from scenthound.crawler import assemble
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls.experiment import Cell, Experiment, StrategyEntry
from scenthound.lab.crawls.lab_crawl import LabCrawler
from scenthound.lab.webs import open_web, recorded
from scenthound.model import Link, Page, Visit
from scenthound.strategies.breadth_first import BreadthFirst
from scenthound.strategies.depth_first import DepthFirst
from tests.lab.small import HOME, page, topic, write_web

TREE = {"": "ab", "a": "cd", "b": "ef", "c": "gb", "d": "", "e": "", "f": "", "g": ""}
"""Two links a page, one of them to a page that is found a second time, farther down: c leads to b, too, which then is
followed from there, and before g, having been found before it."""


@pytest.mark.parametrize(
    ("strategy", "order"),
    [
        (DepthFirst(), ["", "a", "c", "b", "e", "f", "g", "d"]),
        (BreadthFirst(), ["", "a", "b", "c", "d", "e", "f", "g"]),
    ],
)
def test_order_of_a_small_tree(strategy: DepthFirst | BreadthFirst, order: list[str], tmp_path: Path) -> None:
    pages = {f"{HOME}{name}": page(f"page {name}", *(f"{HOME}{child}" for child in led)) for name, led in TREE.items()}
    path = write_web(tmp_path / "web.warc", pages)
    cell = Cell(StrategyEntry("depth-first"), topic(), 1)
    settings = plans.settings(Experiment(strategies=["depth-first"], web=[str(path)]), cell)
    web = open_web(recorded([path]))
    try:
        parts = CrawlParts(strategy, lambda page: 0.5, assemble.make_scope(settings))
        trace, _ = LabCrawler(web).crawl(settings, parts)
    finally:
        web.close()
    assert [request.url.removeprefix(HOME) for request in trace.pages] == order


def test_priority_is_the_depth_along_the_way_that_was_gone() -> None:
    link, page = Link(f"{HOME}x"), Page(HOME, links=(Link(f"{HOME}x"),))
    first = DepthFirst().rank(Visit(Link(HOME), page, 0.0, False, 0))
    second = DepthFirst().rank(Visit(Link(HOME), page, 0.0, False, 6, first[0].memory))
    assert [(one.link, one.priority) for one in [*first, *second]] == [(link, 1.0), (link, 2.0)]
    foreign = DepthFirst().rank(Visit(Link(HOME), page, 0.0, False, 6, b"another strategy's"))
    assert foreign[0].priority == 1.0
