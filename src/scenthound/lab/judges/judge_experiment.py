"""An experiment with judges: judges x topics x what is given, on one web.

web = ["schools-wikipedia.warc.gz"]         # or: generated = 3000
topics = "topics.jsonl"
judges = ["auto", "keywords", { name = "blocks", mode = "mean" }]
given = ["keywords", "examples"]
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, field

from scenthound import registry
from scenthound.config import Config, CrawlSection, ScopeSection, TopicSection, WeightedTerm
from scenthound.errors import ConfigError
from scenthound.lab.entry_spelling import entry_label, read_entry
from scenthound.lab.topics import LabTopic
from scenthound.lab.web_plan import WebPlan, load_plan

Given = Literal["keywords", "examples"]
GIVEN: tuple[Given, ...] = ("keywords", "examples")

MEANING = {
    "keywords": "from keywords alone",
    "examples": "from keywords, examples and counterexamples",
}


class JudgeEntry(Struct, frozen=True):
    """A judge with its parameters."""

    name: str
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return entry_label(self.name, self.params)

    def entry(self) -> str | dict[str, Any]:
        """As the settings of a crawl name it."""
        return {"name": self.name, **self.params} if self.params else self.name


class JudgeExperiment(WebPlan):
    """Every setting, its default, and what it means; a web and its topics besides."""

    judges: list[str | dict[str, Any]]
    baseline: str = ""  # the judge the others are compared with; the first one where not said
    given: list[Given] = field(default_factory=lambda: list(GIVEN))  # what a judge is told of a topic
    answers: int = 0  # questions a person answers, one after the other, from what is given; 0 = none are asked
    idf: str = "background"

    def entries(self) -> list[JudgeEntry]:
        """The judges, each once; the baseline is among them."""
        given = [*self.judges, *([self.baseline] if self.baseline else [])]
        found = [JudgeEntry(*read_entry(each, "judge")) for each in given]
        return list({each.label: each for each in found}.values())

    def baseline_label(self) -> str:
        return JudgeEntry(*read_entry(self.baseline or self.judges[0], "judge")).label


class Trial(Struct, frozen=True):
    """This judge on this topic, from what is given."""

    judge: JudgeEntry
    topic: LabTopic
    given: Given
    key: str = ""  # what its result is filed under: see `judge_results.trial_key`


def load_judge_experiment(path: Path) -> JudgeExperiment:
    return load_plan(path, JudgeExperiment)


def check(experiment: JudgeExperiment) -> None:
    """Refuses what cannot run, before anything has begun."""
    if not experiment.judges:
        raise ConfigError("No judge was named: give --judges auto,keywords, for example.")
    if not experiment.given:
        raise ConfigError("Say what judges are given: --given keywords,examples.")
    for each in experiment.entries():
        registry.judge.build(each.name, each.params)
    if experiment.answers < 0:
        raise ConfigError("answers must be 0 or more.")
    experiment.check_topics()


def trials_of(experiment: JudgeExperiment, topics: Iterable[LabTopic]) -> list[Trial]:
    """Every trial, topic by topic. A topic without examples is tried by its keywords alone, and the other way round."""
    found = [
        Trial(judge, topic, given)
        for topic in topics
        for given in dict.fromkeys(experiment.given)
        for judge in experiment.entries()
        if (topic.keywords if given == "keywords" else topic.relevant_examples)
    ]
    if not found:
        raise ConfigError(f"No topic has what judges are to be given: {', '.join(experiment.given)}.")
    return found


def settings(experiment: JudgeExperiment, trial: Trial) -> Config:
    """The settings of a crawl whose judge would judge as this one does."""
    topic, shown = trial.topic, trial.given == "examples"
    return Config(
        topic=TopicSection(
            name=topic.name,
            keywords=[WeightedTerm(keyword.term, keyword.weight) for keyword in topic.keywords],
            examples=list(topic.relevant_examples) if shown else [],
            counterexamples=list(topic.irrelevant_examples) if shown else [],
            language=topic.language,
        ),
        crawl=CrawlSection(seeds=list(topic.seeds), judge=trial.judge.entry(), idf=experiment.idf),
        scope=ScopeSection(allow=topic.scope_rule(), deny=topic.deny),
    )
