"""An experiment: strategies x topics x seeds on one web, with everything needed to repeat it.

It is written as TOML, all keys at the top level, or as options of `scenthound lab`:

    web = ["schools-wikipedia.warc.gz"]         # or: generated = 3000
    topics = "topics.jsonl"
    strategies = ["breadth-first", "best-first", { name = "best-n-first", n = 8 }]
    baseline = "breadth-first"

Strategies can also be spelt `best-n-first(n=8)`, which is how they are called in results and reports.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from scenthound import registry
from scenthound.config import Config, CrawlSection, PolitenessSection, ScopeSection, TopicSection, WeightedTerm, named
from scenthound.errors import ConfigError
from scenthound.lab.crawls import oracle
from scenthound.lab.crawls.lab_crawl import lab_settings
from scenthound.lab.topics import LabTopic, load
from scenthound.lab.webs import MadeUpWeb, WebSpec, recorded
from scenthound.protocols.crawl import Trains
from scenthound.protocols.hooks import hook

BOUNDS = (oracle.NAME, "random")
"""What can be known and what luck does: every comparison stands between the two."""

_SPELT = re.compile(r"\s*([^\s(),]+)\s*(?:\(([^()]*)\))?\s*")


class StrategyEntry(Struct, frozen=True):
    """A strategy with its parameters."""

    name: str
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        if not self.params:
            return self.name
        return f"{self.name}({', '.join(f'{key}={_as_text(value)}' for key, value in self.params.items())})"

    def entry(self) -> str | dict[str, Any]:
        """As the settings of a crawl name it."""
        return {"name": self.name, **self.params} if self.params else self.name

    def check(self) -> None:
        """Refuses a strategy that does not exist or has no such parameters, before anything has begun."""
        if self.name != oracle.NAME:
            registry.strategy.build(self.name, self.params)
        elif self.params:
            raise ConfigError("The oracle has no parameters.")


class Experiment(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Every setting, its default, and what it means."""

    strategies: list[str | dict[str, Any]]
    web: list[str] = field(default_factory=list)  # WARC files, or folders that hold some; together they are one web
    generated: int = 0  # pages of a web made up on the spot, instead
    web_seed: int = 1  # the number it grows from
    topics: str = ""  # JSON lines, a topic.toml, or a folder of them; a generated web brings its own
    only: list[str] = field(default_factory=list)  # names of topics, where not all are wanted
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
        """Whether a strategy among them must be trained. Then the pages it is taught with count for none of them."""
        classes = [registry.strategy.get(each.name) for each in self.entries() if each.name != oracle.NAME]
        return any(hook(cls, Trains) is not None and not getattr(cls, "can_do_without", False) for cls in classes)

    def web_spec(self) -> WebSpec:
        if self.generated and self.web:
            raise ConfigError("Give either recorded webs or a generated one, not both.")
        if self.generated:
            return WebSpec(generated=self.generated, seed=self.web_seed)
        return recorded(Path(path) for path in self.web)


class Cell(Struct, frozen=True):
    """One crawl of the experiment: this strategy on this topic with this seed."""

    strategy: StrategyEntry
    topic: LabTopic
    seed: int
    key: str = ""  # what its result is filed under: see `results.cell_key`


def load_experiment(path: Path) -> Experiment:
    """An experiment from its file; paths in it are relative to it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"There is no experiment {path}.") from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error
    known = [each.name for each in msgspec.structs.fields(Experiment)]
    for key in data:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}."
            raise ConfigError(f"{path}: unknown key {key!r}; {hint}")
    try:
        experiment = msgspec.convert(data, Experiment)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {error}") from error
    experiment.web = [str(path.parent / each) for each in experiment.web]
    experiment.topics = str(path.parent / experiment.topics) if experiment.topics else ""
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
    if not 0.0 <= experiment.label_noise <= 1.0:
        raise ConfigError("label_noise must be between 0 and 1.")
    if experiment.topics and experiment.generated:
        raise ConfigError("A generated web brings its own topics; leave --topics out.")
    if not experiment.topics and not experiment.generated:
        raise ConfigError("Say what to look for: --topics FILE, a topic a line, or a folder of topic.tomls.")


def topics_of(experiment: Experiment) -> list[LabTopic]:
    """The topics that belong to the web, with the experiment's budget where it has one."""
    if experiment.generated:
        found = MadeUpWeb(experiment.web_spec()).topics()
    else:
        files = {Path(file).name for file in experiment.web_spec().files}
        found = [topic for topic in load(Path(experiment.topics)) if not topic.web or topic.web in files]
        if not found:
            raise ConfigError(f"No topic in {experiment.topics} belongs to {', '.join(sorted(files))}.")
    if experiment.only:
        found = _chosen(found, experiment.only)
    return [replace(topic, pages=experiment.pages) if experiment.pages else topic for topic in found]


def _chosen(topics: list[LabTopic], wanted: Sequence[str]) -> list[LabTopic]:
    by_name = {topic.name: topic for topic in topics}
    for name in wanted:
        if name not in by_name:
            near = get_close_matches(name, by_name, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(by_name)}."
            raise ConfigError(f"There is no topic called {name!r}. {hint}")
    return [by_name[name] for name in dict.fromkeys(wanted)]


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
    topic, of_pages = cell.topic, experiment.budget == "pages"
    return lab_settings(
        Config(
            topic=TopicSection(
                name=topic.name,
                keywords=[WeightedTerm(keyword.term, keyword.weight) for keyword in topic.keywords],
                examples=list(topic.relevant_examples),
                counterexamples=list(topic.irrelevant_examples),
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


# How strategies are spelt


def strategy_entry(given: str | dict[str, Any]) -> StrategyEntry:
    """`best-n-first(n=8)`, or a table with a name and parameters."""
    if isinstance(given, dict):
        return StrategyEntry(*named(given, "strategy"))
    match = _SPELT.fullmatch(given)
    if match is None:
        raise ConfigError(f"The strategy {given!r} is not spelt like best-first or best-n-first(n=8).")
    name, inside = match.groups()
    return StrategyEntry(name, dict(_param(part, given) for part in (inside or "").split(",") if part.strip()))


def split_list(text: str) -> list[str]:
    """`a,b(n=8,m=2),c` in parts; commas inside brackets belong to the strategy."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", text) if part.strip()]


def _param(text: str, where: str) -> tuple[str, Any]:
    """`n=8` as TOML would read it; what TOML cannot read is a word."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not key or not equals:
        raise ConfigError(f"In {where!r}, {text.strip()!r} is not of the form name=value.")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
