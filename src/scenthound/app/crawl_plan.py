"""What the words after `crawl` mean: which folder, which settings, and whether a crawl starts or goes on.

    a topic in words    keywords, or a sentence; kept in ./crawls/<topic> unless --into says otherwise
    a library folder    goes on there, with the settings of its topic.toml
    a .toml file        its settings; kept beside it if it is called topic.toml, else in ./crawls/<topic>

Options go before what the file says, and the file takes them in once the crawl is under way: it says how the crawl was
made, so that the same can be made again. Seeds given later join those that are there. Comments, order and spelling of
the file are its owner's and stay.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from scenthound import config as toml
from scenthound.app.settings_file import differences, edit_file
from scenthound.app.topic_words import TopicWords, read_words
from scenthound.app.user_input import language_code
from scenthound.config import Config, RenderWhen, named
from scenthound.errors import ConfigError, LibraryMissing, RecordingError
from scenthound.library import is_library
from scenthound.library.folder import OWN
from scenthound.library.library_address import read_address

CRAWLS = Path("crawls")
SETTINGS = "topic.toml"


class CrawlOptions(Struct, frozen=True):
    """The options of `crawl`; None and empty stand for what was not said."""

    seeds: list[str] = field(default_factory=list)
    seeds_file: Path | None = None
    examples: list[str] = field(default_factory=list)
    language: str | None = None
    into: Path | None = None
    pages: int | None = None
    minutes: float | None = None
    until: list[str] = field(default_factory=list)
    confidence: float | None = None
    host_pages: int | None = None
    strategy: str | None = None
    params: list[str] = field(default_factory=list)
    judge: str | None = None
    threshold: float | None = None
    allow: str | None = None
    deny: str | None = None
    want: list[str] = field(default_factory=list)
    only_languages: list[str] = field(default_factory=list)
    delay: float | None = None
    parallel: int | None = None
    contact: str | None = None
    sign: Path | None = None
    logins: list[Path] = field(default_factory=list)
    render: RenderWhen | None = None
    allow_private: bool = False
    replay: list[Path] = field(default_factory=list)
    random_seed: int | None = None
    library: str | None = None


class CrawlPlan(Struct, frozen=True):
    """A crawl decided on."""

    folder: Path
    config: Config  # for this run
    keep: Config | None = None  # of a new crawl: to be written to topic.toml, once it is under way
    words: TopicWords | None = None  # of a new crawl: how its topic was understood
    there: Config | None = None  # of one that goes on: what topic.toml says, without the options

    def shortened(self, pages: int) -> CrawlPlan:
        """The same for a few pages, which topic.toml hears nothing of."""
        config = replace(self.config, crawl=replace(self.config.crawl, pages=pages))
        if self.there is None:
            return replace(self, config=config)
        return replace(self, config=config, there=replace(self.there, crawl=replace(self.there.crawl, pages=pages)))

    def write(self) -> None:
        """Brings topic.toml in line with the crawl: made where there is none, else changed where options were given."""
        path = self.folder / SETTINGS
        if not path.exists():
            if self.keep is not None:
                toml.save(self.keep, path)
        elif self.there is not None and (changes := differences(self.there, self.config)):
            edit_file(path, changes)


def plan_crawl(topic: str, options: CrawlOptions) -> CrawlPlan:
    path = Path(topic).expanduser()
    if path.is_dir() and is_crawl_folder(path):
        return _go_on(path, options)
    if path.is_file() and path.suffix == ".toml":
        return _from_file(path, options)
    if _means_a_path(topic, options):
        what = "is no library: it has no topic.toml" if path.is_dir() else "does not exist"
        raise LibraryMissing(
            f"{topic} {what}. Name a library folder, a topic.toml, or a topic in words with at least one --seed URL."
        )
    return _from_words(topic, options)


def is_crawl_folder(folder: Path) -> bool:
    """Was a crawl into this folder begun, or at least described?"""
    return (folder / SETTINGS).is_file() or is_library(folder)


def _means_a_path(topic: str, options: CrawlOptions) -> bool:
    """`TCP/IP --seed ...` is a topic; `crawls/dengue` without a seed is a folder somebody mistyped."""
    if topic.endswith(".toml") or topic.startswith((".", "~", os.sep)):
        return True
    return os.sep in topic and " " not in topic and not options.seeds and options.seeds_file is None


def _go_on(folder: Path, options: CrawlOptions) -> CrawlPlan:
    if options.into is not None and options.into.resolve() != folder.resolve():
        raise ConfigError(
            f"{folder} is a library already, so --into has no meaning. To start a new crawl with its settings, "
            f"name the file: scenthound crawl {folder / SETTINGS} --into {options.into}"
        )
    if not (folder / SETTINGS).is_file():
        raise ConfigError(
            f"{folder} has lost its topic.toml. Name the topic again: scenthound crawl TOPIC --into {folder}"
        )
    return _going_on(folder, toml.load(folder / SETTINGS), options)


def _going_on(folder: Path, there: Config, options: CrawlOptions) -> CrawlPlan:
    config = apply_options(there, options)
    config.crawl.seeds = list(dict.fromkeys([*there.crawl.seeds, *config.crawl.seeds]))
    return CrawlPlan(folder=folder, config=config, there=there)


def _from_file(path: Path, options: CrawlOptions) -> CrawlPlan:
    settings = toml.load(path)
    if options.into is not None:
        folder = options.into
    elif path.name == SETTINGS:
        folder = path.resolve().parent
        return _going_on(_nearest(folder), settings, options)
    else:
        folder = CRAWLS / (folder_name(settings.topic.name) or folder_name(path.stem) or "crawl")
    return start_or_go_on(folder, apply_options(_rooted(settings, path.parent), options), options)


def _from_words(topic: str, options: CrawlOptions) -> CrawlPlan:
    if (begun := _begun_by_name(" ".join(topic.split()), options)) is not None:
        return begun
    words = read_words(topic, language_code(options.language) if options.language else None)
    settings = Config()
    settings.topic.name = words.name
    settings.topic.keywords = words.keywords
    settings.topic.language = words.language
    folder = options.into or CRAWLS / (folder_name(words.name) or "crawl")
    plan = start_or_go_on(folder, apply_options(settings, options), options)
    return replace(plan, words=words) if plan.keep is not None else plan


def _begun_by_name(topic: str, options: CrawlOptions) -> CrawlPlan | None:
    """A crawl whose topic is called just what was typed goes on, also where a sentence would be understood today."""
    folder = options.into or CRAWLS / (folder_name(topic) or "crawl")
    if topic and (folder / SETTINGS).is_file():
        there = toml.load(folder / SETTINGS)
        if _same(there.topic.name) == _same(topic):
            return _going_on(folder, there, options)
    return None


def start_or_go_on(folder: Path, settings: Config, options: CrawlOptions) -> CrawlPlan:
    """A new crawl; or the same command once more, which goes on."""
    if not (folder / SETTINGS).is_file():
        return CrawlPlan(folder=folder, config=settings, keep=settings)
    there = toml.load(folder / SETTINGS)
    if _same(there.topic.name) != _same(settings.topic.name):
        raise ConfigError(
            f"{folder} holds a crawl about {there.topic.name!r} already. Choose another folder with --into, "
            f"or go on with that one: scenthound crawl {folder}"
        )
    return _going_on(folder, there, options)


def _same(name: str) -> str:
    return " ".join(name.casefold().split())


def _nearest(folder: Path) -> Path:
    """The folder as the user would name it from here."""
    try:
        return folder.relative_to(Path.cwd())
    except ValueError:
        return folder


def _rooted(settings: Config, beside: Path) -> Config:
    """Settings whose example files are found although topic.toml will lie elsewhere."""
    topic = settings.topic
    files = {
        key: [str((beside / entry).resolve()) if (beside / entry).is_file() else entry for entry in getattr(topic, key)]
        for key in ("examples", "counterexamples")
    }
    return replace(settings, topic=replace(topic, **files))


def apply_options(settings: Config, options: CrawlOptions) -> Config:
    """The settings with every option that was given in the place of what they say."""
    topic, crawl = (
        replace(settings.topic),
        _replaced(
            settings.crawl,
            seeds=[*options.seeds, *listed(options.seeds_file)] or None,
            pages=options.pages,
            minutes=options.minutes,
            until=options.until or None,
            confidence=options.confidence,
            judge=options.judge,
            threshold=options.threshold,
            random_seed=options.random_seed,
        ),
    )
    if options.language:
        topic.language = language_code(options.language)
    if options.examples:
        topic.examples = [_example(entry) for entry in options.examples]
    if options.strategy or options.params:
        crawl.strategy = _strategy(crawl.strategy, options)
    return replace(
        settings,
        topic=topic,
        crawl=crawl,
        library=_replaced(settings.library, address=_address(options.library)),
        scope=_replaced(
            settings.scope,
            allow=options.allow,
            deny=options.deny,
            host_pages=options.host_pages,
            want=_listed(options.want),
            languages=_languages(options.only_languages),
        ),
        politeness=_replaced(
            settings.politeness,
            delay=options.delay,
            contact=options.contact,
            sign=_full(options.sign),
        ),
        fetch=_replaced(
            settings.fetch,
            parallel=options.parallel,
            private_addresses=True if options.allow_private else None,
            recorded=_recordings(options.replay) or None,
            logins=[_full(path) for path in options.logins] or None,
            render=options.render,
        ),
    )


def _address(library: str | None) -> str | None:
    """As it is kept; one that cannot be is refused before anything is begun."""
    return library if library in (None, OWN) else str(read_address(library))


def _listed(words: list[str]) -> list[str] | None:
    """`pdf,csv` as a list; None where nothing was said."""
    return [word.strip().lower().lstrip(".") for entry in words for word in entry.split(",") if word.strip()] or None


def _full(path: Path | None) -> str | None:
    """A file in full, because topic.toml lies elsewhere."""
    if path is not None and not path.is_file():
        raise ConfigError(f"There is no file {path}. Check the path.")
    return str(path.resolve()) if path is not None else None


def _languages(words: list[str]) -> list[str] | None:
    return [language_code(word) for word in _listed(words) or ()] or None


def _replaced(section: Any, **values: Any) -> Any:
    return replace(section, **{key: value for key, value in values.items() if value is not None})


def _recordings(given: list[Path]) -> list[str]:
    """Files in full, because topic.toml lies elsewhere; a folder stands for those in it, or for its HTML pages."""
    for path in given:
        if not path.exists():
            raise RecordingError(f"There is no {path} to replay. Check the path.")
    return [str(Path(name).resolve()) for path in given for name in _recordings_at(path)]


def _recordings_at(path: Path) -> tuple[str, ...]:
    # They can read archives, which most plans can do without.
    from scenthound.fetch.import_sources import as_recordings
    from scenthound.fetch.recording import cache_folder
    from scenthound.lab.webs import recorded

    try:
        return recorded([path]).files
    except RecordingError:
        if not path.is_dir():
            raise
        as_recordings(path.absolute(), cache_folder())  # says what is wanted where there are no pages either
        return (str(path),)


def listed(path: Path | None) -> list[str]:
    """URLs of a file, one a line; empty lines and lines that begin with # are skipped."""
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The list {path} cannot be read: {error}.") from error
    seeds = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not seeds:
        raise ConfigError(f"The list {path} names no URL; write one a line.")
    return seeds


def _example(entry: str) -> str:
    """Files are named in full, because topic.toml lies elsewhere."""
    if "://" in entry:
        return entry
    if not Path(entry).is_file():
        raise ConfigError(f"The example {entry!r} is neither a URL nor a file here.")
    return str(Path(entry).resolve())


def _strategy(entry: str | dict[str, Any], options: CrawlOptions) -> str | dict[str, Any]:
    name, params = named(entry, "strategy")
    if options.strategy and options.strategy != name:
        name, params = options.strategy, {}
    params |= dict(parameter(text) for text in options.params)
    return {"name": name, **params} if params else name


def parameter(text: str) -> tuple[str, Any]:
    """`n=10` as TOML would read it; what TOML cannot read is a word."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ConfigError(f"The parameter {text!r} is not of the form name=value, as in --param n=10.")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value


def folder_name(text: str) -> str:
    """A folder name for a topic: `Dengue fever!` is kept in `dengue-fever`."""
    return re.sub(r"[\W_]+", "-", text.casefold()).strip("-")[:60].rstrip("-")
