"""What a crawl is about, worked out from pages and written to its topic.toml."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from heapq import nlargest
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from scenthound import config as toml
from scenthound.app.crawl_plan import SETTINGS, is_crawl_folder
from scenthound.app.settings_file import Changes, edited
from scenthound.config import Config, TopicSection, WeightedTerm, share_weights
from scenthound.crawler import examples
from scenthound.crawler.assemble import canonical_seeds
from scenthound.errors import ConfigError, LibraryMissing
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.library import open_library
from scenthound.library.stored_pages import text_copy
from scenthound.model import Keyword, Page
from scenthound.text import idf, topics, web_directory

MOST_FOUND = 200
"""Pages of a library that are read for `--from-found`, the most relevant first."""

EXAMPLES = "examples.txt"
DIGITS = 3  # of a weight


class TopicOptions(Struct, frozen=True):
    """The options of `topic`."""

    folder: Path
    pages: list[str] = field(default_factory=list)
    found: bool = False
    directory: Path | None = None
    category: str = ""
    keywords: list[str] = field(default_factory=list)
    terms: int = 20
    name: str | None = None
    seeds: list[str] = field(default_factory=list)
    language: str | None = None
    keywords_only: bool = False
    replay: list[Path] = field(default_factory=list)

    def works_out(self) -> bool:
        return bool(self.pages or self.found or self.directory)

    def changes(self) -> bool:
        return bool(self.works_out() or self.keywords or self.name or self.seeds or self.language)


def read_topic(folder: Path) -> Config:
    path = folder / SETTINGS
    if not path.is_file():
        raise LibraryMissing(
            f"{folder} has no topic.toml yet. Make one from pages about the topic: "
            f"scenthound topic {shlex.quote(str(folder))} --from-pages URL"
        )
    return toml.load(path)


async def update_topic(options: TopicOptions) -> Config:
    """Works out the topic and writes it; the old file is kept beside the new one."""
    path = options.folder / SETTINGS
    before, settings = (toml.load(path), toml.load(path)) if path.is_file() else (Config(), Config())
    topic = settings.topic
    if options.language:
        topic.language = options.language
    if options.name:
        topic.name = options.name
    settings.crawl.seeds += [url for url in canonical_seeds(options.seeds) if url not in settings.crawl.seeds]
    own = [_own(text) for text in options.keywords]
    listed: list[str] = []
    if options.works_out():
        worked_out, listed = await _work_out(options, settings)
        topic.keywords = _rounded(_combined(own, worked_out, options.terms))
    elif own:
        topic.keywords = _rounded(share_weights(own))
    topic.name = topic.name or _name_of(topic)
    _write(options.folder, before, settings, listed)
    return settings


async def _work_out(options: TopicOptions, settings: Config) -> tuple[tuple[Keyword, ...], list[str]]:
    """Keywords, and URLs of pages that a directory lists."""
    topic, rarity = settings.topic, idf.background(settings.topic.language)
    if options.directory is not None:
        entry = web_directory.read(options.directory, options.category)
        topic.name = topic.name or entry.name()
        listed = [] if options.keywords_only else [page.url for page in entry.pages if page.url]
        return topics.from_category(entry, rarity, topic.language, options.terms), listed
    pages = await _gathered(options, settings) if options.pages else []
    if options.found:
        pages += _found(options.folder)
    if options.pages and not options.keywords_only:
        given = [_in_full(page) for page in options.pages]
        topic.examples += [page for page in given if page not in topic.examples]
    keywords = topics.from_pages(pages, rarity, topic.language, options.terms)
    if not keywords:
        raise ConfigError("The pages hold no words to tell a topic by. Give pages with text, or keywords: -k TERM")
    return keywords, []


async def _gathered(options: TopicOptions, settings: Config) -> list[Page]:
    fetcher = fetcher_for(settings, recordings=options.replay)
    given = list(examples.entries(options.pages, Path()))
    try:
        return (await examples.gather(given, options.folder / examples.FOLDER, settings, fetcher)).pages
    finally:
        await fetcher.close()


def _found(folder: Path) -> list[Page]:
    if not is_crawl_folder(folder):
        raise LibraryMissing(f"{folder} holds no pages yet. Crawl first, or give pages: --from-pages URL")
    with open_library(folder, write=False) as library:
        best = nlargest(MOST_FOUND, library.pages(relevant=True), key=lambda page: page.relevance)
        if not best:
            raise ConfigError(f"No page in {folder} counts as relevant yet. Lower its threshold, or crawl on.")
        return [text_copy(library, page).page for page in best]


def _own(text: str) -> str | WeightedTerm:
    """`dengue fever=0.4`, or without a weight."""
    term, equals, weight = text.rpartition("=")
    if not equals:
        return text.strip()
    try:
        return WeightedTerm(term.strip(), float(weight))
    except ValueError:
        raise ConfigError(f"The weight in {text!r} is no number. Write it as in -k mosquito=0.3") from None


def _combined(own: list[str | WeightedTerm], worked_out: Sequence[Keyword], size: int) -> tuple[Keyword, ...]:
    """The user's keywords, and of those worked out as many as there is room for: half of the weight to each kind."""
    if not own:
        return tuple(worked_out)
    chosen = share_weights(own)
    named = {keyword.term.lower() for keyword in chosen}
    others = [keyword for keyword in worked_out if keyword.term.lower() not in named][: max(0, size - len(chosen))]
    whole = sum(keyword.weight for keyword in others)
    rest = [Keyword(keyword.term, keyword.weight / whole / 2) for keyword in others]
    return (*(Keyword(keyword.term, keyword.weight / 2) for keyword in chosen), *rest) if rest else chosen


