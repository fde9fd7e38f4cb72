"""Markdown in pieces for retrieval: each of a number of words at most, cut between blocks, with the headings above it.

A piece is known by its page, the headings above it and its words, so that it keeps its id when the page changes
elsewhere, and has the same one in every export. Code and tables are cut between lines only if they are too long alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from msgspec import Struct

WORDS = 300
_heading = re.compile(r"(#{1,6}) (.*)").fullmatch
_fence = re.compile(r"\s*(`{3,})").match
_count_words = re.compile(r"\w+").findall


class Chunk(Struct, frozen=True):
    id: str
    position: int  # 0, 1, ... on its page
    headings: tuple[str, ...]  # from the outermost
    text: str
    words: int


def chunks_of(url: str, markdown: str, most: int = WORDS) -> Iterator[Chunk]:
    """The pieces of a page, in order."""
    taken: dict[str, int] = {}
    for position, (headings, text) in enumerate(_pieces(markdown, most)):
        said = hashlib.sha256("\n".join([url, *headings, text]).encode("utf-8", "replace")).hexdigest()[:16]
        again = taken.get(said, 0)
        taken[said] = again + 1
        yield Chunk(f"{said}-{again}" if again else said, position, headings, text, len(_count_words(text)))


def _pieces(markdown: str, most: int) -> Iterator[tuple[tuple[str, ...], str]]:
    above: list[tuple[int, str]] = []
    held: list[str] = []
    size = 0
    for block in _blocks(markdown):
        heading = _heading(block)
        if heading is None and size + _size(block) <= most:
            held.append(block)
            size += _size(block)
            continue
        if held:
            yield _titles(above), "\n\n".join(held)
            held, size = [], 0
        if heading is not None:
            level = len(heading[1])
            above = [each for each in above if each[0] < level] + [(level, heading[2])]
        elif _size(block) <= most:
            held, size = [block], _size(block)
        else:
            yield from ((_titles(above), piece) for piece in _cut(block, most))
    if held:
        yield _titles(above), "\n\n".join(held)


def _titles(above: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(title for _, title in above)


def _size(block: str) -> int:
    return len(_count_words(block))


def _blocks(markdown: str) -> Iterator[str]:
    """What blank lines part, but for those inside of code."""
    block: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        opened = _fence(line)
        if fence:
            fence = "" if line.strip() == fence else fence
        elif opened:
            fence = opened[1]
        if line.strip() or fence:
            block.append(line)
        elif block:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def _cut(block: str, most: int) -> Iterator[str]:
    """A block that is too long alone: between lines, and a line between words."""
    held: list[str] = []
    size = 0
    for line in (piece for whole in block.split("\n") for piece in _cut_line(whole, most)):
        if held and size + _size(line) > most:
            yield "\n".join(held)
            held, size = [], 0
        held.append(line)
        size += _size(line)
    if held:
        yield "\n".join(held)


def _cut_line(line: str, most: int) -> Iterator[str]:
    if _size(line) <= most:
        yield line
        return
    words = line.split(" ")
    for start in range(0, len(words), most):
        yield " ".join(words[start : start + most])
