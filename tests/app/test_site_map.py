"""The map of sites: who is on it, which links are drawn, and that it stands still."""

from __future__ import annotations

from pathlib import Path

from scenthound.app.site_map import site_map
from scenthound.library import open_library
from scenthound.model import Link
from tests.library.collection import collect, stored, zoo_config


def linked(folder: Path, links: dict[str, list[str]]) -> Path:
    steps = []
    for host, others in links.items():
        found = tuple(Link(url=f"https://{other}.example/", anchor=other) for other in others)
        steps.append(stored(f"https://{host}.example/", f"page of {host}", title=host, relevance=0.8, links=found))
    return collect(folder, steps, zoo_config())


def test_a_star_is_drawn_as_one(tmp_path: Path) -> None:
    rays = ["a", "b", "c", "d", "e"]
    folder = linked(tmp_path / "star", {"hub": rays, **{ray: ["hub"] for ray in rays}})
    with open_library(folder, write=False) as library:
        found = site_map(library)
        assert len(found.sites) == 6
        assert found.all_links == 10
        assert {(link.source, link.target) for link in found.links} == {
            pair for ray in rays for pair in ((f"{ray}.example", "hub.example"), ("hub.example", f"{ray}.example"))
        }
        hub = next(site for site in found.sites if site.host == "hub.example")
        assert (hub.links_to, hub.linked_from) == (5, 5)
        assert len({(site.x, site.y) for site in found.sites}) == 6
        assert all(0 <= site.x <= 1 and 0 <= site.y <= 1 for site in found.sites)
        assert site_map(library) == found


def test_of_many_links_few_are_drawn(tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(12)]
    folder = linked(tmp_path / "all", {name: [other for other in names if other != name] for name in names})
    with open_library(folder, write=False) as library:
        found = site_map(library)
        assert found.all_links == 12 * 11
        assert len(found.links) <= 2 * 12 * 3


def test_around_one_host_stand_those_it_links_with(tmp_path: Path) -> None:
    folder = linked(tmp_path / "two", {"a": ["b"], "b": [], "c": ["d"], "d": []})
    with open_library(folder, write=False) as library:
        assert {site.host for site in site_map(library, "a.example").sites} == {"a.example", "b.example"}
        assert site_map(library, "nobody.example").sites == []


def test_a_library_without_pages(tmp_path: Path) -> None:
    with open_library(collect(tmp_path / "empty", [], zoo_config()), write=False) as library:
        assert site_map(library).sites == []
