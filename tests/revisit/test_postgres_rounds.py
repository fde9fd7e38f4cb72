"""Rounds of looks at a library in PostgreSQL come to what they come to at one in a folder."""

from __future__ import annotations

from pathlib import Path

from scenthound.config import LibrarySection
from scenthound.library import open_library
from scenthound.revisit.rounds import RevisitOptions, RevisitRound, Revisits
from tests.revisit.changing_web import ChangingWeb, Clock, collect, fetcher, html, prose, serving, settings
from tests.revisit.test_rounds import filled


def changed(web: ChangingWeb) -> None:
    for n in range(4):
        web.put(f"/{n}", html(prose(f"page{n}") + " More to read.", f"/new{n}"))
        web.put(f"/new{n}", html(prose(f"new{n}")))
    web.put("/5", (301, {"Location": "/6?there"}))
    web.put("/6?there", html(prose("there")))
    web.put("/7", (404, {}))


async def two_rounds(folder: Path, address: str) -> tuple[list[RevisitRound], list[object], list[object]]:
    """What came of a round after changes and of one after none, and what is stored of pages and looks."""
    async with serving(ChangingWeb()) as web:
        filled(web, 10)
        clock, config = Clock(), settings(web)
        config.library = LibrarySection(address=address)
        await collect(config, folder, clock)
        changed(web)
        outcomes = []
        for _ in range(2):
            clock.pass_days(2)
            rounds = Revisits(
                config, folder, RevisitOptions(requests=60), make_fetcher=lambda: fetcher(config, clock), clock=clock
            )
            outcomes.append(await rounds.round())
        root = web.url("", "a.test")
        with open_library(folder, write=False) as library:
            pages: list[object] = [
                (page.url.removeprefix(root), len(library.versions(page.url)), page.status) for page in library.pages()
            ]
            looks: list[object] = [(look.outcome, look.kind, look.url.removeprefix(root)) for look in library.looks()]
        return outcomes, sorted(pages, key=str), sorted(looks, key=str)


async def test_looks_are_the_same_as_in_a_folder(tmp_path: Path, postgres: str) -> None:
    here, there = await two_rounds(tmp_path / "here", ""), await two_rounds(tmp_path / "there", postgres)
    assert (tmp_path / "there" / "library.address").is_file()
    for ours, theirs in zip(here[0], there[0], strict=True):
        assert (ours.looks, ours.found, ours.requests) == (theirs.looks, theirs.found, theirs.requests)
    first, second = there[0]
    assert first.looks["changed"] == 4
    assert first.looks["moved"] == 1
    assert first.looks.total() == 11
    assert first.found >= 4
    assert second.looks["gone"] == 1
    assert not second.looks["changed"]
    assert here[1:] == there[1:]
