"""A trail walked through stored pages: who led where, and that it teaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.app.browsing_trail import TrailWalk
from scenthound.app.label import set_labels
from scenthound.errors import ConfigError, UsageError
from scenthound.library import open_library
from scenthound.model import Link
from scenthound.training.training_store import TrainingStore
from tests.library.collection import collect, stored, zoo_config

HOME, LIST, GOOD, OTHER = (f"https://a.example/{name}" for name in ("", "list", "good", "other"))


def linked(folder: Path) -> Path:
    links = {HOME: (LIST, OTHER), LIST: (GOOD,), GOOD: (), OTHER: ()}
    steps = [
        stored(url, f"otters and rivers {url}", title=url, links=tuple(Link(url=each) for each in others))
        for url, others in links.items()
    ]
    return collect(folder, steps, zoo_config())


def test_steps_know_the_page_that_led_to_them(tmp_path: Path) -> None:
    folder, now = linked(tmp_path / "walk"), [1000.0]
    walk = TrailWalk(folder, clock=lambda: now[0])
    with open_library(folder, write=False) as library:
        with pytest.raises(UsageError, match="Begin one"):
            walk.visit(library, HOME)
        walk.begin()
        for url in (HOME, LIST, LIST, GOOD, OTHER, GOOD):
            now[0] += 5
            walk.visit(library, url)
        with pytest.raises(UsageError, match="no page"):
            walk.visit(library, "https://elsewhere.example/")
        set_labels(folder, [GOOD], True)
        view = walk.view(library)
        assert view.current is not None
        assert [(step.url, step.origin) for step in view.current.steps] == [
            (HOME, -1),
            (LIST, 0),
            (GOOD, 1),
            (OTHER, 0),
            (GOOD, 1),
        ]
        assert [step.label for step in view.current.steps] == [None, None, True, None, True]
        assert (view.number, view.marked) == (1, 1)
        now[0] += 10_000
        walk.visit(library, HOME)
        assert walk.view(library).number == 2
        walk.end()
        assert walk.view(library).current is None
    assert [len(trail.urls) for trail in TrainingStore(folder).trails()] == [5, 1]


def test_a_trail_with_marks_teaches_a_strategy(tmp_path: Path) -> None:
    folder = linked(tmp_path / "walk")
    walk = TrailWalk(folder)
    walk.begin()
    with open_library(folder, write=False) as library:
        for url in (HOME, LIST, GOOD):
            walk.visit(library, url)
    with pytest.raises(ConfigError, match="marked relevant"):
        walk.train("hmm")
    set_labels(folder, [GOOD], True)
    trained = walk.train("hmm")
    assert (trained.strategy, trained.report.pages) == ("hmm", 3)
    with open_library(folder, write=False) as library:
        assert walk.view(library).models == ["hmm"]
