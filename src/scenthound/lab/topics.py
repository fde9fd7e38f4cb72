"""Topics to experiment on: what a crawl is given, and what it is expected to find.

They come from a file of JSON lines, an object a topic, or from a folder that holds `topic.toml` files, at any depth,
each with the URLs to be found in a `targets.txt` beside it. URLs are brought into canonical form as they are read, so
that a target and a downloaded page are the same when their strings are.

A crawl sees name, keywords, seeds, budget, scope, examples and trails. It never sees `targets`; the lab keeps them to
itself, and leaves the examples out when it counts what was found (`scored_targets`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from scenthound import config, urls
from scenthound.crawler.examples import entries
from scenthound.errors import ConfigError
from scenthound.model import Keyword, Topic

BUDGET = 1000
"""Pages a crawl may download where the topic does not say."""

BACK = "<"
"""The back button, in a trail."""

_PHRASE = re.compile(r'"([^"]+)"|(\S+)')
_DOMAIN = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


class LabTopic(Struct, frozen=True):
    """One topic of an experiment. All URLs are canonical."""

    name: str
    seeds: tuple[str, ...]
    targets: tuple[str, ...]
    keywords: tuple[Keyword, ...] = ()
    web: str = ""  # file name of the recorded web it belongs to; empty = any
    category: str = ""
    language: str = "en"
    pages: int = BUDGET
    scope: tuple[str, ...] = ()  # domains a crawl may visit, subdomains included; empty = anywhere
    allow: str = ""  # a rule as in scope/, from topic.toml, beside `scope`
    deny: str = ""
    relevant_examples: tuple[str, ...] = ()
    irrelevant_examples: tuple[str, ...] = ()
    trails: tuple[tuple[str, ...], ...] = ()  # click paths of people that end at a relevant example; `<` = back
    train_universities: tuple[str, ...] = ()  # whose pages may be used for training, on webkb
    seen: tuple[str, ...] = ()  # in training: what a learner was taught with, it did not find

    def make_topic(self) -> Topic:
        return Topic(name=self.name, keywords=self.keywords, language=self.language)

    def scored_targets(self) -> frozenset[str]:
        """The targets without what a learner was shown: that, it did not find."""
        return frozenset(self.targets).difference(self.relevant_examples, self.irrelevant_examples, self.seen)

    def scope_rule(self) -> str:
        """The domains and `allow` as one rule for `scope.Scope`; empty = everything."""
        domains = " or ".join(f"host:{domain} or host:*.{domain}" for domain in self.scope)
        if domains and self.allow:
            return f"({domains}) and ({self.allow})"
        return domains or self.allow


def load(path: Path) -> list[LabTopic]:
    """The topics of a JSON-lines file, of a folder of `topic.toml`s, or of one `topic.toml`."""
    if path.is_dir():
        topics = read_folder(path)
    elif path.suffix == ".toml":
        topics = [read_toml(path)]
    else:
        topics = read_lines(path)
    _refuse_namesakes(topics, path)
    return topics


# JSON lines


class _TopicLine(Struct):
    """A topic as a line spells it."""

    name: str
    seeds: list[str]
    targets: list[str]
    keywords: str | list[str | config.WeightedTerm] = ""
    web: str = ""
    category: str = ""
    language: str = "en"
    pages: int = BUDGET
    scope: list[str] = []
    relevant_examples: list[str] = []
    irrelevant_examples: list[str] = []
    trails: list[list[str]] = []
    train_universities: list[str] = []


def read_lines(path: Path) -> list[LabTopic]:
    """A topic from each line that is not blank. Keys we do not know are passed over, misspelt ones are not."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # splitlines() also splits at characters JSON may hold
    except FileNotFoundError:
        raise ConfigError(f"There is no file of topics {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The file of topics {path} cannot be read: {error}.") from error
    topics = [_from_line(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not topics:
        raise ConfigError(f"There is no topic in {path}: it needs one JSON object a line.")
    return topics


def _from_line(text: str, where: str) -> LabTopic:
    try:
        data = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise ConfigError(f"{where}: not valid JSON: {error}.") from error
    if not isinstance(data, dict):
        raise ConfigError(f"{where}: a topic is a JSON object, with at least name, seeds and targets.")
    _refuse_misspelt(data, where)
    try:
        line = msgspec.convert(data, _TopicLine)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{where}: {error}.") from error
    if line.pages < 1:
        raise ConfigError(f"{where}: pages, the budget, must be 1 or more.")
    return LabTopic(
        name=_name(line.name, where),
        seeds=_canonical(line.seeds, f"{where}: seeds", needed=True),
        targets=_canonical(line.targets, f"{where}: targets"),
        keywords=_keywords(line.keywords, where),
        web=line.web,
        category=line.category,
        language=line.language,
        pages=line.pages,
        scope=tuple(_domain(domain, where) for domain in line.scope),
        relevant_examples=_canonical(line.relevant_examples, f"{where}: relevant_examples"),
        irrelevant_examples=_canonical(line.irrelevant_examples, f"{where}: irrelevant_examples"),
        trails=tuple(tuple(_trail(trail, f"{where}: trails")) for trail in line.trails),
        train_universities=tuple(line.train_universities),
    )


def _refuse_misspelt(data: dict[str, Any], where: str) -> None:
    known = [field.name for field in msgspec.structs.fields(_TopicLine)]
    for key in data:
        near = get_close_matches(key, known, n=1, cutoff=0.8)
        if near and near[0] not in data:
            raise ConfigError(f"{where}: unknown key {key!r}; did you mean {near[0]!r}?")


def _keywords(given: str | list[str | config.WeightedTerm], where: str) -> tuple[Keyword, ...]:
    """A string is taken as typed into a search box: words, and phrases in quotation marks."""
    if isinstance(given, str):
        given = list(dict.fromkeys(phrase or word for phrase, word in _PHRASE.findall(given)))
    try:
        return config.share_weights(given)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error


def _domain(domain: str, where: str) -> str:
    """The domain as canonical URLs spell it: lower case, punycode."""
    url = urls.canonical(f"http://{domain.strip().removeprefix('*').strip('.')}/")
    host = "" if isinstance(url, urls.Malformed) else urls.host(url)
    if not _DOMAIN.fullmatch(host) or any(mark in domain for mark in "/\\@:?#"):
        raise ConfigError(f"{where}: scope: {domain!r} is no domain; write it as example.org.")
    return host


def _trail(trail: list[str], where: str) -> Iterator[str]:
    for step in trail:
        yield BACK if step == BACK else _canonical([step], where)[0]


# Folders of topic.toml


def read_folder(folder: Path) -> list[LabTopic]:
    """The topics of all `topic.toml`s in the folder and below it, in the order of their paths."""
    found = sorted(folder.rglob("topic.toml"))
    if not found:
        raise ConfigError(f"There is no topic.toml in {folder} or below it.")
    return [read_toml(path) for path in found]


def read_toml(path: Path) -> LabTopic:
    """A topic from its settings; targets from `targets.txt` beside them, a URL a line, else there are none."""
    settings = config.load(path)
    topic, where = settings.make_topic(), str(path)
    targets = path.with_name("targets.txt")
    return LabTopic(
        name=_name(topic.name or path.parent.name, where),
        seeds=_canonical(settings.crawl.seeds, f"{where}: seeds", needed=True),
        targets=_listed([str(targets)] if targets.is_file() else [], path),
        keywords=topic.keywords,
        language=topic.language,
        pages=settings.crawl.pages or BUDGET,
        allow=settings.scope.allow,
        deny=settings.scope.deny,
        relevant_examples=_listed(settings.topic.examples, path),
        irrelevant_examples=_listed(settings.topic.counterexamples, path),
    )


def _listed(given: list[str], path: Path) -> tuple[str, ...]:
    """The URLs of entries and of the files they name. An HTML file is no page of a recorded web."""
    found = []
    for entry in entries(given, path.parent):
        if isinstance(entry, Path):
            raise ConfigError(f"{path}: {entry} is a file; in the lab, examples are URLs of the recorded web.")
        found.append(entry)
    return _canonical(found, str(path))


# Both


def _canonical(given: Iterable[str], where: str, *, needed: bool = False) -> tuple[str, ...]:
    """Canonical URLs, each once, in the order given."""
    found: dict[str, None] = {}
    for url in given:
        usable = urls.canonical(url)
        if isinstance(usable, urls.Malformed):
            raise ConfigError(f"{where}: {url!r} is no usable URL: {usable.reason}.")
        found[usable] = None
    if needed and not found:
        raise ConfigError(f"{where}: give at least one URL to start from.")
    return tuple(found)


def _name(name: str, where: str) -> str:
    if not name.strip():
        raise ConfigError(f"{where}: the topic needs a name.")
    return name.strip()


def _refuse_namesakes(topics: list[LabTopic], path: Path) -> None:
    seen: set[str] = set()
    for topic in topics:
        if topic.name in seen:
            raise ConfigError(f"{path}: two topics are called {topic.name!r}; results could not be told apart.")
        seen.add(topic.name)
