"""Would other constants of the judge `auto` be better, on topics and webs that had no say in it?

    ./run python benchmarks/judge_constants.py ../shared/data/schools-wikipedia.warc.gz ... --topics topics.jsonl ...

Each constant is tried a step below and a step above, all others as they are, with every topic from keywords alone and
with its examples. F1 is a mean of means: topics of a web, webs, both ways to ask. Two questions are answered then:

- *A topic left out*: which setting is best on all others, and what has it on this one? If that is more than what the
  settings of the program have, they should be changed; if not, their neighbours are better on paper alone.
- *A web left out*: the same with all topics of a web.

Five minutes on two cores with three webs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from types import ModuleType

import numpy as np
from msgspec import Struct
from scipy.sparse import csr_matrix

from scenthound.crawler.context import make_context
from scenthound.judges.auto import FAULTY
from scenthound.lab.judges.judge_experiment import JudgeExperiment, Trial, trials_of
from scenthound.lab.judges.judge_experiment import settings as settings_of
from scenthound.lab.judges.judge_trial import exam_of
from scenthound.lab.judges.web_pages import WebPages
from scenthound.lab.measures import judgements
from scenthound.lab.measures.judgements import Scores
from scenthound.lab.report.tables import markdown_table
from scenthound.lab.topics import load
from scenthound.lab.webs import open_web
from scenthound.learn.relevance import known_pages, relevance_model
from scenthound.learn.relevance.keyword_evidence import PLAINLY, KeywordEvidence
from scenthound.learn.relevance.page_faults import faults
from scenthound.learn.relevance.page_rows import PageRow, page_row
from scenthound.learn.relevance.page_sample import PageSample
from scenthound.learn.relevance.page_words import FIELDS
from scenthound.learn.relevance.relevance_model import RelevanceModel
from scenthound.learn.relevance.word_places import PLACES
from scenthound.model import Page

STEPS: dict[tuple[ModuleType, str], tuple[float, ...]] = {
    (relevance_model, "HALFWAY"): (0.4, 0.5),
    (relevance_model, "MOST_OF_ONE_FIELD"): (2.0, 5.0),
    (relevance_model, "KEYWORDS_WEIGHT"): (1.0, 3.0),
    (relevance_model, "KEYWORDS_TRUST"): (2.0, 8.0),
    (relevance_model, "SAID_PART"): (0.2, 0.4),
    (relevance_model, "REFERENCE_PAGES"): (2, 5),
    (relevance_model, "FARTHEST"): (4.0, 9.0),
    (known_pages, "LIKELY"): (0.5, 0.7),
    (known_pages, "LIKELY_WORTH"): (3, 8),
    (known_pages, "ENOUGH"): (10, 40),
}
AS_IT_IS = "as it is"


class Setting(Struct, frozen=True):
    """One constant that is another one."""

    module: str
    name: str
    value: float

    def __str__(self) -> str:
        return f"{self.name} = {self.value:g}" if self.name else AS_IT_IS


class Case(Struct, frozen=True):
    """A topic of a web, asked in one way."""

    web: str
    topic: str
    given: str


Table = dict[str, dict[Case, float]]


@contextmanager
def changed(setting: Setting) -> Iterator[None]:
    module = {each.__name__: each for each, _ in STEPS}.get(setting.module)
    if module is None:
        yield
        return
    before = getattr(module, setting.name)
    setattr(module, setting.name, setting.value)
    try:
        yield
    finally:
        setattr(module, setting.name, before)


class WebRows:
    """The pages of a web as numbers, once for all topics and settings: one sparse matrix a field, and its squares."""

    def __init__(self, web: str) -> None:
        self.pages = WebPages(open_web(JudgeExperiment(web=[web], topics="", judges=["auto"]).web_spec()))
        self.rows: dict[str, PageRow] = {}

    def row(self, page: Page) -> PageRow:
        if page.url not in self.rows:
            self.rows[page.url] = page_row(page, "en")
        return self.rows[page.url]


class Prepared:
    """What a topic's judge knows whatever the constants: the pages, what they say of the keywords, and the sample."""

    def __init__(self, web: WebRows, experiment: JudgeExperiment, trial: Trial) -> None:
        config = settings_of(experiment, trial)
        self.exam = exam_of(trial.topic, config, web.pages)
        self.rows = [web.row(page) for page in self.exam.pages]
        self.sound = np.array(
            [not faults(page, row, "en") for page, row in zip(self.exam.pages, self.rows, strict=True)]
        )
        context = make_context(config)
        self.evidence = Remembered(KeywordEvidence(context.topic, context.idf))
        sample = PageSample(self.evidence)
        for row in self.rows:
            sample.add(row)
        self.sample = sample.rows()
        self.relevant, self.irrelevant = (
            [web.row(page) for url in urls if (page := web.pages.page(url, "en")) is not None]
            for urls in (config.topic.examples, config.topic.counterexamples)
        )
        self.fields = [_matrix(self.rows, field) for field in range(len(FIELDS))]
        self.said = np.array([self.evidence(row) for row in self.rows])

    def f1(self) -> float:
        """As the constants are now: `Auto` step by step, and all pages at once."""
        known, vouched = known_pages.known_pages(self.relevant, self.irrelevant, self.sample, self.evidence)
        model = relevance_model.fitted(known, self.sample, self.evidence, vouched)
        if model is None:
            scores = np.array([relevance_model.probability(said / PLAINLY) for said in self.said])
        else:
            scores = self._judged(model)
        scores = np.where(self.sound, scores, FAULTY * scores)
        return judgements.figures(self.exam.truth, scores, 0.5)["f1"]

    def _judged(self, model: RelevanceModel) -> Scores:
        totals = model.evidence_share * (self.said - model.evidence_middle) / model.evidence_spread
        for field, (words, squares) in zip(model.fields, self.fields, strict=True):
            idf, weights = np.zeros((2, PLACES))
            idf[field.words.places], weights[field.words.places] = field.words.idf, field.words.weights
            lengths = np.sqrt(np.maximum(squares @ (idf**2), 1e-12))
            totals = totals + field.share * (
                (words @ (idf * weights) / lengths + field.offset - field.middle) / field.spread
            )
        totals = np.array([model.held_out.get(row.url, total) for row, total in zip(self.rows, totals, strict=True)])
        learned = (1 - model.said) * (totals - model.ordinary) / (model.reference - model.ordinary)
        positions = learned + model.said * self.said / model.most_said
        return np.array([relevance_model.probability(position, model.halfway) for position in positions])


