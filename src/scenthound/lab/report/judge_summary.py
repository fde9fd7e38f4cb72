"""What the results of an experiment with judges say: for each way of asking, means with intervals and comparisons."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from scenthound.lab.judges.judge_experiment import GIVEN, Given
from scenthound.lab.judges.judge_results import JudgeRow
from scenthound.lab.judges.simulated_answers import AnswerPoint
from scenthound.lab.measures.judgements import MEASURES, ReliabilityBin
from scenthound.lab.report.share_intervals import gain, share, share_differences
from scenthound.lab.statistics import Comparison, Estimate, compare, mean_with_interval

LEADING = "f1"
TIMES = ("ms-a-page", "fit-seconds")
"""Measures that are no shares."""
NOTHING = Estimate(math.nan, math.nan, math.nan, 0, 0)


class GivenSummary(Struct):
    """All judges from the same information. Values are by measure, judge and topic, in that order."""

    given: Given
    judges: list[str]  # best first
    values: dict[str, dict[str, dict[str, float]]]
    estimates: dict[str, dict[str, Estimate]]
    comparisons: dict[str, dict[str, Comparison]]
    reliability: dict[str, list[ReliabilityBin]]  # judge -> its diagram over the pages of all topics
    answers: dict[str, dict[int, Estimate]]  # judge -> F1 after so many answers
    gains: dict[str, dict[int, Estimate]]  # judge -> what these answers brought, paired by topic
    collection_gains: dict[str, dict[int, Estimate]]  # the same of all pages, answers counted
    chosen: Estimate  # F1 of whichever judge is best on the other topics: see `chosen_elsewhere`
    choices: dict[str, int]  # how often each judge was that

    def of(self, measure: str, judge: str) -> Estimate:
        return self.estimates.get(measure, {}).get(judge, NOTHING)


class JudgeSummary(Struct):
    """Everything a report on judges tells."""

    web: str
    baseline: str
    topics: list[str]
    pages: int  # judged, the most of a topic
    parts: list[GivenSummary]
    thresholds: dict[str, float]
    rows: list[JudgeRow]

    @property
    def judges(self) -> list[str]:
        """In the order of what was given most."""
        return list(dict.fromkeys(judge for part in reversed(self.parts) for judge in part.judges))


def summarise_judges(rows: Sequence[JudgeRow], baseline: str) -> JudgeSummary:
    """The rows must be of one experiment; `baseline` is a label among them, else the first there is takes its part."""
    labels = list(dict.fromkeys(row.judge for row in rows))
    baseline = baseline if baseline in labels else labels[0]
    rows = sorted(rows, key=lambda row: row.topic)  # intervals come from draws by number: same order, same interval
    return JudgeSummary(
        web=rows[0].web,
        baseline=baseline,
        topics=list(dict.fromkeys(row.topic for row in rows)),
        pages=max(row.pages for row in rows),
        parts=[
            summarise_given([row for row in rows if row.given == given], given, baseline)
            for given in GIVEN
            if any(row.given == given for row in rows)
        ],
        thresholds={row.judge: row.threshold for row in rows},
        rows=list(rows),
    )


def summarise_given(rows: Sequence[JudgeRow], given: Given, baseline: str) -> GivenSummary:
    """One way of asking. Where the baseline cannot work from it there are no comparisons."""
    names = [name for name in MEASURES if any(row.figures.get(name) is not None for row in rows)]
    values = {name: _by_judge(rows, name) for name in names}
    estimates = {
        name: {judge: _estimate(name, list(topics.values())) for judge, topics in table.items()}
        for name, table in values.items()
    }
    labels = dict.fromkeys(row.judge for row in rows)

    def standing(judge: str) -> float:
        mean = estimates.get(LEADING, {}).get(judge, NOTHING).mean
        return mean if math.isfinite(mean) else -math.inf

    choices = chosen_elsewhere(values.get(LEADING, {}))
    answers, collections = (
        {judge: _after_answers(rows, judge, f1) for judge in labels} for f1 in (_f1, _collection_f1)
    )
    return GivenSummary(
        given=given,
        judges=sorted(labels, key=standing, reverse=True),
        values=values,
        estimates=estimates,
        comparisons={name: _compared(name, table, baseline) for name, table in values.items() if baseline in table},
        reliability={judge: pooled(row.reliability for row in rows if row.judge == judge) for judge in labels},
        answers={
            judge: {n: _estimate(LEADING, f1) for n, (f1, _) in found.items()} for judge, found in answers.items()
        },
        gains=_gains(answers),
        collection_gains=_gains(collections),
        chosen=_estimate(LEADING, [f1 for _, f1 in choices.values()]),
        choices=dict(Counter(judge for judge, _ in choices.values()).most_common()),
    )


def chosen_elsewhere(values: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[str, float]]:
    """Topic -> the judge that is best on all other topics, and its F1 on this one.

    Who tries ten variants and names the best of them has learned the topics by heart, a little. The mean of these
    is what choosing so brings on topics that had no say in it. `values`: judge -> topic -> F1; ties go by name.
    """
    topics = dict.fromkeys(topic for table in values.values() for topic in table)
    found = {}
    for topic in topics:
        means = {
            judge: float(np.mean(others))
            for judge, table in values.items()
            if math.isfinite(table.get(topic, math.nan))
            and (others := [f1 for name, f1 in table.items() if name != topic and math.isfinite(f1)])
        }
        if means:
            best = min(means, key=lambda judge: (-means[judge], judge))
            found[topic] = best, values[best][topic]
    return found


def _by_judge(rows: Iterable[JudgeRow], name: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        found.setdefault(row.judge, {})[row.topic] = row.number(name)
    return found


AfterAnswers = dict[int, tuple[list[float], list[float]]]
"""Number of answers -> F1 of each topic, and what it is above F1 without any answer."""


def _after_answers(rows: Iterable[JudgeRow], judge: str, f1_of: Callable[[AnswerPoint], float]) -> AfterAnswers:
    found: AfterAnswers = {}
    for row in rows:
        if row.judge != judge or not row.answers:
            continue
        before = f1_of(row.answers[0])
        for point in row.answers:
            f1, gain = found.setdefault(point.answers, ([], []))
            f1.append(f1_of(point))
            gain.append(f1_of(point) - before)
    return found


def _gains(answers: Mapping[str, AfterAnswers]) -> dict[str, dict[int, Estimate]]:
    return {
        judge: {n: gain(mean_with_interval(gained)) for n, (_, gained) in found.items()}
        for judge, found in answers.items()
    }


def _estimate(name: str, values: Sequence[float]) -> Estimate:
    found = mean_with_interval(values)
    return found if name in TIMES else share(found)


def _compared(name: str, values: Mapping[str, Mapping[str, float]], baseline: str) -> dict[str, Comparison]:
    found = compare(values, baseline, better=MEASURES[name].better)
    return found if name in TIMES else share_differences(found)


def _f1(point: AnswerPoint) -> float:
    return math.nan if point.f1 is None else point.f1


def _collection_f1(point: AnswerPoint) -> float:
    return math.nan if point.collection_f1 is None else point.collection_f1


def pooled(diagrams: Iterable[Sequence[ReliabilityBin]], bins: int = 15) -> list[ReliabilityBin]:
    """One diagram of several with bins of equal width: the pages of all."""
    table = np.zeros((bins, 3))
    for diagram in diagrams:
        for each in diagram:
            number = min(bins - 1, int(each.score * bins))
            table[number] += (each.pages, each.pages * each.score, each.pages * each.relevant)
    return [
        ReliabilityBin(float(said / pages), float(true / pages), int(pages)) for pages, said, true in table if pages
    ]
