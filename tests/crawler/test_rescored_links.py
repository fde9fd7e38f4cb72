"""A strategy that learned says anew what the best links are worth; seeds stay, and what hardly moves does, too."""

from __future__ import annotations

from scenthound.crawler.rescored_links import rescored
from scenthound.model import Link, Waiting


class Queue:
    """As much of a frontier as is asked."""

    def best(self, n: int) -> list[Waiting]:
        waiting = [
            Waiting(1, Link("http://a.example/"), "a.example", 0.5, 1, 0),
            Waiting(2, Link("http://b.example/", kind="seed"), "b.example", 9.0, 2, 0),
            Waiting(3, Link("http://c.example/"), "c.example", 0.3, 3, 0),
        ]
        return waiting[:n]

    def rescore(self, priorities: list[tuple[int, float]]) -> list[tuple[int, float]]:
        return priorities


class Scores:
    def rescore(self, links: list[Link]) -> list[float]:
        return [0.25 for _ in links]


class ScoresRoughly(Scores):
    least_move = 0.125


def test_what_waits_is_scored_anew_but_for_seeds() -> None:
    assert rescored(Scores(), Queue()) == [(1, 0.25), (3, 0.25)]  # type: ignore[arg-type,comparison-overlap]
    assert rescored(Scores(), Queue(), links=2) == [(1, 0.25)]  # type: ignore[arg-type,comparison-overlap]


def test_what_moves_by_less_than_counts_stays() -> None:
    assert rescored(ScoresRoughly(), Queue()) == [(1, 0.25)]  # type: ignore[arg-type,comparison-overlap]


def test_a_strategy_that_does_not_rescore_moves_nothing() -> None:
    assert rescored(object(), Queue()) == []  # type: ignore[arg-type]
