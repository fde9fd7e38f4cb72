"""An experiment: strategies x topics x seeds on one web, with everything needed to repeat it.

It is written as TOML, all keys at the top level, or as options of `scenthound lab`:

    web = ["schools-wikipedia.warc.gz"]         # or: generated = 3000
    topics = "topics.jsonl"
    strategies = ["breadth-first", "best-first", { name = "best-n-first", n = 8 }]
    baseline = "breadth-first"

Strategies can also be spelt `best-n-first(n=8)`, which is how they are called in results and reports.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from scenthound import registry
from scenthound.config import Config, CrawlSection, PolitenessSection, ScopeSection, TopicSection, WeightedTerm, named
from scenthound.errors import ConfigError
from scenthound.lab.crawls import oracle
from scenthound.lab.crawls.lab_crawl import lab_settings
from scenthound.lab.entry_spelling import entry_label, read_entry
from scenthound.lab.topics import LabTopic
from scenthound.lab.web_plan import WebPlan, load_plan
from scenthound.protocols.crawl import Trains
from scenthound.protocols.hooks import hook

BOUNDS = (oracle.NAME, "random")
"""What can be known and what luck does: every comparison stands between the two."""


Help = Literal["", "keywords", "examples", "lessons"]
"""What a crawl is told of its topic, each more than the one before. "": examples, and lessons where a strategy must be
taught."""


class StrategyEntry(Struct, frozen=True):
    """A strategy with its parameters."""

    name: str
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return entry_label(self.name, self.params)

    def entry(self) -> str | dict[str, Any]:
        """As the settings of a crawl name it."""
        return {"name": self.name, **self.params} if self.params else self.name

    def check(self) -> None:
        """Refuses a strategy that does not exist or has no such parameters, before anything has begun."""
        if self.name != oracle.NAME:
            registry.strategy.build(self.name, self.params)
        elif self.params:
            raise ConfigError("The oracle has no parameters.")


class Experiment(WebPlan):
    """Every setting, its default, and what it means; a web and its topics besides."""

    strategies: list[str | dict[str, Any]]
    baseline: str = ""  # the strategy the others are compared with; the first one where not said
    bounds: bool = True  # also run `oracle` and `random`
    seeds: int = 1  # how often each crawl is repeated, with random seeds 1, 2, ...
    pages: int = 0  # budget of a crawl; 0 = the topic's own
    budget: Literal["pages", "requests"] = "pages"  # what the budget counts: pages that came, or every request
    host_pages: int = 0  # pages per host at most; 0 = no limit
    judge: str | dict[str, Any] = "auto"
    idf: str = "background"
    threshold: float | None = None  # None: the judge's own
    rebuild_topic: int = 0  # after every so many relevant pages, the keywords are rebuilt from these; 0 = never
    given: Help = ""  # how much help all strategies have
    labels: str = ""  # classes of pages to train on, tab-separated; webkb-labels.tsv beside webkb.warc.gz is found
    label_noise: float = 0.0  # share of the training pages whose state is wrong: how much do learners mind?
    store: bool = False  # crawl into a real library, to have the cost of storing measured

    def entries(self) -> list[StrategyEntry]:
        """The strategies, bounds included, each once; the baseline is among them."""
        given = [strategy_entry(each) for each in self.strategies]
        if self.baseline:
            given.append(strategy_entry(self.baseline))
        if self.bounds:
            given.extend(StrategyEntry(name) for name in BOUNDS)
        return list({each.label: each for each in given}.values())

    def baseline_label(self) -> str:
        return strategy_entry(self.baseline or self.strategies[0]).label

    def learns(self) -> bool:
        """Whether there are lessons. Then the pages of these count for no strategy."""
        return self.given == "lessons" or (not self.given and bool(self.pupils()))

    def pupils(self) -> list[str]:
        """The strategies that must be taught."""
        classes = {name: registry.strategy.get(name) for each in self.entries() if (name := each.name) != oracle.NAME}
        return [
            name
            for name, cls in classes.items()
            if hook(cls, Trains) is not None and not getattr(cls, "can_do_without", False)
        ]


class Cell(Struct, frozen=True):
    """One crawl of the experiment: this strategy on this topic with this seed."""

    strategy: StrategyEntry
    topic: LabTopic
    seed: int
    key: str = ""  # what its result is filed under: see `results.cell_key`


def load_experiment(path: Path) -> Experiment:
    """An experiment from its file; paths in it are relative to it."""
    experiment = load_plan(path, Experiment)
    experiment.labels = str(path.parent / experiment.labels) if experiment.labels else ""
    return experiment


def check(experiment: Experiment) -> None:
    """Refuses what cannot run, before anything has begun."""
    if not experiment.strategies:
        raise ConfigError("No strategy was named: give --strategies breadth-first,best-first, for example.")
    for each in experiment.entries():
        each.check()
    registry.judge.build(*named(experiment.judge, "judge"))
    for name, value, least in (
        ("seeds", experiment.seeds, 1),
        ("pages", experiment.pages, 0),
        ("rebuild_topic", experiment.rebuild_topic, 0),
    ):
        if value < least:
            raise ConfigError(f"{name} must be {least} or more.")
    if experiment.given in ("keywords", "examples") and (pupils := experiment.pupils()):
        raise ConfigError(f"{', '.join(pupils)} must be taught, and {experiment.given} do not: --given lessons.")
    if not 0.0 <= experiment.label_noise <= 1.0:
        raise ConfigError("label_noise must be between 0 and 1.")
    experiment.check_topics()


def topics_of(experiment: Experiment) -> list[LabTopic]:
    """The topics that belong to the web, with the experiment's budget where it has one."""
    found = experiment.lab_topics()
    return [replace(topic, pages=experiment.pages) if experiment.pages else topic for topic in found]


def cells_of(experiment: Experiment, topics: Iterable[LabTopic]) -> list[Cell]:
    """Every crawl, topic by topic, so that crawls which meet the same pages are neighbours."""
    strategies = experiment.entries()
    return [
        Cell(strategy, topic, seed)
        for topic in topics
        for seed in range(1, experiment.seeds + 1)
        for strategy in strategies
    ]


def settings(experiment: Experiment, cell: Cell) -> Config:
    """The settings of one crawl: the topic's own scope and budget, the defaults of every crawl otherwise."""
    topic, of_pages, shown = cell.topic, experiment.budget == "pages", experiment.given != "keywords"
    return lab_settings(
        Config(
            topic=TopicSection(
                name=topic.name,
                keywords=[WeightedTerm(keyword.term, keyword.weight) for keyword in topic.keywords],
                examples=list(topic.relevant_examples) if shown else [],
                counterexamples=list(topic.irrelevant_examples) if shown else [],
                language=topic.language,
            ),
            crawl=CrawlSection(
                seeds=list(topic.seeds),
                strategy=cell.strategy.entry(),
                judge=experiment.judge,
                idf=experiment.idf,
                pages=topic.pages if of_pages else 0,
                requests=0 if of_pages else topic.pages,
                threshold=experiment.threshold,
                rebuild_topic=experiment.rebuild_topic,
                random_seed=cell.seed,
            ),
            scope=ScopeSection(allow=topic.scope_rule(), deny=topic.deny, host_pages=experiment.host_pages),
            politeness=PolitenessSection(),
        )
    )


def strategy_entry(given: str | dict[str, Any]) -> StrategyEntry:
    """`best-n-first(n=8)`, or a table with a name and parameters."""
    return StrategyEntry(*read_entry(given, "strategy"))
