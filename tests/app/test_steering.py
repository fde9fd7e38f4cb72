"""Rules over a running crawl: read, kept, taken back; and what they come to for a link."""

from pathlib import Path

import pytest

from scenthound.app.steering import FILE, MOST_RULES, SHIFT, Steering, SteeringLog
from scenthound.errors import ScopeError, UsageError


def log(folder: Path) -> SteeringLog:
    return SteeringLog(folder, clock=lambda: 7.0)


def test_rules_are_kept_and_taken_back(tmp_path: Path) -> None:
    rules = log(tmp_path)
    first = rules.add("ban", "host:a.example")
    second = rules.add("raise", " path:/otters ")
    assert [(rule.action, rule.rule) for rule in log(tmp_path).rules()] == [
        ("ban", "host:a.example"),
        ("raise", "path:/otters"),
    ]
    rules.undo(first.id)
    assert log(tmp_path).rules() == [second]
    assert rules.add("lower", "host:b.example").id == second.id + 1
    assert len((tmp_path / FILE).read_bytes().splitlines()) == 4


def test_what_rules_come_to(tmp_path: Path) -> None:
    rules = log(tmp_path)
    for action, rule in (("raise", "host:a.example"), ("lower", "path:/old"), ("ban", "host:b.example")):
        rules.add(action, rule)  # type: ignore[arg-type]
    steering = Steering(rules.rules())
    assert steering.shift("http://a.example/new") == SHIFT
    assert steering.shift("http://a.example/old") == 0.0
    assert steering.shift("http://c.example/old") == -SHIFT
    assert steering.refuses("http://b.example/") == "banned by you: host:b.example"
    assert steering.refuses("http://a.example/") is None


def test_what_is_no_rule_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScopeError):
        log(tmp_path).add("ban", "hots:a.example")
    with pytest.raises(UsageError, match="no rule number 3"):
        log(tmp_path).undo(3)
    assert not (tmp_path / FILE).exists()


def test_lines_of_somebody_else_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\n{}\n[1]\n")
    assert log(tmp_path).rules() == []


def test_there_is_a_bound(tmp_path: Path) -> None:
    rules = log(tmp_path)
    for number in range(MOST_RULES):
        rules.add("ban", f"host:h{number}.example")
    with pytest.raises(UsageError, match="already"):
        rules.add("ban", "host:one-more.example")