class Remembered(KeywordEvidence):
    """The evidence of a page does not change with the constants that are tried."""

    def __init__(self, evidence: KeywordEvidence) -> None:
        self.__dict__.update(evidence.__dict__)
        self._known: dict[str, float] = {}

    def __call__(self, row: PageRow) -> float:
        if row.url not in self._known:
            self._known[row.url] = super().__call__(row)
        return self._known[row.url]


def _matrix(rows: Sequence[PageRow], field: int) -> tuple[csr_matrix, csr_matrix]:
    words = [row.fields[field] for row in rows]
    starts = np.cumsum([0, *(len(each.places) for each in words)])
    values = np.concatenate([each.values for each in words])
    places = np.concatenate([each.places for each in words])
    shape = (len(rows), PLACES)
    return csr_matrix((values, places, starts), shape), csr_matrix((values**2, places, starts), shape)


def tried(web: str, topics: str, names: Sequence[str], settings: Sequence[Setting]) -> list[tuple[Case, list[float]]]:
    """F1 of these topics with each setting."""
    rows = WebRows(web)
    experiment = JudgeExperiment(web=[web], topics=topics, judges=["auto"])
    found = []
    for topic in load(Path(topics)):
        if topic.web != Path(web).name or topic.name not in names:
            continue
        for trial in trials_of(experiment, [topic]):
            prepared = Prepared(rows, experiment, trial)
            f1 = []
            for setting in settings:
                with changed(setting):
                    f1.append(prepared.f1())
            found.append((Case(Path(web).name.partition(".")[0], topic.name, trial.given), f1))
    return found


