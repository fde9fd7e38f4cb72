"""Kills scenes again and again, looks at what is left, lets them go on, and compares the end with one left in peace."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from scenthound.app.library_check import check_library
from scenthound.library import is_library
from tests.torture.scenes import Scene
from tests.torture.victims import Death, run

MOST_IN_A_ROW = 4
"""Kills of one folder before it is left in peace; a crawl is killed until nothing is left of it."""


@dataclass
class Tally:
    kills: Counter[str] = field(default_factory=Counter)
    survived: Counter[str] = field(default_factory=Counter)  # jobs that were done before their end came
    compared: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def killed(self) -> int:
        return sum(self.kills.values())


class Calm:
    """How a scene ends in peace, and how many calls that takes: found out once."""

    def __init__(self, scene: Scene, root: Path) -> None:
        folder = root / f"{scene.name}-calm"
        scene.prepare(folder)
        fate = run(lambda: scene.job(folder))
        assert not fate.error, f"{scene.name} fails in peace:\n{fate.error}"
        self.calls, self.writing_calls = max(fate.calls, 1), max(fate.writing_calls, 1)
        self.result = scene.result(folder)
        shutil.rmtree(folder)

    def death(self, dice: Random) -> Death:
        writing = dice.random() < 0.7
        most = self.writing_calls if writing else self.calls
        way = "alone" if dice.random() < 0.5 else "watched"
        return Death(1 + dice.randrange(most), way, writing, dice.random() * 0.003)  # type: ignore[arg-type]


def torture(
    scenes: Sequence[Scene], kills: int, seed: int, root: Path, progress: Callable[[Tally], None] = lambda tally: None
) -> Tally:
    """So many kills, shared among the scenes."""
    dice, tally = Random(seed), Tally()
    calm = {scene.name: Calm(scene, root) for scene in scenes}
    turn = 0
    while tally.killed < kills:
        scene = scenes[turn % len(scenes)]
        folder = root / f"{scene.name}-{turn}"
        turn += 1
        try:
            one_life(scene, folder, calm[scene.name], dice, tally, kills)
        except AssertionError as error:
            tally.wrong.append(f"{scene.name}, turn {turn} of seed {seed}: {error}")
        shutil.rmtree(folder, ignore_errors=True)
        progress(tally)
    return tally


def one_life(scene: Scene, folder: Path, calm: Calm, dice: Random, tally: Tally, kills: int) -> None:
    """A folder from its making to its end: killed some times, then left in peace and compared."""
    scene.prepare(folder)
    before: list[str] = []
    for _ in range(dice.randrange(1, MOST_IN_A_ROW + 1)):
        if tally.killed >= kills or (folder.exists() and scene.finished(folder)):
            break
        fate = run(lambda: scene.job(folder), calm.death(dice))
        assert not fate.error, f"it went wrong after {tally.kills[scene.name]} kills:\n{fate.error}"
        (tally.kills if fate.killed else tally.survived)[scene.name] += 1
        after: Any = scene.check(folder)
        assert after[: len(before)] == before, "pages that were stored are lost, or in another order"
        before = after
    fate = run(lambda: scene.job(folder))
    assert not fate.error, f"it does not go on after a kill:\n{fate.error}"
    assert scene.check(folder)[: len(before)] == before, "pages are lost when it goes on"
    assert scene.result(folder) == calm.result, "it does not come to what it comes to in peace"
    if is_library(folder):
        assert not (damages := check_library(folder).damages), f"damaged: {damages}"
    tally.compared[scene.name] += 1
