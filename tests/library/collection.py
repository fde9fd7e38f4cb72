"""Small libraries with something to find in them, for tests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from scenthound import urls
from scenthound.config import Config, LibrarySection
from scenthound.library import open_library
from scenthound.model import Link, Page, Response, Step, Visit
from scenthound.protocols.library import Recorder
from tests.library.steps import entry, refusal


def stored(
    url: str,
    text: str = "",
    *,
    title: str = "",
    relevance: float = 0.5,
    language: str = "en",
    at: float = 1_700_000_000.0,
    body: bytes = b"",
    links: tuple[Link, ...] = (),
    noindex: bool = False,
    duplicate_of: str = "",
    source: str = "",
    published: str = "",
    **lease: Any,
) -> Step:
    """A page fetched, with relevance and words of our choosing. Pages with the same title and text are copies."""
    waiting = entry(url, source=source, **lease)
    page = Page(url=url, title=title, text=text, language=language, links=links, noindex=noindex, published=published)
    html = body or f"<title>{title}</title><p>{text}</p>".encode("utf-8", "replace")
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return Step(
        lease=waiting,
        state="fetched",
        at=at,
        response=Response(url=url, status=200, headers=headers, body=html, at=at),
        visit=Visit(link=waiting.link, page=page, relevance=relevance, relevant=relevance >= 0.3, depth=waiting.depth),
        duplicate_of=duplicate_of,
    )


def collect(folder: Path, steps: Iterable[Step], config: Config | None = None, *, warc: bool = True) -> Path:
    """Stores the steps in a folder, as one run of a crawl."""
    with open_library(folder, create=True, settings=LibrarySection(warc=warc)) as library:
        fill(library, steps, config)
    return folder


def fill(library: Recorder, steps: Iterable[Step], config: Config | None = None) -> None:
    """Records the steps as one run of a crawl."""
    library.start_run(msgspec.json.encode(config or Config()).decode())
    for step in steps:
        library.record(step)
    library.end_run("pages", {"pages": 1})


def zoo(folder: Path) -> Path:
    return collect(folder, zoo_steps(), zoo_config())


def zoo_config() -> Config:
    config = Config()
    config.topic.name = "otters"
    config.topic.keywords = ["otter", "river"]
    config.crawl.judge, config.crawl.threshold = "keywords", 0.3
    return config


def zoo_steps() -> list[Step]:
    """Seven pages on animals, a link that waits, one that failed, one refused, one that moved."""
    home = "https://www.zoo.example/"
    return [
        stored(home, "Welcome to the zoo. See otters and owls.", title="The zoo", relevance=0.4, at=1_700_000_000.0),
        stored(
            f"{home}otters",
            "Otters swim in rivers. An otter eats fish, and the river otter sleeps on its back in the river.",
            title="All about otters",
            relevance=0.9,
            published="2021-05-03 meta",
            source=home,
            depth=1,
            priority=0.8,
            at=1_700_100_000.0,
        ),
        stored("https://birds.example/owl", "Owls hunt mice at night. Mice fear owls.", title="Owls", relevance=0.0),
        stored("https://birds.example/mirror", "Owls hunt mice at night. Mice fear owls.", title="Owls", relevance=0.1),
        stored(
            "https://tiere.example/otter",
            "Die Häuser der Fischotter stehen an Flüssen. Otter schwimmen.",
            title="Fischotter",
            language="de",
            relevance=0.5,
        ),
        stored("https://secret.example/", "otters in secret", noindex=True, relevance=0.8),
        stored(
            "https://birds.example/duck",
            "Ducks and otters share a river bank, and a bank is not money.",
            title='<script>alert("duck")</script>',
            relevance=0.35,
            at=1_700_200_000.0,
        ),
        Step(
            lease=entry(home),
            state="fetched",
            at=1_700_000_000.0,
            found=(
                entry("https://www.zoo.example/tickets", 0.2, 8, home, depth=1),
                entry("https://www.zoo.example/map", 0.7, 9, home, depth=1),
                entry("https://far.example/", 0.9, 10, home, depth=1),
            ),
            refused=(refusal("https://www.zoo.example/admin", "robots", home),),
        ),
        Step(lease=entry("https://gone.example/", tries=2), state="failed", at=1.0, reason="status: 404"),
        Step(lease=entry("https://old.example/"), state="moved", at=1.0, reason=f"{home}otters"),
    ]


def numbered(count: int, size: int = 50) -> Iterable[Step]:
    for n in range(count):
        url = f"http://host{n % 7}.example/{n}"
        yield stored(url, f"page number{n} " + "filler " * size, title=f"Page {n}", relevance=n % 10 / 10, order=n)


def id_of(url: str) -> int:
    return urls.fingerprint(url)
