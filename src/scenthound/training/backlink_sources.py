"""Who links to a page: the library's own graph, a recorded web, or a wiki that can be asked.

The services that Liu asked for backlinks are gone, and no search engine of today tells. What is left is what one has
oneself, what others have recorded, and the "what links here" of wikis.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from scenthound.config import Config
from scenthound.errors import ConfigError, LibraryMissing, SourceError, UsageError
from scenthound.fetch.fetcher_for import network, recording
from scenthound.fetch.seed_sources.choose_source import choose
from scenthound.fetch.seed_sources.mediawiki import WikiBacklinks, WikiSearch
from scenthound.fetch.seed_sources.source_client import SourceClient
from scenthound.learn.graphs.target_graph import reversed_links
from scenthound.model import Link, Page, Response
from scenthound.parse.safe_parse import parse_safely
from scenthound.protocols.crawl import Fetcher, Progress
from scenthound.protocols.library import Library

RECORDINGS = (".warc", ".warc.gz")
MOST_QUESTIONS = 20_000
"""Requests to a wiki for one graph: every page of five full layers, and a few with many backlinks."""


class BacklinkSource(Protocol):
    """A source of backlinks. `fetcher` brings the pages it names; None: they are in the library already."""

    name: str
    fetcher: Fetcher | None

    async def to(self, url: str, enough: int) -> Sequence[str]: ...  # URLs that link there; `enough` will do

    async def close(self) -> None: ...


class LibraryBacklinks:
    """The links of the pages that a crawl has stored."""

    name = "library"
    fetcher: Fetcher | None = None

    def __init__(self, library: Library | None, folder: Path) -> None:
        if library is None:
            raise LibraryMissing(
                f"There is no library in {folder} to take backlinks from. Crawl first, or name another source: "
                "--from FILE.warc.gz or --from https://wiki.example/w/api.php"
            )
        self._library = library

    async def to(self, url: str, enough: int) -> Sequence[str]:
        await asyncio.sleep(0)
        return self._library.linking(url)

    async def close(self) -> None:
        pass


class RecordedBacklinks:
    """The links of all pages of a recorded web, which is read through once for them."""

    def __init__(self, paths: Sequence[Path], language: str, progress: Progress | None = None) -> None:
        self.name = ", ".join(path.name for path in paths)
        replay = recording(paths)
        self.fetcher: Fetcher | None = replay

        def page(url: str) -> Page | None:
            answer = replay.answer(Link(url))
            return parse_safely(answer, language) if isinstance(answer, Response) and answer.status == 200 else None

        self._backlinks = reversed_links(replay.urls(), page, progress)

    async def to(self, url: str, enough: int) -> Sequence[str]:
        await asyncio.sleep(0)
        return self._backlinks(url)

    async def close(self) -> None:
        if self.fetcher is not None:
            await self.fetcher.close()


class WikiLinks:
    """What links here, asked of a wiki, one question at a time and with a pause between two."""

    def __init__(self, wiki: WikiBacklinks, client: SourceClient, fetcher: Fetcher) -> None:
        self.name = wiki.api
        self.fetcher: Fetcher | None = fetcher
        self._wiki = wiki
        self._client = client
        self._titles: dict[str, str] = {}

    @classmethod
    async def of(cls, text: str, config: Config) -> WikiLinks:
        politeness = config.politeness
        fetcher = network(config)
        client = SourceClient(fetcher, agent=politeness.agent, delay=politeness.delay, most=MOST_QUESTIONS)
        try:
            chosen = await choose(client, text, config.topic.language)
            if not isinstance(chosen, WikiSearch):
                raise UsageError(f"{text} is no wiki, and only wikis tell who links to a page.")
            return cls(await WikiBacklinks.of(client, chosen.api), client, fetcher)
        except BaseException:
            await fetcher.close()
            raise

    async def to(self, url: str, enough: int) -> Sequence[str]:
        title = self._titles.get(url) or self._wiki.title(url)
        if not title:
            return []
        try:
            hits = await self._wiki.to(self._client, title, enough)
        except SourceError as error:
            if error.status:  # of this one question; what has been collected must not be lost over it
                return []
            raise
        self._titles.update((hit.url, hit.title) for hit in hits)
        return [hit.url for hit in hits]

    async def close(self) -> None:
        if self.fetcher is not None:
            await self.fetcher.close()


async def make_source(
    text: str, folder: Path, library: Library | None, config: Config, progress: Progress | None = None
) -> BacklinkSource:
    """The source that `text` means: `library`, a WARC file or a folder of them, or a wiki."""
    if text == "library":
        return LibraryBacklinks(library, folder)
    if files := _recordings(text):
        return RecordedBacklinks(files, config.topic.language, progress)
    return await WikiLinks.of(text, config)


def _recordings(text: str) -> list[Path]:
    """The WARC files that a path means; none where it is no path."""
    path = Path(text).expanduser()
    if not path.is_dir():
        return [path] if path.exists() or text.endswith(RECORDINGS) else []
    files = sorted(each for each in path.rglob("*.warc*") if each.name.endswith(RECORDINGS))
    if not files:
        raise ConfigError(f"There is no .warc or .warc.gz file in {path}.")
    return files
