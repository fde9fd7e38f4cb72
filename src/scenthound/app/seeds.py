"""Pages to start from: asks a search source, and puts what it found where the next crawl will look for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from scenthound import config as toml
from scenthound.app.crawl_plan import SETTINGS
from scenthound.app.settings_file import edited
from scenthound.app.topic_words import read_words
from scenthound.app.user_input import language_code
from scenthound.atomic_write import replacing
from scenthound.config import Config
from scenthound.errors import ConfigError, UsageError
from scenthound.fetch.fetcher_for import network
from scenthound.fetch.seed_sources.choose_source import FoundSeeds, choose, find
from scenthound.fetch.seed_sources.source_client import SourceClient
from scenthound.protocols.crawl import Progress
from scenthound.report.formatting import plural, printable

LONGEST = 300
"""Characters of a question."""

TICK = 0.5  # seconds between two looks at the clock


def settings_for_seeds(into: Path | None, language: str | None, contact: str | None, allow_private: bool) -> Config:
    """The settings of the library the seeds are for, or the defaults; options go before them."""
    there = into / SETTINGS if into is not None else None
    settings = toml.load(there) if there is not None and there.is_file() else Config()
    settings.topic.language = language_code(language) if language else settings.topic.language
    settings.politeness.contact = contact or settings.politeness.contact
    settings.fetch.private_addresses |= allow_private
    return settings


def words_of(topic: str | None, settings: Config) -> str:
    """What to ask a search source: the words as they are, of a sentence what it is about."""
    words = " ".join((topic if topic is not None else settings.topic.name).split())
    if not words:
        raise UsageError('Say what to search for: scenthound seeds "dengue fever"')
    if (understood := read_words(words)).sentence:
        words = understood.name
    if len(words) > LONGEST:
        raise UsageError(f"The topic has {len(words)} characters; a search takes {LONGEST}. Use its main words.")
    return words


async def find_seeds(
    words: str,
    settings: Config,
    source: str = "",
    limit: int = 20,
    *,
    category: bool = False,
    depth: int = 0,
    progress: Progress = lambda found, whole: None,
) -> FoundSeeds:
    """What the source finds. `progress` is told how far it is every moment, also while a slow source says nothing."""
    so_far = 0

    def note(found: int, whole: int) -> None:
        nonlocal so_far
        so_far = found
        progress(found, whole)

    async def tick() -> None:
        while True:
            await asyncio.sleep(TICK)
            progress(so_far, limit)

    politeness = settings.politeness
    fetcher = network(settings)
    client = SourceClient(fetcher, agent=politeness.agent, delay=politeness.delay)
    ticking = asyncio.create_task(tick())
    try:
        chosen = await choose(client, source, settings.topic.language, category, depth)
        return await find(chosen, client, words, limit, note)
    finally:
        ticking.cancel()
        await fetcher.close()


def write_list(path: Path, words: str, found: FoundSeeds) -> None:
    """A file as `crawl --seeds-file` reads it: one URL a line, with what each is in a comment above."""
    lines = [f"# {printable(words)}: {plural(len(found.hits), 'seed')} from {found.source}"]
    for hit in found.hits:
        lines += [f"# {title}" for title in [printable(hit.title)] if title] + [hit.url]
    with replacing(path) as stream:
        stream.write("\n".join(lines) + "\n")


def write_into(folder: Path, words: str, found: Sequence[str], settings: Config) -> int:
    """Adds seeds to the folder's topic.toml, or makes one. Says how many are new."""
    path = folder / SETTINGS
    if path.is_file():
        try:
            text = path.read_bytes().decode()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path} cannot be read: {error}.") from error
        there = toml.load(path).crawl.seeds
        new = [url for url in found if url not in there]
        text = edited(text, {"crawl": {"seeds": [*there, *new]}}, str(path))
    else:
        new = list(found)
        text = _fresh(words, new, settings)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"The folder {folder} cannot be made: {error.strerror}.") from error
    with replacing(path) as stream:
        stream.write(text)
    return len(new)


def _fresh(words: str, seeds: list[str], settings: Config) -> str:
    understood, usual = read_words(words), Config().topic.language
    topic: dict[str, Any] = {"name": understood.name, "keywords": msgspec.to_builtins(understood.keywords)}
    language = settings.topic.language if settings.topic.language != usual else understood.language
    if language != usual:
        topic["language"] = language
    data: dict[str, Any] = {"topic": topic, "crawl": {"seeds": seeds}}
    if settings.politeness.contact:
        data["politeness"] = {"contact": settings.politeness.contact}
    return tomli_w.dumps(data)
