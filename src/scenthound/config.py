"""Every setting of a crawl, its default, and what it means: the shape of `topic.toml`.

A key that is not listed here is refused, and the nearest known one is named. So is a value that cannot be meant,
whether it comes from a file or from a program that makes a `Config` of its own.
"""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import msgspec
import tomli_w
from msgspec import Struct, field

from scenthound.errors import MOST_REPEATED, ConfigError, shown
from scenthound.model import Keyword, Topic

MANY, YEAR, DAY = 1_000_000_000, 527_040.0, 86_400.0  # things; minutes; seconds
BYTES = 1_000_000_000_000
LEVELS_ABOVE = 4  # a folder in which files are looked for that its settings name

RenderWhen = Literal["never", "auto", "always"]

RANGES: dict[str, tuple[float, float]] = {
    # crawl
    "pages": (0, MANY),
    "requests": (0, MANY),
    "minutes": (0, YEAR),
    "confidence": (0.5, 0.999),
    "sample": (0.01, 0.5),
    "threshold": (0, 1),
    "rebuild_topic": (0, MANY),
    "depth": (0, MANY),
    "frontier_limit": (0, MANY),
    "random_seed": (-(2**63), 2**63 - 1),
    "parsers": (-1, 256),
    # scope
    "host_pages": (0, MANY),
    # politeness
    "delay": (0, DAY),
    "connections": (1, 1_000_000),
    "max_crawl_delay": (0, DAY),
    # fetch
    "parallel": (1, 10_000),
    "connect_timeout": (0.01, DAY),
    "read_timeout": (0.01, DAY),
    "total_timeout": (0.01, DAY),
    "max_bytes": (1, BYTES),
    "max_redirects": (0, 100),
    "retries": (0, 20),
    "backoff": (0, DAY),
    "render_seconds": (1, 600),
    "render_megabytes": (100, 100_000),
    # library
    "warc_bytes": (1, BYTES),
    # sites
    "p_threshold": (0.5, 1),
    "l_threshold": (0, MANY),
    "c": (1, MANY),
    "site_pages": (1, MANY),
    "active": (1, 10_000),
    "p_err": (0, 1),
    "enough": (0, MANY),
    "pprs": (0, MANY),
    "pprs_window": (1, MANY),
}
"""Of every setting that is a number: the least and the greatest it may be. Not a number and infinity never are."""


def range_text(name: str) -> str:
    """As a person reads it: `from 1 to 10,000`."""
    least, most = (f"{bound:,}" if isinstance(bound, int) else f"{bound:,g}" for bound in RANGES[name])
    return f"from {least} to {most}"


_PASSWORD = re.compile(r"(\s*https?:[/\\]*)[^/\\?#\s]*@", re.IGNORECASE)


def without_password(entry: Any) -> Any:
    """A URL without `user:password@`. It is not sent to anybody, and settings are kept, shown and handed on."""
    return _PASSWORD.sub(r"\1", entry, count=1) if isinstance(entry, str) and _PASSWORD.match(entry) else entry


