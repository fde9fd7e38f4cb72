"""The pages that trails and graphs speak of: from the library, from earlier training, or fetched as a crawl fetches.

A trail is URLs; what is learned from it are texts and links. A page the folder's library has stored, or kept as one of
the topic's examples, is read there. The others go through the crawl engine into a library of their own, `training/`:
robots.txt, delays, redirects, limits and guards are those of any crawl, only that no link is followed. A recording
takes the network's place where one is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from scenthound.config import Config
from scenthound.crawler import examples
from scenthound.crawler.fetch_pages import fetch_pages
from scenthound.library import is_library, open_library
from scenthound.library.stored_pages import read_page
from scenthound.model import Page, Step
from scenthound.protocols.crawl import Fetcher, Progress
from scenthound.protocols.library import Library
from scenthound.training.training_store import FOLDER


class TrainingPages:
    """Looks pages up, and brings home those that are missing. Without a fetcher, they stay missing."""

    def __init__(self, folder: Path, config: Config, fetcher: Fetcher | None = None) -> None:
        self.folder = folder
        self.config = config
        self.fetcher = fetcher
        self._stack = ExitStack()
        self._libraries: dict[Path, Library] = {}
        self._known: dict[str, Page] = {}

    def get(self, url: str) -> Page | None:
        """The page a URL led to when it was fetched, redirects followed."""
        if url not in self._known and (page := self._find(url)) is not None:
            self._known[url] = page
        return self._known.get(url)

    def _find(self, url: str) -> Page | None:
        language = self.config.topic.language
        for place in (self.folder, self.folder / FOLDER):
            library = self._library(place)
            page = read_page(library, url, language) if library is not None else None
            if page is not None:
                return page
        example = examples.place_of(self.folder / examples.FOLDER, url)
        return examples.parse_kept(url, example, language) if example.is_file() else None

    async def bring(self, wanted: Iterable[str], progress: Progress | None = None) -> dict[str, Page]:
        """The pages of these URLs, as far as they can be had; those not in any library are fetched."""
        wanted = list(dict.fromkeys(wanted))
        missing = [url for url in wanted if self.get(url) is None]
        if missing and self.fetcher is not None:
            self._close_training()
            await fetch_into(self.folder / FOLDER, missing, self.config, self.fetcher, progress)
        return {url: page for url in wanted if (page := self.get(url)) is not None}

    def library(self) -> Library | None:
        """The folder's own library, if it has one."""
        return self._library(self.folder)

    def _library(self, place: Path) -> Library | None:
        if place not in self._libraries and is_library(place):
            self._libraries[place] = self._stack.enter_context(open_library(place, write=False))
        return self._libraries.get(place)

    def _close_training(self) -> None:
        """Reading begins anew after writing."""
        library = self._libraries.pop(self.folder / FOLDER, None)
        if library is not None:
            library.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


async def fetch_into(
    place: Path, wanted: Sequence[str], config: Config, fetcher: Fetcher, progress: Progress | None = None
) -> None:
    """Fetches pages into the library at a place. One that was asked for in vain before is not asked for again."""
    left = len(wanted)

    def watch(step: Step) -> None:
        nonlocal left
        if step.state in ("fetched", "failed", "refused") and progress is not None:
            left = max(0, left - 1)
            progress(len(wanted) - left, len(wanted))

    config = replace(config, library=replace(config.library, warc=True))
    with open_library(place, create=True, settings=config.library) as library:
        await fetch_pages(wanted, config, fetcher, library, observers=[watch])
