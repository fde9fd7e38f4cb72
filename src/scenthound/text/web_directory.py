"""Entries of a directory of the web, in the manner of the Open Directory Project (ODP, dmoz.org).

Two formats are read. The directory's own dump (`content.rdf`, also compressed with gzip), read as a stream:

    <Topic r:id="Top/Home/Gardening/Plants/House_Plants"> <d:Description>...</d:Description> </Topic>
    <ExternalPage about="http://example.org/ferns">
      <d:Title>Ferns</d:Title> <d:Description>Keeping ferns alive.</d:Description>
      <topic>Top/Home/Gardening/Plants/House_Plants</topic>
    </ExternalPage>

And JSON, one object a file, for a category taken from elsewhere or written by hand:

    {"category": "Home/Gardening/Plants/House Plants", "description": "...",
     "pages": [{"url": "http://example.org/ferns", "title": "Ferns", "description": "Keeping ferns alive."}]}
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import BinaryIO, Generic, TypeVar, cast
from xml.etree import ElementTree

import msgspec
from msgspec import Struct, field

from scenthound import urls
from scenthound.errors import ConfigError

ROOT = "top"
MOST_NAMESAKES = 5
MOST_SITES, OTHERS = 200, 2
"""Sites of a subtree that are taken to learn from, and how many times as many of others."""

T = TypeVar("T")
_TAG = re.compile(r"<[^<>]*>")


class ListedPage(Struct, frozen=True):
    """A page the editors list. Title and description are theirs, not the page's."""

    url: str
    title: str = ""
    description: str = ""


class Category(Struct, frozen=True):
    category: str  # the path, levels parted by "/"
    description: str = ""
    pages: tuple[ListedPage, ...] = field(default_factory=tuple)

    def levels(self) -> list[str]:
        """The words of each level from the top, which itself says nothing; single letters only sort the rest."""
        levels = [" ".join(level.replace("_", " ").split()) for level in self.category.split("/")]
        return [level for level in levels if len(level) > 1 and level.lower() != ROOT]

    def name(self) -> str:
        return next(reversed(self.levels()), "")

    def descriptions(self) -> list[str]:
        """What the editors say: of the category, and of each page."""
        texts = [self.description, *(f"{page.title}\n{page.description}" for page in self.pages)]
        return [text for text in texts if text.strip()]


def read(path: Path, category: str = "") -> Category:
    """The category from a file: the only one in it, or the one that is named, in full or by its last levels."""
    try:
        if path.name.lower().endswith(".json"):
            return _from_json(path.read_bytes(), path)
        if not category:
            raise ConfigError(f"{path} holds many categories; say which: --category Home/Gardening/Plants")
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as stream:
            return _from_rdf(cast(BinaryIO, stream), category, path)
    except (OSError, EOFError) as error:
        raise ConfigError(f"The directory {path} cannot be read: {error}.") from error


class Subtree(Struct, frozen=True):
    """Sites a directory lists at a category and below it, and as many others as that is to be told from."""

    relevant: tuple[str, ...]
    other: tuple[str, ...]


def read_subtree(path: Path, category: str, most: int = MOST_SITES, seed: int = 0) -> Subtree:
    """Training sites from a directory: those of a subtree, and a sample of all others (Ester 5.1)."""
    if not category:
        raise ConfigError(f"Say which part of {path} is meant: --category Home/Gardening/Plants")
    random, relevant, other = Random(seed), Sample[str](most), Sample[str](OTHERS * most)
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as stream:
            for where, _, page in _entries(cast(BinaryIO, stream)):
                if page is not None and page.url:
                    (relevant if _below(category, where) else other).offer(page.url, random)
    except (OSError, EOFError) as error:
        raise ConfigError(f"The directory {path} cannot be read: {error}.") from error
    except ElementTree.ParseError as error:
        raise ConfigError(f"{path} is not valid RDF: {error}.") from error
    if not relevant.kept:
        raise ConfigError(f"There is no category {category!r} with pages in {path}, nor below it.")
    hosts = {urls.host(url) for url in relevant.kept}
    others = [url for url in other.kept if urls.host(url) not in hosts]
    return Subtree(_one_a_host(relevant.kept), _one_a_host(others))


class Sample(Generic[T]):
    """So many of any number of things, each as likely as the next, without holding more."""

    def __init__(self, most: int) -> None:
        self.most, self.seen, self.kept = most, 0, list[T]()

    def offer(self, thing: T, random: Random) -> None:
        self.seen += 1
        if len(self.kept) < self.most:
            self.kept.append(thing)
        elif (place := random.randrange(self.seen)) < self.most:
            self.kept[place] = thing


def _one_a_host(listed: Sequence[str]) -> tuple[str, ...]:
    return tuple({urls.host(url): url for url in reversed(listed)}.values())[::-1]


def _from_json(data: bytes, path: Path) -> Category:
    try:
        found = msgspec.json.decode(data, type=Category)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            f'{path} is no directory entry ({error}). It needs at least {{"category": "A/B"}}.'
        ) from error
    if not found.levels():
        raise ConfigError(f"{path}: the category {found.category!r} has no words in its path.")
    return found


def _from_rdf(stream: BinaryIO, wanted: str, path: Path) -> Category:
    name, description, listed, namesakes = "", "", list[ListedPage](), set[str]()
    try:
        for where, said, page in _entries(stream):
            if not _means(wanted, where):
                if len(namesakes) < MOST_NAMESAKES and _last_level(where) == _last_level(wanted):
                    namesakes.add(where)
                continue
            if name not in ("", where):
                raise ConfigError(f"{wanted!r} may be {name} or {where}: name it in full.")
            name, description = where, description or said
            if page is not None:
                listed.append(page)
    except ElementTree.ParseError as error:
        raise ConfigError(f"{path} is not valid RDF: {error}.") from error
    if not name:
        hint = f" There is {', '.join(sorted(namesakes))}." if namesakes else ""
        raise ConfigError(f"There is no category {wanted!r} in {path}.{hint}")
    return Category(name, description, tuple(listed))


def _entries(stream: BinaryIO) -> Iterator[tuple[str, str, ListedPage | None]]:
    """Category, its description, and a page of it, one at a time: a dump has millions."""
    events = ElementTree.iterparse(stream, events=("start", "end"))
    _, root = next(events)
    for event, element in events:
        kind = _bare(element.tag)
        if event == "start" or kind not in ("Topic", "ExternalPage"):
            continue
        parts = {_bare(child.tag): (child.text or "").strip() for child in element}
        attributes = {_bare(key): value for key, value in element.attrib.items()}
        description = _TAG.sub(" ", parts.get("Description", ""))
        if kind == "Topic":
            yield attributes.get("id", ""), description, None
        else:
            page = ListedPage(attributes.get("about", ""), parts.get("Title", ""), description)
            yield parts.get("topic", ""), "", page
        root.clear()


def _bare(tag: str) -> str:
    return tag.rpartition("}")[2]


def _below(wanted: str, name: str) -> bool:
    """Whether a category is the one that is wanted, named in full or by its last levels, or stands below it."""
    return f"/{_plain(wanted)}/" in f"/{_plain(name)}/"


def _means(wanted: str, name: str) -> bool:
    return f"/{_plain(name)}".endswith(f"/{_plain(wanted)}")


def _last_level(name: str) -> str:
    return _plain(name).rpartition("/")[2]


def _plain(name: str) -> str:
    return name.strip("/ ").replace("_", " ").lower()