def _rounded(keywords: Sequence[Keyword]) -> list[str | WeightedTerm]:
    least = 10**-DIGITS
    return [WeightedTerm(keyword.term, max(least, round(keyword.weight, DIGITS))) for keyword in keywords]


def _name_of(topic: TopicSection) -> str:
    """The two heaviest keywords, for a topic nobody has named."""
    heaviest = nlargest(2, share_weights(topic.keywords), key=lambda keyword: keyword.weight)
    return " ".join(keyword.term for keyword in heaviest)


def _in_full(entry: str) -> str:
    """Files are named in full, because topic.toml lies elsewhere."""
    return entry if "://" in entry else str(Path(entry).resolve())


def _write(folder: Path, before: Config, settings: Config, listed: Sequence[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if listed:
        (folder / EXAMPLES).write_text("".join(f"{url}\n" for url in listed), encoding="utf-8")
        if EXAMPLES not in settings.topic.examples:
            settings.topic.examples.append(EXAMPLES)
    path = folder / SETTINGS
    new = folder / f"{SETTINGS}.new"
    if path.is_file():
        text = path.read_bytes().decode()
        new.write_bytes(edited(text, _changes(before, settings), str(path)).encode())
        path.replace(folder / f"{SETTINGS}.old")
    else:
        toml.save(settings, new)
    new.replace(path)


def _changes(before: Config, settings: Config) -> Changes:
    """What differs, section by section; a key that is back at its default is taken out."""
    old, new = msgspec.to_builtins(before), msgspec.to_builtins(settings)
    found: dict[str, dict[str, Any]] = {}
    for section in {**old, **new}:
        there, wanted = old.get(section, {}), new.get(section, {})
        for key in {**there, **wanted}:
            if there.get(key) != wanted.get(key):
                found.setdefault(section, {})[key] = wanted.get(key)
    return found


def plain_topic(settings: Config) -> dict[str, Any]:
    """The topic as plain data."""
    topic = settings.topic
    return {
        "name": topic.name,
        "language": topic.language,
        "keywords": [msgspec.to_builtins(keyword) for keyword in settings.make_topic().keywords],
        "examples": topic.examples,
        "counterexamples": topic.counterexamples,
        "seeds": settings.crawl.seeds,
    }
