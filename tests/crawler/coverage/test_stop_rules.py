import pytest

from scenthound.crawler.coverage.stop_rules import StopRules, read_rules
from scenthound.errors import ConfigError


def test_rules_are_read() -> None:
    assert read_rules([]) == StopRules()
    assert read_rules(["recall=0.9"]) == StopRules(recall=0.9)
    assert read_rules([" harvest = .05 ", "recall=0.8"]) == StopRules(recall=0.8, harvest=0.05)


def test_a_low_harvest_is_taken_over_more_pages() -> None:
    assert [StopRules(harvest=share).window for share in (0.0, 0.5, 0.05, 0.01)] == [0, 50, 100, 500]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("pages=9", "say recall=0.9 or harvest=0.05"),
        ("recall", "recall is a number between 0 and 1"),
        ("recall=nan", "between 0 and 1"),
        ("recall=90", "between 0 and 1"),
        ("harvest=0", "harvest is a number between 0 and 1"),
    ],
)
def test_what_is_no_rule_is_refused(entry: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        read_rules([entry])


def test_a_rule_is_said_once() -> None:
    with pytest.raises(ConfigError, match="recall twice"):
        read_rules(["recall=0.9", "recall=0.8"])
