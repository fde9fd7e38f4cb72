"""A hook is asked for by its protocol; one that is misspelt or has the wrong arguments is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.model import Link, Ranked, Visit
from scenthound.protocols.crawl import (
    JUDGE_HOOKS,
    STRATEGY_HOOKS,
    Explains,
    GivesUp,
    HearsMisses,
    Judge,
    Learns,
    Rescores,
    Strategy,
)
from scenthound.protocols.hooks import hook, method_of, misfits
from tests.conformance.strategies import make_page, make_visit


@dataclass
class Plain:
    def rank(self, visit: Visit) -> list[Ranked]:
        return []


def with_methods(**methods: Callable[..., Any]) -> Any:
    return type("Made", (Plain,), methods)()


def test_a_hook_that_is_there_can_be_called_as_its_protocol_says() -> None:
    heard: list[str] = []
    strategy = with_methods(learn=lambda self, visit: heard.append(visit.page.url))
    learner = hook(strategy, Learns)
    assert learner is not None
    learner.learn(make_visit(make_page(1)))
    assert heard == ["http://host1.example/page1"]
    assert hook(strategy, Rescores) is None
    assert hook(Plain(), Learns) is None


def test_a_strategy_around_another_has_the_hooks_that_the_other_has() -> None:
    around = registry.strategy.build("tunnelling", {"strategy": "hits"})
    assert hook(around, Rescores) is not None
    assert hook(registry.strategy.build("tunnelling", {"strategy": "best-first"}), Rescores) is None
    assert hook(around, GivesUp) is not None
    assert list(misfits(around, Strategy, STRATEGY_HOOKS)) == []


def test_every_hook_has_one_method_and_no_name_is_there_twice() -> None:
    for hooks in (STRATEGY_HOOKS, JUDGE_HOOKS):
        assert len({method_of(each) for each in hooks}) == len(hooks)
    assert method_of(Judge) == "__call__"
    assert method_of(HearsMisses) == "missed"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        *(("lern", "learn(visit)"), ("laern", "learn(visit)"), ("learns", "learn(visit)"), ("bgin", "begin(context)")),
        *(("give_up", "gives_up(waiting)"), ("gives_upp", "gives_up(waiting)"), ("mised", "missed(link)")),
        *(("movd", "moved(link, target)"), ("refuse", "refused(link, for_good)")),
        *(("re_topic", "retopic(context)"), ("rescores", "rescore(links)"), ("trian", "train(context)")),
    ],
)
def test_a_slip_in_a_name_is_noticed(name: str, meant: str) -> None:
    [told] = misfits(with_methods(**{name: lambda self, thing: None}), Strategy, STRATEGY_HOOKS)
    assert told.startswith(f"has a method {name!r}. Did you mean the hook {meant}?")


@pytest.mark.parametrize(
    "name", ["score", "trained", "forecast", "likeness", "_lern", "ranks", "learning_rate", "topic"]
)
def test_methods_of_ones_own_are_left_alone(name: str) -> None:
    assert list(misfits(with_methods(**{name: lambda self: None}), Strategy, STRATEGY_HOOKS)) == []


@pytest.mark.parametrize(
    ("method", "fits"),
    [
        (lambda self, visit: None, True),
        (lambda self, anything: None, True),
        (lambda self, visit, twice=False: None, True),
        (lambda self, *visits: None, True),
        (lambda self: None, False),
        (lambda self, visit, page: None, False),
        (lambda self, *, visit: None, False),
        (3, False),
    ],
)
def test_a_hook_with_the_wrong_arguments_is_noticed(method: Any, fits: bool) -> None:
    told = list(misfits(with_methods(learn=method), Strategy, STRATEGY_HOOKS))
    assert told == ([] if fits else ["has a method 'learn' that cannot be called as learn(visit)."])


def test_what_must_be_there_is_missed() -> None:
    assert list(misfits(object(), Strategy, ())) == ["has no method rank(visit)."]
    assert list(misfits(object(), Judge, JUDGE_HOOKS)) == ["has no method __call__(page)."]


@pytest.mark.parametrize("name", registry.judge.names())
def test_our_judges_fit(name: str) -> None:
    judge = registry.judge.build(name)
    assert list(misfits(judge, Judge, JUDGE_HOOKS)) == []
    assert hook(judge, Explains) is not None


def test_a_crawl_does_not_begin_with_a_strategy_whose_hook_would_never_be_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @dataclass
    class Forgetful(Plain):
        def mised(self, link: Link) -> None: ...

    monkeypatch.setitem(registry.strategy._entries, "forgetful", Forgetful)
    with pytest.raises(
        ConfigError, match=r"The strategy 'forgetful' has a method 'mised'. Did you mean the hook missed"
    ):
        registry.strategy.build("forgetful")
