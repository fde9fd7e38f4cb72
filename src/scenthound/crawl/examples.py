"""Example pages of a topic, from files and from the web.

An entry of `examples = [...]` is a URL, an HTML file, or a text file that lists such entries, one a line.
Pages fetched for this are kept in the library's `examples/` folder, so that a crawl that goes on asks for none twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from scenthound import urls
from scenthound.config import Config
from scenthound.errors import ConfigError
from scenthound.model import Failed, Link, Page, Response
from scenthound.parse.page import parse
from scenthound.protocols.crawl import Fetcher

HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})


async def load(config: Config, folder: Path, fetcher: Fetcher) -> tuple[tuple[Page, ...], tuple[Page, ...]]:
    """The topic's example pages: relevant ones, and irrelevant ones."""
    gather = Gatherer(folder / "examples", fetcher, config.politeness.delay, config.topic.language)
    examples = [await gather(entry) for entry in entries(config.topic.examples, folder)]
    counterexamples = [await gather(entry) for entry in entries(config.topic.counterexamples, folder)]
    return tuple(examples), tuple(counterexamples)


def entries(given: Sequence[str], folder: Path, within: frozenset[Path] = frozenset()) -> Iterator[str | Path]:
    """URLs and HTML files, lists unfolded. Paths are looked for beside `topic.toml`, then where we stand."""
    for entry in given:
        if "://" in entry:
            yield entry
            continue
        path = next((path for path in (folder / entry, Path(entry)) if path.is_file()), None)
        if path is None:
            raise ConfigError(f"The example {entry!r} is neither a URL nor a file in {folder} or here.")
        if path.suffix.lower() in HTML_SUFFIXES:
            yield path
            continue
        if path.resolve() in within:
            raise ConfigError(f"The list of examples {path} lists itself. Take that line out.")
        lines = [line for line in map(str.strip, _lines(path)) if line and not line.startswith("#")]
        yield from entries(lines, path.parent, within | {path.resolve()})


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The list of examples {path} cannot be read: {error}.") from error


def place_of(kept: Path, url: str) -> Path:
    """Where the page of a URL is kept, if it is."""
    return kept / f"{urls.fingerprint(url) & (2**64 - 1):016x}.html"


def parse_kept(url: str, stored: Path, language: str) -> Page:
    headers = (("Content-Type", "text/html"),)
    return parse(Response(url=url, status=200, headers=headers, body=stored.read_bytes()), language)


class Gatherer:
    """Brings example pages home one by one, with the crawl's delay between two requests to one host."""

    def __init__(self, kept: Path, fetcher: Fetcher, delay: float, language: str) -> None:
        self.kept = kept
        self.fetcher = fetcher
        self.delay = delay
        self.language = language
        self._free_at: dict[str, float] = {}

    async def __call__(self, entry: str | Path) -> Page:
        if isinstance(entry, Path):
            return self._parse_file(entry)
        url = urls.canonical(entry)
        if isinstance(url, urls.Malformed):
            raise ConfigError(f"The example {entry!r} is no usable URL: {url.reason}.")
        stored = place_of(self.kept, url)
        if stored.is_file():
            return parse_kept(url, stored, self.language)
        response = await self._fetch(url)
        page = self._parse(url, response.body, response.header("content-type"))
        self.kept.mkdir(parents=True, exist_ok=True)
        # As UTF-8 with a byte order mark, since the charset may have stood in a header that is not kept.
        stored.write_bytes(response.body.decode(page.charset or "utf-8", "replace").encode("utf-8-sig"))
        return page

    async def _fetch(self, url: str, hops: int = 0) -> Response:
        host = urls.host(url)
        await asyncio.sleep(max(0.0, self._free_at.get(host, 0.0) - time.monotonic()))
        answer = await self.fetcher(Link(url=url, kind="seed"))
        self._free_at[host] = time.monotonic() + self.delay
        if isinstance(answer, Failed):
            raise ConfigError(f"The example {url} could not be fetched ({answer.kind}: {answer.detail}). Leave it out.")
        if 300 <= answer.status < 400 and hops < 5:
            target = urls.Base(url).resolve(answer.header("location"))
            if isinstance(target, str):
                return await self._fetch(target, hops + 1)
        return answer

    def _parse_file(self, path: Path) -> Page:
        return parse_kept(path.resolve().as_uri(), path, self.language)

    def _parse(self, url: str, body: bytes, content_type: str) -> Page:
        headers = (("Content-Type", content_type or "text/html"),)
        return parse(Response(url=url, status=200, headers=headers, body=body), self.language)
