"""XML from strangers, read as a stream of elements: nothing is fetched, nothing expands, nothing raises.

    read(body, Outline)  ──▶  outline.start(name, attributes)   for every opening tag; True: I want its text
                              outline.end(name, text)           for every closing one, with that text

What stands inside an element whose text is wanted is part of that text, and not told of by itself.

Documents of the web are often not well-formed, so what was read before the first mistake counts, and a document whose
only mistake are bare ampersands (`?a=1&b=2`) is read a second time with these written out. Entities that HTML has and
XML has not (`&nbsp;`) are understood. A document that declares entities or attributes of its own is not read at all:
nobody needs that in a feed, and it is how a kilobyte becomes a gigabyte.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Protocol, TypeVar
from xml.parsers import expat

from scenthound.parse.charset import to_utf8

MAX_TEXT = 20_000
"""Characters of one element's text that are kept."""

MAX_ELEMENTS = 500_000
"""Elements of a document that are looked at: ten for each entry of the longest sitemap that is allowed."""

MAX_DEPTH = 200

_BARE_AMPERSAND = re.compile(rb"&(?!(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{0,31});)")
_DECLARATION = re.compile(rb"\A<\?xml[^>]*>\s*")
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r")


class XmlOutline(Protocol):
    """Whoever wants to know what is in a document. `start` and `end` may raise `Enough`."""

    def start(self, name: str, attributes: dict[str, str]) -> bool: ...

    def end(self, name: str, text: str) -> None: ...


T = TypeVar("T", bound=XmlOutline)


class Enough(Exception):
    """Read no further."""


def read(body: bytes, make: Callable[[], T], content_type: str = "") -> T:
    """An outline from `make` that was told of the document, as far as it can be read."""
    source = to_utf8(body, content_type)[0].translate(None, _CONTROLS).lstrip()
    source = _DECLARATION.sub(b"", source)  # the encoding is settled, and `standalone` forbids what we put up with
    outline = make()
    if not _XmlReading(outline).over(source) and _BARE_AMPERSAND.search(source):
        outline = make()
        _XmlReading(outline).over(_with_ampersands(source))
    return outline


class _XmlReading:
    """One pass over a document. Text is collected only while somebody wants it: most of it is of no interest."""

    def __init__(self, outline: XmlOutline) -> None:
        self._outline = outline
        self._elements = 0
        self._depth = 0
        self._wanted_at = 0  # depth of the element whose text is collected; 0: none
        self._text: list[str] = []
        self._size = 0
        parser = self._parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.UseForeignDTD(True)  # so that entities nobody declared are passed on, not errors
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._refuse
        parser.AttlistDeclHandler = self._refuse
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end

    def over(self, source: bytes) -> bool:
        """Whether all that is wanted was read; False: there is a mistake in the document."""
        try:
            self._parser.Parse(source, True)
        except Enough:
            return True
        except (expat.ExpatError, ValueError):
            return False
        return True

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        self._depth += 1
        if self._elements > MAX_ELEMENTS or self._depth > MAX_DEPTH:
            raise Enough
        if not self._wanted_at and self._outline.start(name, attributes):
            self._wanted_at = self._depth
            self._listen(True)

    def _end(self, name: str) -> None:
        if self._depth == self._wanted_at:
            self._wanted_at = 0
            self._listen(False)
            text = "".join(self._text).strip()
            self._text.clear()
            self._size = 0
            self._outline.end(name, text)
        elif not self._wanted_at:
            self._outline.end(name, "")
        self._depth -= 1

    def _listen(self, on: bool) -> None:
        self._parser.CharacterDataHandler = self._words if on else None
        self._parser.DefaultHandlerExpand = self._entity if on else None

    def _words(self, text: str) -> None:
        # To stop listening here would have the parser hand over what it holds, once more, and so for ever.
        if self._size < MAX_TEXT:
            self._text.append(text[: MAX_TEXT - self._size])
            self._size += len(text)

    def _entity(self, text: str) -> None:
        if text.startswith("&"):
            self._words(html.unescape(text))

    def _doctype(self, name: str, system: str | None, public: str | None, has_internal_subset: int) -> None:
        if has_internal_subset:
            raise Enough

    def _refuse(self, *_: object) -> None:
        raise Enough


def _with_ampersands(source: bytes) -> bytes:
    """The source with bare ampersands written out, except where they may stand: in CDATA."""
    first, *others = source.split(b"<![CDATA[")
    parts = [_BARE_AMPERSAND.sub(b"&amp;", first)]
    for other in others:
        inside, end, rest = other.partition(b"]]>")
        parts += [b"<![CDATA[", inside, end, _BARE_AMPERSAND.sub(b"&amp;", rest)]
    return b"".join(parts)
