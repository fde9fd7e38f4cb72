"""What a crawl is about, worked out from words and pages and written to its topic.toml."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from scenthound import config as toml
from scenthound.app.crawl_plan import CRAWLS, SETTINGS, folder_name, is_crawl_folder
from scenthound.app.settings_file import Changes, edited
from scenthound.app.topic_words import TopicWords, read_words, rounded
from scenthound.app.user_input import language_code
from scenthound.config import Config, WeightedTerm, share_weights
from scenthound.errors import ConfigError, LibraryMissing, UsageError
from scenthound.library import open_library
from scenthound.library.stored_pages import text_copy
from scenthound.model import Keyword, Page
from scenthound.protocols.crawl import Progress
from scenthound.text import idf, topics, web_directory
from scenthound.text.language_recognition import of_pages
from scenthound.text.languages import name as language_name

if TYPE_CHECKING:
    from scenthound.app.topic_pages import TopicPages  # it can fetch pages, which a topic that is shown need not

MOST_FOUND = 200
"""Pages of a library that are read for `--from-found`, the most relevant first."""

MOST_SEEDS = 20
"""Liked pages that a crawl without seeds starts from."""

MOST_DESCRIBED = 20_000
"""Characters of what the editors of a directory say that are kept."""

EXAMPLES = "examples.txt"


class TopicOptions(Struct, frozen=True):
    """The options of `topic`. Without a folder it is ./crawls/<topic>."""

    folder: Path | None = None
    words: str = ""
    liked: list[str] = field(default_factory=list)
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
    delay: float | None = None
    contact: str | None = None
    allow_private: bool = False

    def works_out(self) -> bool:
        """Are keywords to be made from pages, in the place of those there are?"""
        return bool(self.pages or self.found or self.directory)

    def changes(self) -> bool:
        return bool(
            self.works_out() or self.words or self.liked or self.keywords or self.name or self.seeds or self.language
        )


class TopicChange(Struct, frozen=True):
    """The topic as it is now."""

    folder: Path
    settings: Config
    notes: tuple[str, ...] = ()  # what a person should know about how it came to be
    missing: dict[str, str] = {}  # URLs that gave no page -> why


def topic_place(given: str | None, into: Path | None) -> tuple[Path | None, str]:
    """Which folder is meant, and which words. A name without a space is a folder, also one that is to become one."""
    text = (given or "").strip()
    if not text or (" " in text and not Path(text).is_dir()) or (into is not None and not is_crawl_folder(Path(text))):
        return into, text
    if into is not None and into.resolve() != Path(text).resolve():
        raise UsageError(f"{text} is a folder with a topic already, so --into has no meaning.")
    return Path(text), ""


def read_topic(folder: Path) -> Config:
    path = folder / SETTINGS
    if not path.is_file():
        raise LibraryMissing(
            f"{folder} has no topic.toml yet. Make one from a sentence, or from a page you like: "
            f"scenthound topic {shlex.quote(str(folder))} --like URL"
        )
    return toml.load(path)


async def update_topic(options: TopicOptions, progress: Progress = lambda done, whole: None) -> TopicChange:
    """Works out the topic and writes it; the old file is kept beside the new one."""
    from scenthound.app.topic_pages import gathered, liked_page

    if options.language:
        options = replace(options, language=language_code(options.language))
    words = read_words(options.words, options.language) if options.words else None
    folder = options.folder or (CRAWLS / (folder_name(words.name) or "topic") if words else None)
    given = [*map(liked_page, options.liked), *options.pages]
    async with gathered(given, _before(folder, options), folder, options.replay, progress) as pages:
        keywords, category = _worked_out(options, pages, _language(options, folder, words, pages)[0])
        if folder is None:
            name = options.name or _name_of(rounded(keywords)) or "topic"
            folder = CRAWLS / (folder_name(name) or "topic")
        pages.keep(folder)
    return _applied(options, folder, words, pages, keywords, category)


def _applied(
    options: TopicOptions,
    folder: Path,
    words: TopicWords | None,
    pages: TopicPages,
    worked_out: Sequence[Keyword],
    category: web_directory.Category | None,
) -> TopicChange:
    before, settings = _settings(folder), _before(folder, options)
    topic = settings.topic
    topic.language, notes = _language(options, folder, words, pages)
    if words is not None:
        _refuse_another(folder, before, words)
    topic.name = options.name or topic.name or (words.name if words else "") or (category.name() if category else "")
    own = [_own(text) for text in options.keywords]
    if not own and words is not None and not topic.keywords:
        own = list(words.keywords)
    if worked_out and (options.works_out() or not topic.keywords):
        topic.keywords = rounded(_combined(own, worked_out, options.terms))
    elif own:
        topic.keywords = rounded(share_weights(own)) if options.keywords else own
    topic.name = topic.name or _name_of(topic.keywords)
    topic.description = _description(category) or topic.description
    if not options.keywords_only:
        topic.examples += [page for page in pages.examples if page not in topic.examples]
    if options.liked and not settings.crawl.seeds and pages.urls:
        settings.crawl.seeds = pages.urls[:MOST_SEEDS]
        notes.append("No seeds were given, so a crawl starts from the pages you like.")
    listed = [] if options.keywords_only or category is None else [page.url for page in category.pages if page.url]
    _write(folder, before, settings, listed)
    return TopicChange(folder, settings, tuple(notes), dict(pages.missing))


def _description(category: web_directory.Category | None) -> str:
    """What the editors say, on one line of the settings."""
    said = " ".join(" ".join(category.descriptions()).split()) if category is not None else ""
    return said[:MOST_DESCRIBED]


def _settings(folder: Path | None) -> Config:
    path = folder / SETTINGS if folder is not None else None
    return toml.load(path) if path is not None and path.is_file() else Config()


def _before(folder: Path | None, options: TopicOptions) -> Config:
    """The settings with the options that need nothing worked out."""
    from scenthound.crawler.assemble import canonical_seeds

    settings = _settings(folder)
    settings.crawl.seeds += [url for url in canonical_seeds(options.seeds) if url not in settings.crawl.seeds]
    settings.politeness.contact = options.contact or settings.politeness.contact
    settings.politeness.delay = settings.politeness.delay if options.delay is None else options.delay
    settings.fetch.private_addresses |= options.allow_private
    return settings


def _refuse_another(folder: Path, before: Config, words: TopicWords) -> None:
    name = before.topic.name
    if name and name.casefold() != words.name.casefold():
        raise ConfigError(f"{folder} holds the topic {name!r} already. Choose another folder with --into.")


def _language(
    options: TopicOptions, folder: Path | None, words: TopicWords | None, pages: TopicPages
) -> tuple[str, list[str]]:
    """The language, and what is to be said about it. A topic.toml that is there is believed; pages before words."""
    if options.language:
        return options.language, []
    read = of_pages(pages.pages)
    there = folder is not None and (folder / SETTINGS).is_file()
    if there or (words is not None and words.sure):
        language = _settings(folder).topic.language if there else words.language if words else ""
        if read and read != language:
            return language, [
                f"The pages read as {language_name(read)}, the topic is taken as {language_name(language)}. "
                f"If that is wrong, say --language {read}"
            ]
        return language, []
    return read or (words.language if words else Config().topic.language), []


def _worked_out(
    options: TopicOptions, pages: TopicPages, language: str
) -> tuple[tuple[Keyword, ...], web_directory.Category | None]:
    """Keywords from pages, or from the entry of a directory."""
    rarity = idf.background(language)
    if options.directory is not None:
        entry = web_directory.read(options.directory, options.category)
        return topics.from_category(entry, rarity, language, options.terms), entry
    read = pages.pages + (_found(options.folder) if options.found else [])
    if not read:
        return (), None
    keywords = topics.from_pages(read, rarity, language, options.terms)
    if not keywords:
        raise ConfigError("The pages hold no words to tell a topic by. Give pages with text, or keywords: -k TERM")
    return keywords, None


def _found(folder: Path | None) -> list[Page]:
    if folder is None:
        raise UsageError("Say whose pages: scenthound topic FOLDER --from-found")
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


def _name_of(keywords: list[str | WeightedTerm]) -> str:
    """The two heaviest keywords, for a topic nobody has named."""
    heaviest = nlargest(2, share_weights(keywords), key=lambda keyword: keyword.weight)
    return " ".join(keyword.term for keyword in heaviest)


def _write(folder: Path, before: Config, settings: Config, listed: Sequence[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if listed:
        (folder / EXAMPLES).write_text("".join(f"{url}\n" for url in listed), encoding="utf-8")
        if EXAMPLES not in settings.topic.examples:
            settings.topic.examples.append(EXAMPLES)
    path, changes = folder / SETTINGS, _changes(before, settings)
    new = folder / f"{SETTINGS}.new"
    if path.is_file():
        if not changes:
            return
        text = path.read_bytes().decode()
        new.write_bytes(edited(text, changes, str(path)).encode())
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


def plain_change(change: TopicChange) -> dict[str, Any]:
    """The topic as plain data, with where it is kept and what is to be said about it."""
    where = {"folder": str(change.folder)}
    return where | plain_topic(change.settings) | {"notes": list(change.notes), "missing": change.missing}
