"""Every strategy and judge can be had as its document has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from tests.conformance import strategies as suite

OURS = {"auto", "embedding", "random"}
"""Strategies that none of the documents describes. (`random` is everybody's bound.)"""

FORMS = [
    (name, form)
    for name in registry.strategy.names()
    for form, params in registry.strategy.presets(name).items()
    if params
]
"""Published forms that are not the default: these go through the suite once more."""


@pytest.mark.parametrize("name", registry.strategy.names())
def test_every_strategy_has_its_published_form(name: str) -> None:
    presets = registry.strategy.presets(name)
    if name in OURS:
        assert not presets
        return
    assert "published" in vars(registry.strategy.get(name)), "it says itself what was published, and inherits nothing"
    first = next(iter(presets))
    assert _made(name, True) == _made(name, first)
    for form, params in presets.items():
        made = _made(name, form)
        assert {key: made[key] for key in params} == dict(params)


@pytest.mark.parametrize("name", registry.judge.names())
def test_every_judge_has_its_published_form(name: str) -> None:
    presets = registry.judge.presets(name)
    assert bool(presets) is (name != "auto")
    for form, params in presets.items():
        made = registry.judge.build(name, {"published": form})
        assert {key: getattr(made, key) for key in params} == dict(params)


@pytest.mark.parametrize("check", suite.CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize(("name", "form"), FORMS)
def test_published_forms_conform(
    name: str, form: str, check: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    check(lambda: registry.strategy.build(name, {"published": form}), monkeypatch)


def test_other_parameters_change_a_published_form() -> None:
    assert _made("memm", True, view="target") == _made("memm", "flow-chart")
    assert _made("memm", "pseudocode")["view"] == "page"
    assert _made("memm", False)["features"] == "all"


def test_what_nobody_published_is_refused() -> None:
    with pytest.raises(ConfigError, match="no document describes it"):
        registry.strategy.build("auto", {"published": True})
    with pytest.raises(ConfigError, match="Did you mean 'flow-chart'"):
        registry.strategy.build("crf", {"published": "flowchart"})
    with pytest.raises(ConfigError, match=r"no published form 7\. Those there are: pseudocode, flow-chart"):
        registry.strategy.build("crf", {"published": 7})


def _made(name: str, published: bool | str, **params: Any) -> dict[str, Any]:
    made = registry.strategy.build(name, {"published": published, **params})
    return {key: value for key, value in vars(made).items() if not key.endswith("_")}
