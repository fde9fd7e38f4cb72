import math

from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.report import tables
from scenthound.lab.report.page import page
from scenthound.lab.report.summary import ExperimentSummary, summarise
from tests.lab.small import row

TOPICS = [f"t{n}" for n in range(8)]


def rows(strategy: str, area: float, **given: object) -> list[ResultRow]:
    return [
        row(strategy, name, final={"recall-area": area + n / 100, "cpu": 2.0, "requests": 5.0, "pages-to-80": "never"})
        for n, name in enumerate(TOPICS)
    ]


def summary() -> ExperimentSummary:
    made = [*rows("base", 0.2), *rows("better", 0.4), *rows("oracle", 0.8), *rows("random", 0.1)]
    return summarise(made, "base")


def test_strategies_stand_in_order_and_bounds_are_no_contestants() -> None:
    found = summary()
    assert found.strategies == ["oracle", "better", "base", "random"]
    assert found.bounds == ["oracle", "random"]
    assert set(found.comparisons["recall-area"]) == {"better"}
    better = found.comparisons["recall-area"]["better"]
    assert (better.wins, better.ties, better.losses) == (8, 0, 0)
    assert round(better.difference.mean, 6) == 0.2
    assert better.p_holm == better.p == 2 / 2**8


def test_seeds_are_averaged_before_topics() -> None:
    made = [row("a", "t", seed=seed, final={"recall-area": value}) for seed, value in ((1, 0.2), (2, 0.4))]
    found = summarise([*made, row("a", "u", final={"recall-area": 0.9})], "a")
    assert found.values["recall-area"]["a"]["t"] == (0.2 + 0.4) / 2
    assert math.isclose(found.of("recall-area", "a").mean, 0.6)
    assert found.of("recall-area", "a").of == 2


def test_apr_is_relative_to_the_baseline() -> None:
    made = [row("base", likeness=[0.55, 0.1, 0.1, 0.1]), row("twice", likeness=[0.55, 0.55, 0.1, 0.1])]
    found = summarise(made, "base")
    assert found.of("apr", "base").mean == 1.0
    assert found.of("apr", "twice").mean == 2.0


def test_a_baseline_that_is_not_there_is_replaced_by_the_first_contestant() -> None:
    found = summarise([*rows("random", 0.1), *rows("b", 0.2)], "missing")
    assert found.baseline == "b"


def test_what_was_never_reached_is_said() -> None:
    assert tables.mean_of(summary(), "pages-to-80", "base") == "never"


def test_markdown_and_page_hold_every_strategy() -> None:
    found = summary()
    text = tables.markdown(found)
    assert "| better | 0.435 [" in text
    assert "| base (baseline) |" in text
    assert "8/0/0" in text
    html = page(found, "web = 1", "scenthound lab", "folder")
    assert "better leads: 0.435 mean recall area against 0.235 of base (p = 0.008)." in html
    assert html.count("<svg") > 4


def test_strange_names_do_not_break_the_page() -> None:
    html = page(summarise([row("<script>alert(1)</script>", "<b>|x")], ""), "", "", "")
    assert "<script>" not in html
    assert "\\|x" in tables.markdown(summarise([row("a", "<b>|x")], "a"))
