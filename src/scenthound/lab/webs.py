"""Webs that hold still: recorded ones, read from WARC files, and generated ones, made from a number.

A `WebSpec` says which web is meant, in words that can be written into a results file or handed to another process;
`open_web` opens it. What is opened answers one link at a time, and always the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from xxhash import xxh3_128

from scenthound import config, urls
from scenthound.errors import ConfigError, RecordingError
from scenthound.fetch.answer import classify
from scenthound.fetch.fetcher_for import recording
from scenthound.fetch.import_sources import as_recordings
from scenthound.fetch.recording import cache_folder
from scenthound.lab.generated.japanese import in_japanese, japanese
from scenthound.lab.generated.topics import GeneratedTopic
from scenthound.lab.generated.vocabulary import TOPICS
from scenthound.lab.generated.web import GeneratedWeb
from scenthound.lab.topics import LabTopic
from scenthound.model import Failed, Link, Response

RECORDINGS = (".warc", ".warc.gz")
SAMPLE = 1 << 20
"""Bytes at the beginning, middle and end of a recording that tell it from another of the same size."""

SHARE = 5
"""A crawl of a generated web may download one page in so many."""


class WebSpec(Struct, frozen=True):
    """Which web: `files`, or `generated` pages grown from `seed`."""

    files: tuple[str, ...] = ()
    generated: int = 0
    seed: int = 1
    language: str = "en"  # of a generated one

    @property
    def name(self) -> str:
        """As a person would call it."""
        if self.generated:
            return f"generated-{self.generated}-{self.seed}" + f"-{self.language}" * (self.language != "en")
        names = [_bare(Path(file).name) for file in self.files]
        return names[0] if len(names) == 1 else f"{names[0]}+{len(names) - 1}"


class Web(Protocol):
    """What the lab asks of a web. `identity` is the same on every machine for the same content."""

    @property
    def identity(self) -> str: ...

    def urls(self) -> Iterator[str]: ...  # of all pages; what only redirects or fails may be left out

    def answer(self, link: Link) -> Response | Failed: ...

    def close(self) -> None: ...


def recorded(given: Iterable[Path]) -> WebSpec:
    """The spec of recordings. A folder stands for all WARC files in it and below, a library's among them, or, where
    there is none, for its HTML pages.
    """
    files: list[str] = []
    for path in given:
        found = (_recordings(path) if path.is_dir() else []) or [path]
        if found == [path] and path.is_dir():
            as_recordings(path.absolute(), cache_folder())  # says what is wanted where there are no pages either
        files.extend(str(file) for file in found)
    if not files:
        raise ConfigError("No web was named: give --web FILE, or --generated N for a web made up on the spot.")
    return WebSpec(files=tuple(dict.fromkeys(files)))


def open_web(spec: WebSpec) -> RecordedWeb | MadeUpWeb:
    return MadeUpWeb(spec) if spec.generated else RecordedWeb(spec)


class RecordedWeb:
    """WARC files, by URL. What was not recorded is missing: a 404."""

    def __init__(self, spec: WebSpec) -> None:
        self._paths = [Path(file) for file in spec.files]
        self._replay = recording(self._paths, clock=_no_time)

    @cached_property
    def identity(self) -> str:
        digest = xxh3_128()
        for path in self._paths:
            for part in as_recordings(path.absolute(), cache_folder()) if path.is_dir() else [path]:
                digest.update(_sample(part))
        return f"warc:{digest.hexdigest()}"

    @property
    def damaged(self) -> Sequence[str]:
        return self._replay.damaged

    def urls(self) -> Iterator[str]:
        return self._replay.urls()

    def answer(self, link: Link) -> Response | Failed:
        return self._replay.answer(link)

    def close(self) -> None:
        self._replay.close_files()


class MadeUpWeb:
    """A generated web. Slow pages answer at once: nobody learns anything from waiting here."""

    damaged: Sequence[str] = ()

    def __init__(self, spec: WebSpec) -> None:
        self.web = GeneratedWeb(spec.seed, spec.generated, *_room(spec.generated))
        self.language = spec.language
        told = "" if spec.language == "en" else f":{spec.language}"
        self.identity = f"generated:{spec.seed}:{spec.generated}:{self._sample()}{told}"

    def _sample(self) -> str:
        """A few pages stand for all: a generator that was changed makes another web of the same numbers."""
        digest = xxh3_128()
        for page in range(0, len(self.web), max(1, len(self.web) // 16)):
            digest.update(self.web.respond(self.web.url(page)).body)
        return digest.hexdigest()[:16]

    def urls(self) -> Iterator[str]:
        return map(_canonical, self.web.urls())

    def answer(self, link: Link) -> Response | Failed:
        answer = self.web.respond(link.url)
        if not answer.status:
            return Failed(link.url, "dns", "the name does not resolve")
        response = Response(link.url, answer.status, answer.headers, answer.body, wire=len(answer.body))
        if self.language == "ja":
            response = in_japanese(response)
        return classify(response, link.kind)

    def topics(self) -> list[LabTopic]:
        return [self._topic(topic) for topic in self.web.topics()]

    def _topic(self, topic: GeneratedTopic) -> LabTopic:
        def known(addresses: Iterable[str]) -> tuple[str, ...]:
            return tuple(map(_canonical, addresses))

        words = topic.keywords
        if self.language == "ja":
            words = tuple(map(japanese, words))
        return LabTopic(
            name=topic.name,
            seeds=known(topic.seeds),
            targets=known(topic.targets),
            keywords=config.share_weights(list(words)),
            language=self.language,
            pages=max(1, len(self.web) // SHARE),
            relevant_examples=known(topic.relevant_examples),
            irrelevant_examples=known(topic.irrelevant_examples),
        )

    def close(self) -> None:
        pass


def _room(pages: int) -> tuple[int, int]:
    """Hosts and topics for which there is room: 40 and 12 from 2,500 pages on, fewer in a smaller web."""
    hosts = max(2, min(40, pages // 75))
    a_host, a_topic = 24, 128  # pages each needs at least, islands and tunnels included: see `gen_layout.least_pages`
    return hosts, max(1, min(len(TOPICS), (pages - a_host * hosts) // a_topic))


def _recordings(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.warc*") if path.name.endswith(RECORDINGS))


def _bare(name: str) -> str:
    for suffix in (".gz", ".warc"):
        name = name.removesuffix(suffix)
    return name or "web"


def _sample(path: Path) -> bytes:
    """Size, and the bytes at three places: enough to tell recordings apart, and quick for one of any size."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            parts = [size.to_bytes(8, "little")]
            for place in (0, max(0, size // 2 - SAMPLE // 2), max(0, size - SAMPLE)):
                file.seek(place)
                parts.append(file.read(SAMPLE))
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror}. Check the path.") from error
    return b"".join(parts)


def _canonical(url: str) -> str:
    found = urls.canonical(url)
    return url if isinstance(found, urls.Malformed) else found


def _no_time() -> float:
    return 0.0
