"""What a folder keeps to learn from, in `training/`: lines of JSON that a person can read, and can delete.

    trails.jsonl    a line a trail: when it began, its URLs, and the place of the one each was reached from
    graph.jsonl     a line a page of the collected graph: URL, layer, state, places of the pages it links to
    library.db      the pages themselves, where they are not in the folder's own library; warc/ beside it

Which pages are relevant is not kept here but with all other labels of the folder, in its `labels.jsonl`. The first line
of each file names it and its version. What was written by a newer version is refused, not guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from scenthound.atomic_write import replacing
from scenthound.errors import ConfigError, LibraryVersion
from scenthound.learn.graphs.trails import START, Trail
from scenthound.library.folder_labels import folder_labels
from scenthound.model import Label

FOLDER = "training"
VERSION = 1
T = TypeVar("T", bound=Struct)


class TrailsHeader(Struct, frozen=True):
    scenthound: str  # trails or graph
    version: int = VERSION


class GraphHeader(Struct, frozen=True):
    """How a graph was collected, which is what it takes to do it again."""

    scenthound: str = "graph"
    version: int = VERSION
    source: str = ""
    layers: int = 0
    per_layer: int = 0
    similar: float = 0.0
    seed: int = 0
    sequences: int = 0
    at: float = 0.0


class Node(Struct, frozen=True):
    url: str
    layer: int
    state: int
    links: tuple[int, ...] = ()  # places of other nodes


class TrainingStore:
    """The `training/` of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER
        self.labels = folder_labels(folder)

    # Trails

    def trails(self) -> list[Trail]:
        path = self.folder / "trails.jsonl"
        found = list(_read(path, "trails", Trail))
        for number, trail in enumerate(found, 2):
            sound = all(START <= origin < place for place, origin in enumerate(trail.origins))
            if len(trail.urls) != len(trail.origins) or not sound:
                raise _broken(path, number, "steps and origins do not fit together")
        return found

    def add_trails(self, new: Iterable[Trail]) -> int:
        """Adds trails, and says how many are new. Of a trail imported twice, the longer one stays."""
        there = {_identity(trail): trail for trail in self.trails()}
        before = len(there)
        for trail in new:
            known = there.get(_identity(trail))
            if known is None or len(trail.urls) > len(known.urls):
                there[_identity(trail)] = trail
        self._write("trails.jsonl", TrailsHeader("trails"), there.values())
        return len(there) - before

    # Marks

    def marks(self) -> dict[str, bool]:
        """URL -> relevant: the labels of pages, whoever set them."""
        return {url: bool(label.relevant) for url, label in self.labels.labels().items()}

    def mark(self, urls: Mapping[str, bool], by: str) -> int:
        """Labels pages, at once, so that nothing said is lost. Says of how many something else counts now.

        `by`: person, bookmarks, list or file. What a person said about a page, no file overrules.
        """
        before = self.marks()
        self.labels.add_labels(Label(url, relevant, by) for url, relevant in urls.items())
        after = self.marks()
        return sum(after[url] is not before.get(url) for url in urls)

    # The graph

    def graph(self) -> tuple[GraphHeader, list[Node]] | None:
        """The collected graph; None if there is none."""
        path = self.folder / "graph.jsonl"
        if not path.is_file():
            return None
        nodes = list(_read(path, "graph", Node))
        for number, node in enumerate(nodes, 2):
            if not all(0 <= place < len(nodes) for place in node.links):
                raise _broken(path, number, "a link leads to a page that is not there")
        header = msgspec.json.decode(_lines(path)[0], type=GraphHeader)
        return header, nodes

    def keep_graph(self, header: GraphHeader, nodes: Iterable[Node]) -> None:
        """Puts the graph in the place of an earlier one."""
        self._write("graph.jsonl", header, nodes)

    def _write(self, name: str, header: Struct, rows: Iterable[Struct]) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"The folder {self.folder} cannot be made: {error.strerror}.") from error
        with replacing(self.folder / name) as stream:
            stream.write(msgspec.json.encode(header).decode() + "\n")
            for row in rows:
                stream.write(msgspec.json.encode(row).decode() + "\n")


def _identity(trail: Trail) -> object:
    """What makes a trail the same when it is imported again, perhaps longer by now."""
    return trail.begun or (trail.urls, trail.origins)


def _lines(path: Path) -> list[bytes]:
    try:
        return [line for line in path.read_bytes().split(b"\n") if line.strip()]
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error


def _read(path: Path, what: str, kind: type[T]) -> Iterator[T]:
    if not path.is_file():
        return
    lines = _lines(path)
    try:
        header = msgspec.json.decode(lines[0], type=TrailsHeader) if lines else None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        header = None
    if header is None or header.scenthound != what:
        raise _broken(path, 1, f"it does not begin as a file of {what} does")
    if header.version > VERSION:
        raise LibraryVersion(f"{path} was made by a newer Scenthound (version {header.version}). Use that one.")
    for number, line in enumerate(lines[1:], 2):
        try:
            yield msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise _broken(path, number, str(error)) from error


def _broken(path: Path, line: int, reason: str) -> ConfigError:
    return ConfigError(f"{path}, line {line} cannot be used: {reason}. Delete the file, and import or collect again.")
