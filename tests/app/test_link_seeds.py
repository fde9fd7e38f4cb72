from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.app.link_seeds import seeds_by_links
from scenthound.errors import UsageError
from scenthound.model import Link
from tests.library.collection import collect, stored

A = "http://a.test/"


def links(url: str, *targets: str) -> tuple[Link, ...]:
    return tuple(Link(f"{A}{target}", url) for target in targets)


def test_the_best_hub_of_a_first_crawl_comes_first(tmp_path: Path) -> None:
    pages = [
        stored(f"{A}list", "a list", title="List", relevance=0.2, links=links(f"{A}list", "x", "y", "z")),
        stored(f"{A}menu", "a menu", relevance=0.1, links=links(f"{A}menu", "list", "x")),
        *(stored(f"{A}{name}", f"about {name}", relevance=0.9) for name in "xyz"),
    ]
    folder = collect(tmp_path / "first", pages)
    found = seeds_by_links(folder, "hubs", 2)
    assert [hit.url for hit in found.hits] == [f"{A}list", f"{A}menu"]
    assert found.hits[0].title == "List"
    assert seeds_by_links(folder, "authorities", 1).hits[0].url == f"{A}x"
    assert seeds_by_links(folder, "pagerank", 1).hits[0].url == f"{A}x"


def test_mistakes(tmp_path: Path) -> None:
    folder = collect(tmp_path / "empty", [])
    with pytest.raises(UsageError, match="holds no pages yet"):
        seeds_by_links(folder, "hubs", 5)
    with pytest.raises(UsageError, match="--by is hubs, authorities, pagerank"):
        seeds_by_links(folder, "luck", 5)  # type: ignore[arg-type]
