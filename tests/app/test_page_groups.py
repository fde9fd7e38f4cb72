"""Groups of like pages: told apart by their words, named as pages spell them, the same each time."""

from __future__ import annotations

from pathlib import Path

from scenthound.app.page_groups import page_groups
from scenthound.library import open_library
from tests.library.collection import collect, stored, zoo_config

THEMES = {
    "ferns": "Ferns grow fronds in shade, and fronds carry spores of ferns.",
    "orchids": "Orchids bloom in greenhouses; orchid blossoms attract moths to greenhouses.",
}


def library_of_themes(folder: Path) -> Path:
    steps = [
        stored(f"https://{name}.example/{number}", f"{text} Number{number}.", title=f"{name} {number}", relevance=0.9)
        for name, text in THEMES.items()
        for number in range(6)
    ]
    return collect(folder, steps, zoo_config())


def test_pages_of_a_kind_stand_together(tmp_path: Path) -> None:
    with open_library(library_of_themes(tmp_path / "plants"), write=False) as library:
        found = page_groups(library)
        assert (found.grouped, found.whole) == (12, 12)
        for group in found.groups:
            assert len({url.split(".")[0] for url in group.members}) == 1, group
            assert list(group.hosts) == [next(iter(group.members)).split("/")[2]]
        named = " ".join(group.name for group in found.groups)
        assert "fronds" in named or "ferns" in named
        assert "greenhouses" in named or "orchids" in named
        first = found.groups[0]
        assert found.named(first.name) == first.members
        assert found.group_of(first.best[0].url) == first.name
        assert found.named("nothing") is None
        assert page_groups(library) == found


def test_a_library_without_relevant_pages_has_no_groups(tmp_path: Path) -> None:
    folder = collect(tmp_path / "none", [stored("https://a.example/", "nothing", relevance=0.0)], zoo_config())
    with open_library(folder, write=False) as library:
        assert page_groups(library).groups == []
