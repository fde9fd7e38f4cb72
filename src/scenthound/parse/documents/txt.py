"""Plain text, and everything else that is text and has no reader of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from scenthound.model import Response
from scenthound.parse.charset import to_utf8
from scenthound.parse.document import Document, DocumentLink, DocumentPart, document_reader
from scenthound.parse.page_limits import MAX_TEXT

MOST_LINKS = 5_000
_url = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]{3,2000}", re.IGNORECASE)


@document_reader("txt")
@dataclass
class TextReader:
    """Its first line that has words is the title; URLs in it are links."""

    def read(self, response: Response) -> Document:
        text, charset = decoded_text(response)
        title = next((line.strip() for line in text.splitlines() if any(map(str.isalnum, line))), "")
        return Document(
            title=title, charset=charset, parts=(DocumentPart(text),), links=tuple(islice(urls_in(text), MOST_LINKS))
        )


def decoded_text(response: Response) -> tuple[str, str]:
    """The text of an answer, and its charset."""
    source, charset = to_utf8(response.body, response.header("content-type"))
    text = source[: 4 * MAX_TEXT].decode("utf-8", "replace")  # a character has four bytes at most
    return text.replace("\r\n", "\n").replace("\r", "\n")[:MAX_TEXT], charset


def urls_in(text: str, part: int = 0) -> Iterator[DocumentLink]:
    """URLs as people write them into text: a full stop or a bracket behind them is not theirs."""
    for found in _url.finditer(text):
        url = found[0].rstrip(".,;:!?")
        while url.endswith(")") and url.count(")") > url.count("("):
            url = url[:-1].rstrip(".,;:!?")
        yield DocumentLink(url, url, part)