class Section(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A table of `topic.toml`. Its values are checked when it is made."""

    def __post_init__(self) -> None:
        for setting in msgspec.structs.fields(type(self)):
            value = getattr(self, setting.name)
            try:
                msgspec.convert(value, setting.type)
            except msgspec.ValidationError as error:
                raise ConfigError(f"{setting.name} = {shown(value)} cannot be meant: {error}.") from None
            if isinstance(value, dict):
                _check_table(setting.name, value)
            if isinstance(value, list):
                setattr(self, setting.name, [without_password(one) for one in value])
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                least, most = RANGES[setting.name]
                if not least <= value <= most:
                    wanted = range_text(setting.name)
                    raise ConfigError(f"{setting.name} = {shown(value)} cannot be meant: it must be {wanted}.")

    def check(self) -> None:
        """Again, after values were set one by one."""
        self.__post_init__()


def _check_table(name: str, table: dict[str, Any]) -> None:
    """Parameters of a strategy or judge: their ranges are its own business, but a number must be one."""
    for key, value in table.items():
        if isinstance(value, dict):
            _check_table(f"{name}.{key}"[:MOST_REPEATED], value)
        elif isinstance(value, float) and not isfinite(value):
            raise ConfigError(f"{name}.{key[:MOST_REPEATED]} = {value!r} cannot be meant: it must be a number.")


class WeightedTerm(Struct, forbid_unknown_fields=True):
    term: str
    weight: float


class TopicSection(Section):
    name: str = ""  # what the crawl is about; stands in for keywords where there are none
    # Words and phrases; a plain string shares what weight is left over equally.
    keywords: list[str | WeightedTerm] = field(default_factory=list)
    # Pages known to be relevant: URLs (`auto` starts there, too), HTML files, or files that list such, one a line.
    examples: list[str] = field(default_factory=list)
    counterexamples: list[str] = field(default_factory=list)  # pages known not to be relevant, likewise
    language: str = "en"  # of the keywords, and of pages that do not say theirs; a new topic in words has it recognised
    # What words mean, for strategies that ask: wordnet (where empty), a SKOS or OWL file, or "ferns.ttl + wordnet"
    ontology: str = ""
    # What the editors of a directory say of the topic and its pages; `topic --directory` writes it
    description: str = ""


class CrawlSection(Section):
    seeds: list[str] = field(default_factory=list)  # pages to start from
    # A name, or a table with a name and the strategy's parameters: { name = "best-n-first", n = 10 }
    strategy: str | dict[str, Any] = "auto"
    # Follow links of irrelevant pages only after all others, and so deep: { max_level = 3 }; see strategies.md
    tunnel: dict[str, Any] = field(default_factory=dict)
    # How relevance is told, by a name of the table of judges; auto: as a probability, from whatever is known
    judge: str | dict[str, Any] = "auto"
    idf: str = "background"  # how rare words count more: background (of the language), examples, none
    pages: int = 1000  # stop after this many fetched pages; 0 = no limit
    requests: int = 0  # stop after this many requests for pages, failed ones included; 0 = no limit
    minutes: float = 0.0  # stop after this time; 0 = no limit
    # Stop when it is enough: "recall=0.9" of the relevant pages that can be reached, by an estimate; "harvest=0.05":
    # fewer relevant ones than that share among the last pages; see stopping.md
    until: list[str] = field(default_factory=list)
    confidence: float = 0.95  # with which recall is to be reached
    sample: float = 0.1  # share of pages drawn at random from all that wait, where recall is estimated
    threshold: float | None = None  # relevance from which a page counts as found; where it is not set, the judge's own
    rebuild_topic: int = 0  # after every so many relevant pages, add keywords that tell most about these; 0 = never
    depth: int = 0  # hops from a seed at most; 0 = no limit
    ascend: bool = False  # also try the folders above each page: /a/b/c.html -> /a/b/, /a/, /
    sitemaps: bool = False  # also ask hosts with a relevant page for their sitemaps
    feeds: bool = False  # also ask for the feeds that relevant pages name
    forms: bool = False  # also ask the search forms of hosts with relevant pages (GET) for keywords
    frontier_limit: int = 0  # keep only that many waiting links and forget the rest (Liu: 500); 0 = no limit
    random_seed: int = 0  # same seed, same web, same crawl
    # Processes that parse large pages, and others once they come in faster than they are read; -1: one a spare core;
    # 0: one, for large pages alone
    parsers: int = -1


class ScopeSection(Section):
    allow: str = ""  # only links for which this rule holds are followed; empty = all
    deny: str = ""  # and none for which this one holds
    host_pages: int = 0  # pages per host at most; 0 = no limit
    html_only: bool = True  # refuse URLs whose ending says that they are no page: .pdf, .jpg, .zip
    # Files to take in beside web pages, by their endings or kinds: ["pdf", "csv"], ["document", "data"]
    want: list[str] = field(default_factory=list)
    # Only pages in these languages count, and links are followed that lead to some, as far as one can tell: ["ja"]
    languages: list[str] = field(default_factory=list)
    traps: bool = True  # refuse calendars, growing paths and other spaces without end
    mirrors: bool = True  # refuse hosts whose pages are those of another host once more


class PolitenessSection(Section):
    delay: float = 1.0  # seconds between the end of a request to a host and the next
    connections: int = 1  # requests to one host at once
    robots: bool = True  # obey robots.txt
    nofollow: bool = True  # obey rel=nofollow and pages that ask not to be followed
    max_crawl_delay: float = 60.0  # a robots.txt that asks for more gets this
    contact: str = ""  # a URL or mail address of the operator, sent with every request
    agent: str = "Scenthound"  # the name robots.txt files know us by
    sign: str = ""  # file of an Ed25519 key with which every request is signed, for servers that want to know who asks
    signature_agent: str = ""  # https://host where the public half of that key is published; see `identity`


def without_manners(politeness: PolitenessSection) -> PolitenessSection:
    """For a web that is replayed: no server is asked, none needs a pause, and a batch may come from one host."""
    return msgspec.structs.replace(politeness, delay=0.0, robots=False, connections=1_000_000)


class FetchSection(Section):
    parallel: int = 32  # requests under way at once, over all hosts
    connect_timeout: float = 10.0  # seconds
    read_timeout: float = 10.0  # between two pieces of the answer
    total_timeout: float = 30.0  # for the whole answer
    max_bytes: int = 5_000_000  # of a page, as received and as unpacked
    max_redirects: int = 10  # in a row
    retries: int = 2  # of a request that failed in a way that may pass
    backoff: float = 5.0  # seconds before the first retry; doubles each time
    cookies: bool = False  # send back what servers set
    logins: list[str] = field(default_factory=list)  # files of cookies and headers for hosts that want them
    private_addresses: bool = False  # may loopback, private and link-local addresses be asked?
    recorded: list[str] = field(default_factory=list)  # WARC files to crawl in place of the live web
    either_scheme: bool = True  # what is recorded under http answers for https, and the other way round
    # Who answers in place of the network: a fetcher of a plug-in, by its name, or a table with a name and parameters
    fetcher: str | dict[str, Any] = ""
    # Whether scripts of pages run, in a Chromium of this machine: of pages that show nothing without (auto), of all
    render: RenderWhen = "never"
    render_seconds: float = 30.0  # for the scripts of one page, pauses between their requests included
    render_megabytes: int = 1000  # of memory for the scripts of one page; one that takes more is given up
    demo: bool = False  # crawl the built-in web in place of the live one


class LibrarySection(Section):
    address: str = ""  # keep it in PostgreSQL, as in postgresql://localhost/crawls#ferns; empty: in the folder
    warc: bool = True  # keep every answer as it came
    # Keep text and answer of pages that ask not to be indexed, too: for archives that have the right to. Without it
    # they are judged and their links followed, and that is all; `status` says how many they are
    keep_noindex: bool = False
    warc_bytes: int = 1_000_000_000  # a WARC file is closed and the next begun at this size


class SitesSection(Section):
    # What a site is: a host, a registered domain with all its hosts, or a host and the first part of the path
    kind: Literal["host", "domain", "folder"] = "host"
    relevant: list[str] = field(default_factory=list)  # sites known to be relevant, to learn from: URLs
    other: list[str] = field(default_factory=list)  # and sites known not to be
    # Which site is next, by those that link to it: their confidence (global), that of the pages with the link (local),
    # the mean of both (combined), or what their links brought so far (bandit)
    weight: Literal["global", "local", "combined", "bandit"] = "combined"
    p_threshold: float = 0.9  # a site is classified when one class is as likely as this
    l_threshold: float = 5.0  # and left when its LinkRank has reached this: enough links to other sites are known
    c: float = 1.0  # what every page adds to the LinkRank, whatever its links; at least 1
    site_pages: int = 25  # requests to one site at most
    active: int = 8  # sites looked at at once
    p_err: float = 0.1  # share of pages misjudged, where there are no training sites to measure it on
    enough: int = 0  # end when so many relevant sites are known; 0 = however many there are
    pprs: float = 0.0  # end when a relevant site takes more pages than this, over the last pprs_window pages; 0 = never
    pprs_window: int = 1000  # pages over which that rate is taken
    # Exactly as Ester et al. have it: training sites alone say what is relevant, classes are not brought into balance,
    # and the share of relevant sites so far is a prior without bound
    published: bool = False


class Config(Section):
    """All settings of a crawl, a section each."""

    topic: TopicSection = field(default_factory=TopicSection)
    crawl: CrawlSection = field(default_factory=CrawlSection)
    scope: ScopeSection = field(default_factory=ScopeSection)
    politeness: PolitenessSection = field(default_factory=PolitenessSection)
    fetch: FetchSection = field(default_factory=FetchSection)
    library: LibrarySection = field(default_factory=LibrarySection)
    sites: SitesSection = field(default_factory=SitesSection)

    def check(self) -> None:
        for section in msgspec.structs.fields(type(self)):
            getattr(self, section.name).check()

    def make_topic(self) -> Topic:
        """The topic the sections describe, weights made to sum to 1."""
        return Topic(
            name=self.topic.name,
            keywords=share_weights(self.topic.keywords or ([self.topic.name] if self.topic.name else [])),
            language=self.topic.language,
            description=self.topic.description,
        )


def share_weights(entries: list[str | WeightedTerm]) -> tuple[Keyword, ...]:
    """Weights as given; what is left of 1 is shared equally by terms without one; then scaled to sum to 1."""
    given = {entry.term: entry.weight for entry in entries if isinstance(entry, WeightedTerm)}
    if not all(0 < weight <= MANY for weight in given.values()):
        raise ConfigError(f"A keyword's weight must be above 0, and {MANY:,} at most.")
    plain = [entry for entry in entries if isinstance(entry, str)]
    rest = 1.0 - sum(given.values())
    if plain and rest <= 0:
        raise ConfigError(
            "The weighted keywords use up the whole weight of 1; give every keyword a weight, or lower them."
        )
    weights = given | {term: rest / len(plain) for term in plain}
    total = sum(weights.values())
    return tuple(Keyword(term=term, weight=weight / total) for term, weight in weights.items())


def named(entry: str | dict[str, Any], what: str) -> tuple[str, dict[str, Any]]:
    """Name and parameters of `strategy = "x"` or `strategy = { name = "x", n = 10 }`."""
    if isinstance(entry, str):
        return entry, {}
    params = dict(entry)
    name = params.pop("name", None)
    if not isinstance(name, str):
        raise ConfigError(f'A {what} given as a table needs a name: {what} = {{ name = "...", ... }}')
    return name, params


def load(path: Path) -> Config:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"There is no {path}.") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}.") from error
    except RecursionError:
        raise ConfigError(f"{path} is not valid TOML: tables within tables without end.") from None
    except ValueError as error:  # no TOML, no UTF-8, a number of thousands of digits
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error
    return _with_files(from_dict(data, str(path)), path.parent)


def _with_files(config: Config, folder: Path) -> Config:
    """With the files it names where they are now: settings may be copied, and what they name with them."""
    config.fetch.recorded = [found_again(entry, folder) for entry in config.fetch.recorded]
    config.fetch.logins = [found_again(entry, folder) for entry in config.fetch.logins]
    config.politeness.sign = found_again(config.politeness.sign, folder) if config.politeness.sign else ""
    for entries in (config.topic.examples, config.topic.counterexamples):
        entries[:] = [found_again(entry, folder) if Path(entry).is_absolute() else entry for entry in entries]
    return config


def found_again(entry: str, folder: Path) -> str:
    """Where a file is that the settings in a folder name: as written, or where it lies beside the folder today.

    A path that leads nowhere any more is tried from its end, `web.warc.gz`, then `data/web.warc.gz` and so on, in the
    folder and those above it. One that is found nowhere stays as it is, for whoever needs it to complain.
    """
    path = Path(entry)
    if path.is_absolute() and path.exists():
        return entry
    ends = [path] if not path.is_absolute() else [Path(*path.parts[-n:]) for n in range(len(path.parts) - 1, 0, -1)]
    here = folder.absolute()
    for above in (here, *list(here.parents)[:LEVELS_ABOVE]):
        for end in ends:
            if (above / end).exists():
                return str(above / end)
    return entry


def from_dict(data: dict[str, Any], where: str = "settings") -> Config:
    _refuse_unknown(data, where)
    try:
        return msgspec.convert(data, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{where}: {error}") from error


def from_stored(text: str) -> Config:
    """Settings that a library has stored, whatever version wrote them: what cannot be meant here is the default."""
    try:
        return msgspec.json.decode(text, type=Config)
    except (msgspec.MsgspecError, ConfigError):
        pass
    stored = msgspec.json.decode(text)
    known: dict[str, dict[str, Any]] = {}
    for section in msgspec.structs.fields(Config):
        given = stored.get(section.name, {}) if isinstance(stored, dict) else {}
        known[section.name] = {key: value for key, value in given.items() if _is_usable(section.type, key, value)}
    return msgspec.convert(known, Config)


def _is_usable(section: type[Section], key: str, value: Any) -> bool:
    try:
        msgspec.convert({key: value}, section)
    except (msgspec.ValidationError, ConfigError):
        return False
    return True


def save(config: Config, path: Path) -> None:
    path.write_text(tomli_w.dumps(msgspec.to_builtins(config)), encoding="utf-8")


def _refuse_unknown(data: dict[str, Any], where: str) -> None:
    sections = {info.name: info.type for info in msgspec.structs.fields(Config)}
    for section, content in data.items():
        _check_key(section, list(sections), where, "section")
        if isinstance(content, dict):
            known = [info.name for info in msgspec.structs.fields(sections[section])]
            for key in content:
                _check_key(key, known, f"{where}, [{section}]", "key")


def _check_key(key: str, known: list[str], where: str, noun: str) -> None:
    if key not in known:
        near = get_close_matches(key, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}."
        raise ConfigError(f"{where}: unknown {noun} {shown(key)}; {hint}")
