"""One judge on one topic: it begins, hears of the pages a crawl could see, and judges them all.

It is told what a crawl would tell it, by the same means, and never an answer. Pages shown to it as examples are no part
of the exam, nor, so that both sit the same one, of the exam of a judge that was given keywords alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from scenthound import registry
from scenthound.config import Config
from scenthound.crawler import assemble
from scenthound.judges.threshold import threshold_of
from scenthound.lab.judges.judge_experiment import JudgeExperiment, Trial, settings
from scenthound.lab.judges.simulated_answers import AnswerPoint, ExaminedJudge, simulate_answers
from scenthound.lab.judges.web_pages import WebPages
from scenthound.lab.measures import judgements
from scenthound.lab.measures.judgements import ReliabilityBin, Scores, Truth
from scenthound.lab.topics import LabTopic
from scenthound.model import Page
from scenthound.protocols.crawl import Judge, Watches
from scenthound.protocols.hooks import hook


class TrialOutcome(Struct):
    """What came out."""

    threshold: float
    pages: int
    relevant: int
    figures: dict[str, float]
    reliability: list[ReliabilityBin]
    answers: list[AnswerPoint]


class Exam(Struct):
    """The pages of a topic that are judged, and which of them are relevant."""

    pages: list[Page]
    truth: Truth


def exam_of(topic: LabTopic, config: Config, web: WebPages) -> Exam:
    shown = {*topic.relevant_examples, *topic.irrelevant_examples}
    targets = topic.scored_targets()
    pages = [page for url, page in web.in_scope(config).items() if url not in shown]
    return Exam(pages, np.array([page.url in targets for page in pages], dtype=bool))


def try_judge(experiment: JudgeExperiment, trial: Trial, web: WebPages) -> TrialOutcome:
    """A judge that cannot work from what is given raises a ConfigError, as it would before a crawl."""
    config = settings(experiment, trial)
    examples, counterexamples = (
        tuple(page for url in given if (page := web.page(url, trial.topic.language)) is not None)
        for given in (config.topic.examples, config.topic.counterexamples)
    )
    started = time.process_time()
    judge: Judge = assemble.build(
        registry.judge, config.crawl.judge, assemble.make_context(config, examples, counterexamples)
    )
    begun = time.process_time() - started
    exam = exam_of(trial.topic, config, web)  # only now: a judge that refuses to begin costs no reading of the web
    started = time.process_time()
    if (watcher := hook(judge, Watches)) is not None:
        for page in exam.pages:
            watcher.saw(page)
    fitted = time.process_time()
    scores = judge_all(judge, exam.pages)
    judged = time.process_time()
    threshold = threshold_of(config)
    figures = judgements.figures(exam.truth, scores, threshold)
    figures["ms-a-page"] = 1000 * (judged - fitted) / max(1, len(exam.pages))
    figures["fit-seconds"] = begun + fitted - started
    answers: list[AnswerPoint] = []
    if experiment.answers:
        examined = ExaminedJudge(judge, config, examples, counterexamples, threshold)
        answers = simulate_answers(examined, exam.pages, exam.truth, scores, experiment.answers)
    return TrialOutcome(
        threshold=threshold,
        pages=len(exam.pages),
        relevant=int(exam.truth.sum()),
        figures=figures,
        reliability=judgements.reliability(exam.truth, scores),
        answers=answers,
    )


def judge_all(judge: Judge, pages: Sequence[Page]) -> Scores:
    return np.fromiter((judge(page) for page in pages), np.float64, len(pages))
