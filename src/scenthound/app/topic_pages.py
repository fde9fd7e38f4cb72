"""The pages a topic is worked out from: liked ones and given ones, fetched as a crawl would, kept for the crawl."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from scenthound import urls
from scenthound.config import Config
from scenthound.crawler import examples
from scenthound.errors import ConfigError
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.model import Page
from scenthound.protocols.crawl import Progress


class TopicPages:
    """What was gathered. `examples`: entries for a topic.toml, without those that gave no page."""

    def __init__(self, kept: Path) -> None:
        self.pages: list[Page] = []
        self.examples: list[str] = []
        self.urls: list[str] = []  # those that gave a page
        self.missing: Mapping[str, str] = {}
        self._kept = kept

    def keep(self, folder: Path) -> None:
        """Sees to it that the pages lie where a crawl in that folder looks for them."""
        target = folder / examples.FOLDER
        if self._kept.is_dir() and self._kept != target:
            shutil.copytree(self._kept, target, dirs_exist_ok=True)

    async def gather(
        self, given: Sequence[str], config: Config, recordings: Sequence[Path], progress: Progress
    ) -> None:
        wanted = list(examples.entries(given, Path()))
        fetcher = fetcher_for(config, recordings=recordings)
        try:
            found = await examples.gather(wanted, self._kept, config, fetcher, forgiving=True, progress=progress)
        finally:
            await fetcher.close()
        if not found.pages and found.missing:
            raise ConfigError("No page could be fetched.\n" + "\n".join(found.missing.values()))
        self.pages, self.missing = found.pages, found.missing
        self.urls = [url for url in _urls(wanted) if url not in self.missing]
        for entry in given:
            self.examples += self._entries(entry)

    def _entries(self, entry: str) -> list[str]:
        """The entry as it is; a list that names a page that is missing, without that. Files are named in full."""
        within = list(examples.entries([entry], Path()))
        if not self.missing.keys() & set(_urls(within)):
            return [entry if "://" in entry else str(Path(entry).resolve())]
        good = [each for each in within if isinstance(each, Path) or examples.canonical(each) not in self.missing]
        return [str(each.resolve()) if isinstance(each, Path) else each for each in good]


def _urls(entries: Sequence[str | Path]) -> list[str]:
    return [examples.canonical(entry) for entry in entries if isinstance(entry, str)]


@asynccontextmanager
async def gathered(
    given: Sequence[str], config: Config, folder: Path | None, recordings: Sequence[Path], progress: Progress
) -> AsyncIterator[TopicPages]:
    """The pages; where there is no folder yet, they are kept in one for the time being."""
    with tempfile.TemporaryDirectory() as meanwhile:
        pages = TopicPages((folder or Path(meanwhile)) / examples.FOLDER)
        if given:
            await pages.gather(given, config, recordings, progress)
        yield pages


def liked_page(entry: str) -> str:
    """`example.org/ferns` is a page on the web, where there is no such file."""
    if "://" in entry or Path(entry).is_file():
        return entry
    url = urls.canonical(f"https://{entry}")
    if isinstance(url, urls.Malformed) or "." not in urls.host(url) or entry.endswith((".html", ".htm", ".txt")):
        raise ConfigError(f"{entry!r} is neither a URL nor a file here. Like a page by its URL: --like https://...")
    return url
