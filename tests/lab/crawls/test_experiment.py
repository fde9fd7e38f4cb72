from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import ConfigError, UnknownName
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls.experiment import (
    Cell,
    Experiment,
    StrategyEntry,
    load_experiment,
    strategy_entry,
)
from tests.lab.small import HOME, topic


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("best-first", StrategyEntry("best-first")),
        ("best-n-first(n=8)", StrategyEntry("best-n-first", {"n": 8})),
        (" x ( a = 1.5 , b = word, c=true ) ", StrategyEntry("x", {"a": 1.5, "b": "word", "c": True})),
        ({"name": "best-n-first", "n": 8}, StrategyEntry("best-n-first", {"n": 8})),
    ],
    ids=str,
)
def test_strategies_are_spelt_as_names_with_parameters(text: Any, expected: StrategyEntry) -> None:
    assert strategy_entry(text) == expected


@pytest.mark.parametrize("text", ["", "a b", "x(", "x(n)", "x(n=1))", "(n=1)"])
def test_what_is_no_strategy_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        strategy_entry(text)


@given(st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), st.integers() | st.booleans(), max_size=3))
def test_a_label_reads_back(params: dict[str, Any]) -> None:
    given_one = StrategyEntry("some-name", params)
    assert strategy_entry(given_one.label) == given_one


def test_bounds_and_baseline_are_run_too_each_once() -> None:
    plan = Experiment(strategies=["best-first", "random"], generated=300, baseline="breadth-first")
    assert [each.label for each in plan.entries()] == ["best-first", "random", "breadth-first", "oracle"]
    assert plan.baseline_label() == "breadth-first"
    assert Experiment(strategies=["best-first"], generated=300).baseline_label() == "best-first"


def test_a_file_is_read_and_its_paths_are_relative_to_it(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        'web = ["w.warc.gz"]\ntopics = "t.jsonl"\nbudget = "requests"\n'
        'strategies = ["a", { name = "best-n-first", n = 8 }]\n'
    )
    plan = load_experiment(path)
    assert plan.web == [str(tmp_path / "w.warc.gz")]
    assert plan.topics == str(tmp_path / "t.jsonl")
    assert plan.budget == "requests"
    assert plan.entries()[1].label == "best-n-first(n=8)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("strategis = []", "did you mean 'strategies'"),
        ("strategies = 3", "Expected"),
        ("strategies = [", "not valid TOML"),
        ('strategies = ["a"]\nbudget = "time"', "budget"),
    ],
)
def test_mistakes_in_a_file_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_experiment(path)
    with pytest.raises(ConfigError, match="There is no experiment"):
        load_experiment(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"strategies": []}, ConfigError, "No strategy"),
        ({"strategies": ["best-frist"]}, UnknownName, "best-first"),
        ({"strategies": ["best-n-first(m=1)"]}, ConfigError, "no parameter 'm'"),
        ({"strategies": ["oracle(x=1)"]}, ConfigError, "oracle"),
        ({"strategies": ["random"], "judge": "keyword"}, UnknownName, "keywords"),
        ({"strategies": ["random"], "seeds": 0}, ConfigError, "seeds"),
        ({"strategies": ["random"], "label_noise": 1.5}, ConfigError, "label_noise"),
        ({"strategies": ["random"], "topics": "t.jsonl"}, ConfigError, "its own topics"),
        ({"strategies": ["random"], "generated": 0, "web": ["w"]}, ConfigError, "--topics"),
    ],
    ids=str,
)
def test_what_cannot_run_is_refused_at_once(settings: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        plans.check(Experiment(**({"generated": 300} | settings)))


def test_topics_of_other_webs_are_left_out(tmp_path: Path) -> None:
    lines = [
        f'{{"name": "{name}", "web": "{web}", "seeds": ["{HOME}"], "targets": [], "pages": 50}}'
        for name, web in (("ours", "web.warc"), ("theirs", "other.warc"), ("any", ""))
    ]
    (tmp_path / "topics.jsonl").write_text("\n".join(lines))
    plan = Experiment(strategies=["random"], web=[str(tmp_path / "web.warc")], topics=str(tmp_path / "topics.jsonl"))
    assert [each.name for each in plans.topics_of(plan)] == ["ours", "any"]
    plan.only, plan.pages = ["any"], 7
    assert [(each.name, each.pages) for each in plans.topics_of(plan)] == [("any", 7)]
    plan.only = ["aynthing"]
    with pytest.raises(ConfigError, match="no topic called"):
        plans.topics_of(plan)


def test_a_crawl_has_the_topics_budget_and_scope_and_no_manners() -> None:
    given_topic = topic(pages=40, scope=("a.test",), deny="path:/x")
    plan = Experiment(strategies=["random"], generated=300, host_pages=9)
    cell = Cell(StrategyEntry("best-n-first", {"n": 8}), given_topic, 3)
    settings = plans.settings(plan, cell)
    assert settings.crawl.strategy == {"name": "best-n-first", "n": 8}
    assert (settings.crawl.pages, settings.crawl.requests, settings.crawl.random_seed) == (40, 0, 3)
    assert settings.scope.allow == given_topic.scope_rule()
    assert (settings.scope.deny, settings.scope.host_pages) == ("path:/x", 9)
    assert (settings.politeness.delay, settings.politeness.robots, settings.fetch.retries) == (0.0, False, 0)
    plan.budget = "requests"
    settings = plans.settings(plan, cell)
    assert (settings.crawl.pages, settings.crawl.requests) == (0, 40)


def test_only_what_must_be_trained_makes_an_experiment_of_learners() -> None:
    assert not Experiment(strategies=["best-first", "classifier", "apprentice"]).learns()
    assert Experiment(strategies=["best-first", "crf"]).learns()


def test_help_is_the_same_for_all_strategies() -> None:
    known = topic(relevant_examples=(f"{HOME}a",), irrelevant_examples=(f"{HOME}b",))
    for said, shown in (("keywords", False), ("examples", True), ("lessons", True), ("", True)):
        plan = Experiment(strategies=["best-first"], generated=300, given=said)
        plans.check(plan)
        config = plans.settings(plan, Cell(StrategyEntry("best-first"), known, 1))
        assert (bool(config.topic.examples), bool(config.topic.counterexamples)) == (shown, shown)
        assert plan.learns() is (said == "lessons")


def test_who_must_be_taught_is_not_left_without_lessons() -> None:
    assert Experiment(strategies=["memm"], generated=300).learns()
    with pytest.raises(ConfigError, match="memm must be taught, and keywords do not"):
        plans.check(Experiment(strategies=["auto", "memm"], generated=300, given="keywords"))
