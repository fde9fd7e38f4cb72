"""Messages repeat what somebody wrote, and never at any length."""

from __future__ import annotations

from typing import Any

import pytest

from scenthound import registry
from scenthound.config import from_dict
from scenthound.errors import MOST_REPEATED, ConfigError, UnknownName, shown

LONG = "x" * 100_000


def test_what_is_short_is_repeated_whole() -> None:
    assert (shown("fern"), shown(3), shown(None)) == ("'fern'", "3", "None")
    assert len(shown(LONG)) == MOST_REPEATED + 3


@pytest.mark.parametrize(
    "given",
    [
        {LONG: {}},
        {"crawl": {LONG: 1}},
        {"topic": {"name": "x"}, "crawl": {"depth": 10**4_000}},
        {"crawl": {"strategy": {"name": "best-first", LONG: float("nan")}}},
        {"crawl": {"strategy": {"name": "best-first", LONG: {LONG: float("nan")}}}},
    ],
)
def test_settings_that_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as refused:
        from_dict(given)
    assert len(str(refused.value)) < 1_000


def test_names_and_parameters_that_there_are_not() -> None:
    with pytest.raises(UnknownName) as unknown:
        registry.strategy.get(LONG)
    assert len(str(unknown.value)) < 2_000
    for params in ({LONG: 1}, {"n": LONG}):
        with pytest.raises(ConfigError) as refused:
            registry.strategy.build("best-n-first", params)
        assert len(str(refused.value)) < 2_000
