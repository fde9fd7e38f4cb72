import math

import pytest

from scenthound.lab.judges.simulated_answers import AnswerPoint
from scenthound.lab.measures.judgements import ReliabilityBin
from scenthound.lab.report.judge_summary import chosen_elsewhere, pooled, summarise_judges
from scenthound.lab.report.judge_tables import answer_rows, cells, chosen_line, head, markdown
from tests.lab.judges.small_trial import judge_row


def rows(**given: float) -> list:  # type: ignore[type-arg]
    found = []
    for judge, f1 in given.items():
        for n, topic in enumerate(("ferns", "trains", "stamps")):
            found.append(judge_row(judge, topic, figures={"f1": f1 + n / 10, "ms-a-page": 1.0, "auc": None}))
    return found


def test_judges_are_ordered_by_f1_and_compared_topic_by_topic() -> None:
    (part,) = summarise_judges(rows(low=0.1, high=0.6), "low").parts
    assert part.judges == ["high", "low"]
    assert part.of("f1", "high").mean == pytest.approx(0.7)
    comparison = part.comparisons["f1"]["high"]
    assert (comparison.wins, comparison.ties, comparison.losses) == (3, 0, 0)
    assert comparison.difference.mean == pytest.approx(0.5)


def test_a_lower_calibration_error_is_a_win() -> None:
    found = [
        judge_row(judge, figures={"f1": 0.5, "calibration-error": error}) for judge, error in (("a", 0.3), ("b", 0.1))
    ]
    (part,) = summarise_judges(found, "a").parts
    assert (part.comparisons["calibration-error"]["b"].wins, part.comparisons["calibration-error"]["b"].losses) == (
        1,
        0,
    )


def test_a_baseline_that_could_not_judge_leaves_no_comparison() -> None:
    found = [judge_row("a", given="examples"), judge_row("b"), judge_row("b", given="examples")]
    summary = summarise_judges(found, "a")
    keywords, examples = summary.parts
    assert (keywords.given, examples.given) == ("keywords", "examples")
    assert not keywords.comparisons
    assert "difference" not in head(keywords)
    assert examples.comparisons["f1"]["b"].ties == 1
    assert all(len(cells(part, "b")) == len(head(part)) for part in summary.parts)


def test_what_answers_brought_is_paired_by_topic() -> None:
    def points(before: float, after: float | None) -> list[AnswerPoint]:
        return [AnswerPoint(0, 0, before, 0, 0, 0, 0.1), AnswerPoint(5, 1, after, 0, 0, 0, 0.5)]

    found = [judge_row(topic="a", answers=points(0.2, 0.5)), judge_row(topic="b", answers=points(0.4, 0.5))]
    found.append(judge_row(topic="c", answers=points(0.4, None)))
    (part,) = summarise_judges(found, "auto").parts
    assert part.gains["auto"][5].mean == pytest.approx(0.2)
    assert part.answers["auto"][5].mean == pytest.approx(0.5)
    assert part.gains["auto"][5].n == 2
    assert part.collection_gains["auto"][5].mean == pytest.approx(0.4)
    (row,) = answer_rows(part)
    assert row[:3] == ["auto", "0.333", "0.500"]


def test_diagrams_of_topics_are_pooled_by_pages() -> None:
    one = [ReliabilityBin(0.10, 0.0, 10), ReliabilityBin(0.9, 0.5, 2)]
    other = [ReliabilityBin(0.12, 0.3, 30)]
    low, high = pooled([one, other])
    assert low == pytest.approx(ReliabilityBin(0.115, 0.225, 40))
    assert high == pytest.approx(ReliabilityBin(0.9, 0.5, 2))


def test_a_figure_nobody_has_is_a_dash() -> None:
    text = markdown(summarise_judges(rows(only=0.3), "only"))
    assert "| only (baseline) | 0.400 [0.152, 0.648] | – |" in text
    assert "nan" not in text
    assert math.isnan(summarise_judges(rows(only=0.3), "only").parts[0].of("auc", "only").mean)


def test_who_is_chosen_by_other_topics_is_measured_on_this_one() -> None:
    values = {"a": {"x": 0.9, "y": 0.1, "z": 0.2}, "b": {"x": 0.0, "y": 0.5, "z": 0.5}}
    # Without x, b is better (0.5 against 0.15), but has 0.0 there; without y and z, a is (0.55, 0.5 against 0.25).
    assert chosen_elsewhere(values) == {"x": ("b", 0.0), "y": ("a", 0.1), "z": ("a", 0.2)}


def test_choosing_looks_at_what_can_be_compared() -> None:
    assert chosen_elsewhere({"a": {"x": 0.9}}) == {}, "there is no other topic to choose by"
    assert chosen_elsewhere({"a": {"x": 0.5, "y": math.nan, "z": 0.5}})["x"] == ("a", 0.5)
    assert chosen_elsewhere({"b": {"x": 0.5, "y": 0.5}, "a": {"x": 0.5, "y": 0.5}})["x"] == ("a", 0.5)


def test_the_choice_is_told_where_there_is_one() -> None:
    (part,) = summarise_judges(rows(low=0.1, high=0.6), "low").parts
    assert chosen_line(part) == "Chosen for each topic by the other topics (high 3x): F1 0.700 [0.452, 0.948]"
    assert chosen_line(summarise_judges(rows(only=0.3), "only").parts[0]) == ""
