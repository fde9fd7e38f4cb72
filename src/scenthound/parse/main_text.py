"""The main text of a page as Markdown, without menus, banners and footers: what exports and readers get.

    bytes ──charset──▶ UTF-8 ──content_tree──▶ which texts count ──main_content──▶ mended ──markdown──▶ text

It costs several times as much as parsing the page does, and a crawl has no need of it: whoever wants it asks for it
later, and `library` keeps what was made once.
"""

from __future__ import annotations

import re

from scenthound.model import MainText, Response
from scenthound.parse.charset import to_utf8
from scenthound.parse.main_content import main_content
from scenthound.parse.markdown import markdown, plain_markdown

MAX_SOURCE = 5_000_000
"""Bytes of a page that are looked at."""

MAX_MARKDOWN = 2_000_000
"""Characters that are kept."""

_count_words = re.compile(r"\w+").findall


def main_text(response: Response) -> MainText:
    source, _ = to_utf8(response.body[:MAX_SOURCE], response.header("content-type"))
    tree = main_content(source)
    counts = [len(_count_words(text)) for text in tree.texts]
    words = sum(count for count, kept in zip(counts, tree.kept, strict=True) if kept)
    return MainText(markdown(tree, response.url)[:MAX_MARKDOWN], words, sum(counts))


def plain_main_text(text: str) -> MainText:
    """A text that is all main text, as Markdown."""
    words = len(_count_words(text))
    return MainText(plain_markdown(text)[:MAX_MARKDOWN], words, words)
