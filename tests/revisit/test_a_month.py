"""A month in the life of a library, at random: pages change, go, move and come, and the library keeps up."""

import random
from pathlib import Path

import pytest

from scenthound.library import open_library
from scenthound.revisit.rounds import RevisitOptions, Revisits
from tests.revisit.changing_web import ChangingWeb, Clock, collect, fetcher, html, prose, serving, settings

PAGES = 14


def turn(web: ChangingWeb, dice: random.Random, day: int, state: dict[int, str]) -> None:
    """One day passes in the web."""
    for n in range(PAGES):
        if state[n] in ("gone", "moved"):
            continue
        luck = dice.random()
        if luck < 0.15:
            web.put(f"/{n}", html(f"{prose(f'page{n}')} Of day {day}, news{dice.randrange(10**6)}x.", f"/new{n}-{day}"))
            web.put(f"/new{n}-{day}", html(prose(f"new{n}on{day}")))
        elif luck < 0.25:
            page = web.pages["a.test", f"/{n}"]
            web.put(f"/{n}", page.partition("<!--")[0] + f"<!-- {dice.random()} -->")
        elif luck < 0.28:
            web.put(f"/{n}", None)
            state[n] = "gone"
        elif luck < 0.31:
            web.put(f"/moved{n}", web.pages["a.test", f"/{n}"] + "<p>Here now.</p>")
            web.put(f"/{n}", (301, {"Location": f"/moved{n}"}))
            state[n] = "moved"


@pytest.mark.parametrize("seed", [1, 2])
async def test_the_library_keeps_up(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    state = dict.fromkeys(range(PAGES), "there")
    async with serving(ChangingWeb(tags=bool(seed % 2))) as web:
        web.put("/", html(prose("start"), *(f"/{n}" for n in range(PAGES))))
        for n in range(PAGES):
            web.put(f"/{n}", html(prose(f"page{n}")))
        clock, config = Clock(), settings(web)
        await collect(config, tmp_path, clock)
        asked = 0
        for day in range(12):
            clock.pass_days(1.01)
            turn(web, dice, day, state)
            web.log.clear()
            rounds = Revisits(
                config,
                tmp_path,
                RevisitOptions(requests=40, discover=0.2),
                make_fetcher=lambda: fetcher(config, clock),
                clock=clock,
            )
            outcome = await rounds.round()
            assert len(web.log) == outcome.requests <= 40
            asked += outcome.requests
        clock.pass_days(1.01)
        await Revisits(
            config, tmp_path, RevisitOptions(requests=400), make_fetcher=lambda: fetcher(config, clock), clock=clock
        ).round()
        with open_library(tmp_path, write=False) as library:
            for n in range(PAGES):
                page = library.page(web.url(f"/{n}"))
                assert page is not None
                expected = {"there": "fetched", "gone": "failed", "moved": "moved"}[state[n]]
                assert page.state == expected
                served = web.pages["a.test", f"/{n}"]
                if state[n] == "there":
                    words = served.partition("<p>")[2].partition("</p>")[0]
                    assert words in (library.text(page.url) or "")
                elif state[n] == "moved":
                    assert library.page(web.url(f"/moved{n}")) is not None
                versions = library.versions(page.url)
                looks = [look for look in library.looks_of(page.url) if look.version is not None]
                assert [version.seq for version in versions[1:]] == [look.version for look in looks]
                for version in versions:
                    assert bool(library.text(page.url, version)) == (version.status == 200)
            assert library.counts().waiting == 0
        assert asked > 12 * PAGES / 2
        assert {"gone", "moved"} & set(state.values())
