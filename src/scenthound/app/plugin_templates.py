"""What `plugin new` writes: for each kind of plug-in an entry point, a module that works, and a test of it."""

from __future__ import annotations

from msgspec import Struct


class PluginKind(Struct, frozen=True):
    what: str  # in a few words
    group: str  # of entry points
    use: str  # the command that uses it
    module: str
    test: str


PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "0.1.0"
description = "{what} for Scenthound."
requires-python = ">=3.11"
dependencies = ["scenthound"]

[project.entry-points."{group}"]
{entry} = "{module}:{cls}"

[tool.hatch.build.targets.wheel]
packages = ["src/{module}"]
"""

README = """\
# {name}

{what} for Scenthound.

    pip install -e .
    pytest
    {use}
"""

STRATEGY = '''\
"""A strategy: which link is worth following."""

from dataclasses import dataclass

from scenthound.model import Ranked, Visit


@dataclass
class {cls}:
    """Believes that short URLs lead to pages of more weight: priority = -weight * length."""

    weight: float = 1.0

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, -self.weight * len(link.url)) for link in visit.page.links]
'''
STRATEGY_TEST = """\
from scenthound.model import Link, Page, Visit
from scenthound.registry import strategy


def test_short_urls_go_first():
    links = (Link("http://a.test/long/way"), Link("http://a.test/x"))
    page = Page("http://a.test/", links=links)
    ranked = strategy.build("{entry}").rank(Visit(Link(page.url), page, 0.5, True, 0))
    assert max(ranked, key=lambda each: each.priority).link.url == "http://a.test/x"
"""

JUDGE = '''\
"""A judge: how relevant a page is, 0 to 1."""

from dataclasses import dataclass

from scenthound.model import Page
from scenthound.protocols.crawl import Context


@dataclass
class {cls}:
    """1 where the title names the topic."""

    threshold = 0.5

    def begin(self, context: Context) -> None:
        self.name_ = context.topic.name.lower()

    def __call__(self, page: Page) -> float:
        return float(self.name_ in page.title.lower())
'''
JUDGE_TEST = """\
from scenthound.model import Page
from scenthound.registry import judge


def test_titles_count():
    made = judge.build("{entry}")
    made.name_ = "fern"
    assert made(Page("http://a.test/", title="Ferns")) == 1.0
    assert made(Page("http://a.test/", title="Moss")) == 0.0
"""

EXPORTER = '''\
"""An export format: chosen pages, written to a stream one at a time."""

from dataclasses import dataclass
from typing import BinaryIO

from scenthound.export.exporter import ChosenPages


@dataclass
class {cls}:
    """A line a page: URL and title, with a tab between."""

    extensions = (".{entry}",)

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        for page in pages:
            stream.write(f"{{page.url}}\\t{{page.title}}\\n".encode())
'''
EXPORTER_TEST = """\
from io import BytesIO
from types import SimpleNamespace

from scenthound.export.exporter import exporter


def test_a_line_a_page():
    stream = BytesIO()
    exporter.build("{entry}").write([SimpleNamespace(url="http://a.test/", title="Fern")], stream)
    assert stream.getvalue() == b"http://a.test/\\tFern\\n"
"""

DOCUMENT = '''\
"""A reader of documents. Its entry point is named after the ending of the files it reads."""

from dataclasses import dataclass

from scenthound.model import Response
from scenthound.parse.document import Document, DocumentPart


@dataclass
class {cls}:
    """Text with a title in its first line."""

    def read(self, response: Response) -> Document:
        title, _, text = response.body.decode("utf-8", "replace").partition("\\n")
        return Document(title=title.strip(), parts=(DocumentPart(text),))
'''
DOCUMENT_TEST = """\
from scenthound.model import Response
from scenthound.parse.document import document_reader


def test_the_first_line_is_the_title():
    made = document_reader.build("{entry}").read(Response("http://a.test/x.{entry}", 200, (), b"Ferns\\nThey grow."))
    assert (made.title, made.parts[0].text) == ("Ferns", "They grow.")
"""

FETCHER = '''\
"""A fetcher: who answers in place of the network."""

from dataclasses import dataclass

from scenthound.config import Config
from scenthound.model import Link, Response
from scenthound.protocols.crawl import Fetcher


@dataclass
class {cls}:
    """Answers every request with the same words."""

    words: str = "Hello"

    def open(self, config: Config) -> Fetcher:
        return SameAnswer(self.words)


@dataclass
class SameAnswer:
    words: str
    parallel: int = 1  # requests under way at once

    async def __call__(self, link: Link) -> Response:
        body = f"<title>{{self.words}}</title>".encode()
        return Response(link.url, 200, (("Content-Type", "text/html"),), body)

    async def close(self) -> None:
        pass
'''
FETCHER_TEST = """\
import asyncio

from scenthound.config import Config
from scenthound.fetch.fetchers import own_fetcher
from scenthound.model import Link


def test_every_answer_is_the_same():
    fetch = own_fetcher.build("{entry}", {{"words": "Fern"}}).open(Config())
    assert b"Fern" in asyncio.run(fetch(Link("http://a.test/"))).body
"""

SEED_SOURCE = '''\
"""A source of pages to start from."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from scenthound.fetch.seed_sources.source_client import SeedHit, SourceClient


@dataclass
class {cls}:
    """A list of pages that is known by heart. A real one asks through `client`."""

    name = "{entry}"
    repeats = False

    async def pages(self, client: SourceClient, words: str, limit: int) -> AsyncIterator[list[SeedHit]]:
        yield [SeedHit("https://example.org/", f"About {{words}}")]
'''
SEED_SOURCE_TEST = """\
import asyncio

from scenthound.fetch.seed_sources.choose_source import choose, find


def test_it_is_found_by_its_name():
    async def seeds():
        return await find(await choose(None, "{entry}"), None, "ferns", 5)

    assert [hit.title for hit in asyncio.run(seeds()).hits] == ["About ferns"]
"""

KINDS = {
    "strategy": PluginKind(
        "A strategy", "scenthound.strategies", "scenthound crawl TOPIC --strategy {entry}", STRATEGY, STRATEGY_TEST
    ),
    "judge": PluginKind("A judge", "scenthound.judge", "scenthound crawl TOPIC --judge {entry}", JUDGE, JUDGE_TEST),
    "exporter": PluginKind(
        "An export format", "scenthound.export", "scenthound export FOLDER --format {entry}", EXPORTER, EXPORTER_TEST
    ),
    "document": PluginKind(
        "A reader of documents",
        "scenthound.documents",
        "scenthound crawl TOPIC --want {entry}",
        DOCUMENT,
        DOCUMENT_TEST,
    ),
    "fetcher": PluginKind(
        "A fetcher",
        "scenthound.fetchers",
        'scenthound crawl TOPIC   # with fetcher = "{entry}" under [fetch] in topic.toml',
        FETCHER,
        FETCHER_TEST,
    ),
    "seed-source": PluginKind(
        "A source of seeds",
        "scenthound.seed_sources",
        "scenthound seeds TOPIC --source {entry}",
        SEED_SOURCE,
        SEED_SOURCE_TEST,
    ),
}
