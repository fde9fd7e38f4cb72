"""Every registered strategy through the suite that all strategies pass."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from scenthound import registry
from scenthound.model import Link, Ranked, Visit
from scenthound.protocols.crawl import Snapshots
from scenthound.protocols.hooks import hook
from scenthound.strategies.tunnelling import Tunnelling
from tests.conformance import strategies as suite


@pytest.mark.parametrize("check", suite.CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", registry.strategy.names())
def test_conformance(name: str, check: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    check(lambda: registry.strategy.build(name), monkeypatch)


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "tunnelling", "strategy": "apprentice"},
        {"name": "tunnelling", "strategy": "backlink", "shared": True},
        {"name": "tunnelling", "strategy": "best-first", "pseudocode": True},
        {"name": "blocks", "rebuild_every": 3, "seeds": "all"},
        {"name": "genetic-hybrid", "phase": 2},
    ],
    ids=lambda entry: " ".join(map(str, entry.values())),
)
def test_snapshots_with_other_parameters(entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    name = entry.pop("name")
    suite.check_snapshots(lambda: registry.strategy.build(name, entry), monkeypatch)


def test_around_one_that_learns_and_has_no_snapshots_there_are_none() -> None:
    @dataclass
    class Learner(Good):
        def learn(self, visit: Visit) -> None:
            self.seen_ += 1

    assert hook(Tunnelling(Learner()), Snapshots) is None
    assert hook(Tunnelling(Good()), Snapshots) is not None


@dataclass
class Good:
    """Believes in links.

        priority = 1

    Source: none.
    """

    weight: float = 1.0
    seen_: int = field(init=False, default=0)

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, self.weight) for link in visit.page.links]


class NoDataclass(Good):
    """Good as far as it goes."""


class Inventive(Good):
    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(Link("http://made.up/"), 1.0)]


class Repeating(Good):
    def rank(self, visit: Visit) -> list[Ranked]:
        return [*super().rank(visit), *super().rank(visit)]


class NotANumber(Good):
    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, math.nan) for link in visit.page.links]


class Fickle(Good):
    calls = 0

    def rank(self, visit: Visit) -> list[Ranked]:
        Fickle.calls += 1
        return [Ranked(link, float(Fickle.calls)) for link in visit.page.links]


class Forgetful(Good):
    def rank(self, visit: Visit) -> list[Ranked]:
        assert visit.memory != b"\x00"
        return super().rank(visit)


class Secretive(Good):
    def rank(self, visit: Visit) -> list[Ranked]:
        self.secret = 1
        return super().rank(visit)


class SelfWilled(Good):
    def rank(self, visit: Visit) -> list[Ranked]:
        self.weight += 1.0
        return super().rank(visit)


class Reading(Good):
    def rank(self, visit: Visit) -> list[Ranked]:
        with open(__file__):
            return super().rank(visit)


class Meddling(Good):
    def rank(self, visit: Visit) -> list[Ranked]:
        visit.page.terms["meddled"] = 1  # type: ignore[index]
        return super().rank(visit)


class Merging(Good):
    merge = "sum"


class Rescoring(Good):
    def rescore(self, links: tuple[Link, ...]) -> list[float]:
        return [1.0]


@pytest.mark.parametrize("check", suite.CHECKS, ids=lambda check: check.__name__)
def test_a_good_one_passes(check: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    check(Good, monkeypatch)


@pytest.mark.parametrize(
    ("bad", "check"),
    [
        (NoDataclass, suite.check_docstring),
        (Inventive, suite.check_ranks_links),
        (Repeating, suite.check_ranks_links),
        (NotANumber, suite.check_ranks_links),
        (Fickle, suite.check_same_seed_same_order),
        (Forgetful, suite.check_without_memory),
        (Secretive, suite.check_parameters_and_what_is_learned),
        (SelfWilled, suite.check_parameters_and_what_is_learned),
        (Reading, suite.check_no_files_and_no_network),
        (Meddling, suite.check_the_visit_is_left_alone),
        (Merging, suite.check_optional_parts),
        (Rescoring, suite.check_optional_parts),
    ],
)
def test_a_bad_one_is_noticed(bad: Any, check: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError):
        check(bad, monkeypatch)
