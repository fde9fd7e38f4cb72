"""What the evaluation knows of a web as a whole: in how many pages each term stands, and who links to whom.

A web is read through once for this, and the result is kept in this user's cache under the web's identity. No strategy
gets to see it, with one exception that says so: the `oracle`.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray
from xxhash import xxh3_64_hexdigest

from scenthound import urls
from scenthound.errors import ScenthoundError
from scenthound.fetch.recording import cache_folder
from scenthound.lab.measures.vectors import DocumentCounts
from scenthound.lab.webs import Web, WebSpec, open_web
from scenthound.model import Link, Page, Response
from scenthound.parse.safe_parse import parse_safely

FORMAT = 1  # of the files kept; raise it when their meaning changes
TOLD_EVERY = 50
LARGE_PAGES, LARGE_BYTES = 2000, 5_000_000

Tell = Callable[[int], None]
Numbers = NDArray[np.int32]


class WebStatistics:
    """Counts of terms and the link graph. `sources[i]` links to `targets[i]`; both index `pages`."""

    def __init__(self, pages: list[str], counts: DocumentCounts, sources: Numbers, targets: Numbers) -> None:
        self.pages = pages
        self.counts = counts
        self.sources = sources
        self.targets = targets

    @cached_property
    def number(self) -> dict[str, int]:
        """URL -> index."""
        return {url: index for index, url in enumerate(self.pages)}

    def distances(self, goals: Sequence[str], far: int = 100) -> NDArray[np.int8]:
        """For every page, fewest links to any of the goals: breadth first against the links, all pages at once."""
        found = np.full(len(self.pages), far, dtype=np.int8)
        found[[self.number[url] for url in goals if url in self.number]] = 0
        for step in range(1, far):
            reaching = np.zeros(len(found), dtype=bool)
            reaching[self.sources[found[self.targets] < step]] = True
            new = reaching & (found == far)
            if not new.any():
                break
            found[new] = step
        return found


class StatisticsPart(Struct):
    """Every n-th page of a web, as read."""

    pages: list[str] = field(default_factory=list)
    outlinks: list[list[str]] = field(default_factory=list)
    documents: int = 0
    counts: dict[str, int] = field(default_factory=dict)


def web_statistics(
    spec: WebSpec, language: str = "en", *, jobs: int = 1, tell: Tell = lambda done: None
) -> WebStatistics:
    """The statistics of a web, from the cache if there. `tell` hears how many pages were read since last told."""
    web = open_web(spec)
    try:
        kept = cache_folder().parent / "surveys" / f"{xxh3_64_hexdigest(_title(web, language))}.npz"
        found = _load(kept)
        if found is None:
            alone = jobs <= 1 or not is_large(spec)
            parts = [read(web, language, tell=tell)] if alone else _read_together(spec, language, jobs, tell)
            found = _joined(parts, web)
            _save(found, kept)
    finally:
        web.close()
    return found


def is_large(spec: WebSpec) -> bool:
    """Whether reading takes longer than starting processes for it."""
    return spec.generated >= LARGE_PAGES or sum(Path(file).stat().st_size for file in spec.files) >= LARGE_BYTES


def _title(web: Web, language: str) -> bytes:
    return f"{FORMAT} {web.identity} {language}".encode()


def read(web: Web, language: str, *, first: int = 0, step: int = 1, tell: Tell = lambda done: None) -> StatisticsPart:
    """Reads every `step`-th page of a web from the `first` on."""
    counts, part = DocumentCounts(), StatisticsPart()
    told = 0
    for url in islice(web.urls(), first, None, step):
        answer = web.answer(Link(url=url))
        if not isinstance(answer, Response):
            continue
        part.pages.append(url)
        if 300 <= answer.status < 400:
            target = urls.Base(url).resolve(answer.header("location"))
            part.outlinks.append([target] if isinstance(target, str) else [])
        else:
            page = parse_safely(answer, language)
            counts.add(page.terms)
            part.outlinks.append(_followed(page))
        if len(part.pages) - told >= TOLD_EVERY:
            tell(len(part.pages) - told)
            told = len(part.pages)
    part.documents, part.counts = counts.documents, counts.counts
    return part


def _joined(parts: Sequence[StatisticsPart], web: Web) -> WebStatistics:
    counts, pages, outlinks = DocumentCounts(), list[str](), list[list[str]]()
    for part in parts:
        counts.documents += part.documents
        for term, n in part.counts.items():
            counts.counts[term] = counts.counts.get(term, 0) + n
        pages += part.pages
        outlinks += part.outlinks
    resolve = _Whereabouts(web, {url: index for index, url in enumerate(pages)})
    pairs = [
        (source, target)
        for source, links in enumerate(outlinks)
        for target in {resolve[link] for link in links}
        if target >= 0 and target != source
    ]
    edges = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return WebStatistics(pages, counts, edges[:, 0].copy(), edges[:, 1].copy())


def _read_together(spec: WebSpec, language: str, jobs: int, tell: Tell) -> list[StatisticsPart]:
    """The parts of the web, each read by a process of its own."""
    context = multiprocessing.get_context("spawn")
    pipes: list[Connection] = []
    processes = []
    found: dict[Connection, StatisticsPart] = {}
    decoder = msgspec.json.Decoder(int | StatisticsPart)
    try:
        for first in range(jobs):
            ours, theirs = context.Pipe(duplex=False)
            order = (theirs, msgspec.json.encode(spec), language, first, jobs)
            process = context.Process(target=_read_part, args=order, daemon=True)
            process.start()
            theirs.close()
            pipes.append(ours)
            processes.append(process)
        while len(found) < jobs:
            for pipe in wait([pipe for pipe in pipes if pipe not in found]):
                assert isinstance(pipe, Connection)
                said = decoder.decode(pipe.recv_bytes())
                if isinstance(said, StatisticsPart):
                    found[pipe] = said
                else:
                    tell(said)
    except EOFError:
        raise ScenthoundError("A process that read the web ended before its time. Try again with --jobs 1.") from None
    finally:
        for pipe, process in zip(pipes, processes, strict=True):
            pipe.close()
            process.terminate()
            process.join(10)
    return [found[pipe] for pipe in pipes]


def _read_part(pipe: Connection, spec: bytes, language: str, first: int, step: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who ends us
    web = open_web(msgspec.json.decode(spec, type=WebSpec))
    try:
        part = read(web, language, first=first, step=step, tell=lambda done: pipe.send_bytes(msgspec.json.encode(done)))
        pipe.send_bytes(msgspec.json.encode(part))
    finally:
        web.close()


def _followed(page: Page) -> list[str]:
    return [] if page.nofollow else list({link.url for link in page.links if link.kind != "feed"})


class _Whereabouts(dict[str, int]):
    """URL -> number of the page; of an address that moved on, the number of the page it leads to; else -1."""

    def __init__(self, web: Web, number: dict[str, int]) -> None:
        super().__init__(number)
        self._web = web

    def __missing__(self, url: str) -> int:
        answer, found = self._web.answer(Link(url=url)), -1
        if isinstance(answer, Response) and 300 <= answer.status < 400:
            target = urls.Base(url).resolve(answer.header("location"))
            found = self.get(target, -1) if isinstance(target, str) else -1
        self[url] = found
        return found


def _save(found: WebStatistics, path: Path) -> None:
    """Whole or not at all. A cache that cannot be written costs time, not the experiment."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(descriptor, "wb") as file:
                np.savez(
                    file,
                    pages=_packed(found.pages),
                    terms=_packed(list(found.counts.counts)),
                    counts=np.fromiter(found.counts.counts.values(), dtype=np.int32),
                    documents=np.array(found.counts.documents),
                    sources=found.sources,
                    targets=found.targets,
                )
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise


def _load(path: Path) -> WebStatistics | None:
    """None where nothing is kept, or nothing that can be used."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            counts = DocumentCounts()
            counts.documents = int(kept["documents"])
            counts.counts = dict(zip(_unpacked(kept["terms"]), kept["counts"].tolist(), strict=True))
            return WebStatistics(_unpacked(kept["pages"]), counts, kept["sources"], kept["targets"])
    except (OSError, ValueError, KeyError, EOFError, MemoryError, zipfile.BadZipFile):
        return None


def _packed(words: list[str]) -> NDArray[np.uint8]:
    """Neither URLs nor terms hold line feeds."""
    return np.frombuffer("\n".join(words).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _unpacked(packed: NDArray[np.uint8]) -> list[str]:
    text = packed.tobytes().decode("utf-8", "surrogatepass")
    return text.split("\n") if text else []