def measured(webs: Sequence[str], topics: Sequence[str], settings: Sequence[Setting], jobs: int) -> Table:
    table: Table = {str(setting): {} for setting in settings}
    with ProcessPoolExecutor(jobs) as pool:
        waiting = []
        for web in webs:
            for path in topics:
                names = [topic.name for topic in load(Path(path)) if topic.web == Path(web).name]
                for part in range(jobs) if names else ():
                    waiting.append(pool.submit(tried, web, path, names[part::jobs], settings))
        for number, future in enumerate(waiting, 1):
            for case, values in future.result():
                for setting, f1 in zip(settings, values, strict=True):
                    table[str(setting)][case] = f1
            print(f"part {number} of {len(waiting)}", file=sys.stderr, flush=True)
    return table


def mean(f1: dict[Case, float], without: Callable[[Case], bool] = lambda case: False) -> float:
    """Of each web and way to ask alike, however many topics it has."""
    groups: dict[tuple[str, str], list[float]] = {}
    for case, value in f1.items():
        if not without(case):
            groups.setdefault((case.web, case.given), []).append(value)
    return fmean(map(fmean, groups.values()))


def of(f1: dict[Case, float], web: str, given: str) -> float:
    return fmean(value for case, value in f1.items() if (case.web, case.given) == (web, given))


def left_out(table: Table, group: Callable[[Case], tuple[str, ...]]) -> tuple[dict[Case, float], Counter[str]]:
    """F1 of every case by the setting that is best on the cases of all other groups, and which these were."""
    found: dict[Case, float] = {}
    choices: Counter[str] = Counter()
    for left in dict.fromkeys(map(group, table[AS_IT_IS])):

        def elsewhere(name: str, left: tuple[str, ...] = left) -> float:
            return mean(table[name], lambda one: group(one) == left)

        best = max(table, key=elsewhere)
        choices[best] += 1
        found |= {case: f1 for case, f1 in table[best].items() if group(case) == left}
    return found, choices


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("webs", nargs="+")
    parser.add_argument("--topics", nargs="+", required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    settings = [Setting("", "", 0.0)]
    settings += [Setting(module.__name__, name, value) for (module, name), steps in STEPS.items() for value in steps]
    table = measured(given.webs, given.topics, settings, given.jobs)
    told(table)


def told(table: Table) -> None:
    """What choosing brings on topics and webs left out; then every setting by itself."""
    lines = [[AS_IT_IS, f"{mean(table[AS_IT_IS]):.4f}", ""]]
    best = max(table, key=lambda name: mean(table[name]))
    lines.append(["the best of all, on the topics it was chosen by", f"{mean(table[best]):.4f}", best])
    for what, group in (("topic", lambda case: (case.web, case.topic)), ("web", lambda case: (case.web,))):
        chosen, choices = left_out(table, group)
        names = ", ".join(f"{name} ({times})" for name, times in choices.most_common())
        lines.append([f"chosen with a {what} left out, measured on that {what}", f"{mean(chosen):.4f}", names])
    print("\n".join(markdown_table(["", "F1, mean of webs and ways to ask", "which it is"], lines)) + "\n")
    webs = list(dict.fromkeys((case.web, ask) for ask in ("keywords", "examples") for case in table[AS_IT_IS]))
    settings = [
        [name, f"{mean(f1):.4f}", *(f"{of(f1, *each):.3f}" for each in webs)]
        for name, f1 in sorted(table.items(), key=lambda row: -mean(row[1]))
    ]
    print("\n".join(markdown_table(["setting", "mean", *(f"{web}, {ask}" for web, ask in webs)], settings)))


if __name__ == "__main__":
    main()
