"""What a document says, as Markdown: for exports and readers, as `main_text.py` is for web pages."""

from __future__ import annotations

from scenthound.model import Block, MainText, Page
from scenthound.parse.file_format import TEXTS
from scenthound.parse.main_text import MAX_MARKDOWN, plain_main_text

_LINE_BY_LINE = TEXTS - {"txt", "text", "md"}
"""Formats whose lines mean something, so that they are shown as they are."""


def document_text(page: Page, name: str) -> MainText:
    """What the page of a document says, as Markdown: all of it is main text."""
    words = plain_main_text(page.text).words
    if name in _LINE_BY_LINE:
        text = page.text[: MAX_MARKDOWN - 100]
        fence = "~" * 10 if "```" in text else "```"
        return MainText(f"{fence}\n{text.rstrip()}\n{fence}\n", words, words)
    made = (_marked_down(block) for block in page.blocks)
    return MainText("\n".join(filter(None, made))[:MAX_MARKDOWN], words, words)


def _marked_down(block: Block) -> str:
    body = plain_main_text(block.text.removeprefix(block.heading)).markdown.lstrip()
    heading = plain_main_text(block.heading).markdown if block.heading else ""
    return "\n".join(filter(None, (f"{'#' * block.level} {heading}" if heading else "", body)))
