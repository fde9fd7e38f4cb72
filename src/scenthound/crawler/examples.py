"""Example pages of a topic, from files and from the web.

An entry of `examples = [...]` is a URL, an HTML file, or a text file that lists such entries, one a line.
URLs are fetched as a crawl fetches, robots.txt first, and kept in the library's `examples/` folder, so that a crawl
that goes on asks for none twice.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from scenthound import urls
from scenthound.config import Config
from scenthound.errors import ConfigError
from scenthound.library import memory_library
from scenthound.model import Page, Response, Step
from scenthound.parse.safe_parse import parse_safely
from scenthound.protocols.crawl import Clock, Fetcher, Progress

FOLDER = "examples"
HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})


class GatheredPages(NamedTuple):
    """Pages, and of the hosts that were asked for some of them when they may be asked again."""

    pages: list[Page]
    free_at: Mapping[str, float]
    missing: Mapping[str, str] = {}  # URLs that gave no page -> a sentence that says why
    answers: Mapping[str, Response] = {}  # of the URLs that were asked for now, and answered themselves


class ExamplePages(NamedTuple):
    """The topic's example pages: relevant ones, and irrelevant ones; when hosts that were asked are free again, and
    what they answered."""

    relevant: tuple[Page, ...] = ()
    irrelevant: tuple[Page, ...] = ()
    free_at: Mapping[str, float] = {}
    answers: Mapping[str, Response] = {}


async def load(config: Config, folder: Path | None, fetcher: Fetcher, clock: Clock = time.time) -> ExamplePages:
    """The topic's example pages. Without a folder, those that are fetched are kept nowhere."""
    relevant, irrelevant = _named(config, folder)
    gathered = await gather([*relevant, *irrelevant], folder / FOLDER if folder else None, config, fetcher, clock)
    pages = tuple(gathered.pages)
    return ExamplePages(pages[: len(relevant)], pages[len(relevant) :], gathered.free_at, gathered.answers)


def load_kept(config: Config, folder: Path) -> ExamplePages:
    """The topic's example pages as they lie in the folder, for those who only look: no server is asked."""
    relevant, irrelevant = (
        tuple(
            _read(entry if isinstance(entry, Path) else canonical(entry), folder / FOLDER, config.topic.language)
            for entry in given
        )
        for given in _named(config, folder)
    )
    return ExamplePages(relevant, irrelevant)


def _named(config: Config, folder: Path | None) -> tuple[list[str | Path], list[str | Path]]:
    topic, place = config.topic, folder or Path()
    return list(entries(topic.examples, place)), list(entries(topic.counterexamples, place))


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
    return parse_safely(Response(url=url, status=200, headers=headers, body=stored.read_bytes()), language)


async def gather(
    given: Sequence[str | Path],
    kept: Path | None,
    config: Config,
    fetcher: Fetcher,
    clock: Clock = time.time,
    *,
    forgiving: bool = False,
    progress: Progress = lambda done, whole: None,
) -> GatheredPages:
    """The pages of URLs and files, in the order given. What is not kept from before is fetched, all in one crawl.

    A URL that gives no page is an error once the others are kept; who is `forgiving` gets those, and what is missing.
    """
    wanted = [entry if isinstance(entry, Path) else canonical(entry) for entry in given]
    unknown = [url for url in dict.fromkeys(wanted) if isinstance(url, str) and not _is_kept(kept, url)]
    fetched, free_at, missing = await _fetch(unknown, config, fetcher, clock, progress) if unknown else ({}, {}, {})
    pages = []
    for entry in wanted:
        if isinstance(entry, str) and entry in fetched:
            pages.append(_keep(entry, fetched[entry], kept, config.topic.language))
        elif entry not in missing:
            pages.append(_read(entry, kept, config.topic.language))
    if missing and not forgiving:
        raise ConfigError(next(iter(missing.values())))
    return GatheredPages(pages, free_at, missing, {url: each for url, each in fetched.items() if each.url == url})


async def _fetch(
    wanted: Sequence[str], config: Config, fetcher: Fetcher, clock: Clock, progress: Progress
) -> tuple[dict[str, Response], dict[str, float], dict[str, str]]:
    """The answers of URLs, when the hosts that were asked may be asked again, and why other URLs gave no page."""
    # Here, because most who ask for examples have them kept, and do without a crawler.
    from scenthound.crawler.fetch_pages import PageOutcomes, fetch_pages
    from scenthound.fetch.fetcher_for import settings_for

    outcomes, steps = PageOutcomes(), count(1)

    def tell(step: Step) -> None:
        progress(min(next(steps), len(wanted)), len(wanted))

    with memory_library(texts=False, answers=False) as library:
        await fetch_pages(wanted, config, fetcher, library, clock=clock, observers=[outcomes, tell])
        now, delay = clock(), settings_for(fetcher, config).politeness.delay
        free_at = {row.host: now + max(delay, row.delay) for row in library.hosts()}
    answers, missing = {}, {}
    for url in wanted:
        answer = outcomes.of(url)
        if isinstance(answer, str):
            missing[url] = _why_not(url, answer)
        else:
            answers[url] = answer
    return answers, free_at, missing


def _why_not(url: str, reason: str) -> str:
    if reason == "robots":
        cause = f"may not be fetched: the robots.txt of {urls.host(url)} does not allow it"
    else:
        cause = f"could not be fetched ({reason})"
    return f"The example {url} {cause}. Leave it out, or save it as a file and name that."


def canonical(entry: str) -> str:
    url = urls.canonical(entry)
    if isinstance(url, urls.Malformed):
        raise ConfigError(f"The example {entry!r} is no usable URL: {url.reason}.")
    return url


def _is_kept(kept: Path | None, url: str) -> bool:
    return kept is not None and place_of(kept, url).is_file()


def _read(entry: str | Path, kept: Path | None, language: str) -> Page:
    if isinstance(entry, Path):
        return parse_kept(entry.resolve().as_uri(), entry, language)
    if kept is None or not _is_kept(kept, entry):
        raise ConfigError(f"The example {entry} is not kept here, and explain asks no server.")
    return parse_kept(entry, place_of(kept, entry), language)


def _keep(url: str, response: Response, kept: Path | None, language: str) -> Page:
    headers = (("Content-Type", response.header("content-type") or "text/html"),)
    page = parse_safely(Response(url=url, status=200, headers=headers, body=response.body), language)
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        # As UTF-8 with a byte order mark, since the charset may have stood in a header that is not kept.
        text = response.body.decode(page.charset or "utf-8", "replace")
        place_of(kept, url).write_bytes(text.encode("utf-8-sig"))
    return page
