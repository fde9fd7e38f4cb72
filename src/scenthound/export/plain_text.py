"""The main text of a page without its marks: as it is searched, and shown in a line of results."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_BREAKS = {"softbreak": " ", "hardbreak": "\n"}


@cache
def markdown_reader() -> MarkdownIt:
    """Reads main texts: Markdown with tables, in which HTML is text."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def plain_text(markdown: str) -> str:
    """The words as a reader sees them, a line for each paragraph, heading, item, cell or piece of code."""
    return text_of(markdown_reader().parse(markdown))


def text_of(tokens: list[Token]) -> str:
    lines = (_inline(token) if token.children is not None else token.content for token in tokens)
    return "\n".join(filter(None, (line.strip() for line in lines)))


def _inline(token: Token) -> str:
    """What stands in a paragraph; of a picture its description."""
    return "".join(_BREAKS.get(part.type, part.content) for part in token.children or ())
