"""A page as it was stored, to compare the page of today with.

From the WARC file where there is one: every test can be made. Without, from what the library itself keeps: the text and
the links can be compared, tags and images cannot.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from scenthound.errors import LibraryError
from scenthound.model import Page, Response
from scenthound.protocols.library import Library
from scenthound.protocols.records import WatchedPage
from scenthound.revisit.detect.changes import PageFingerprints, fingerprints


class StoredText(Struct, frozen=True):
    """`prints` is None for a page that asked not to be kept: that it is another one is all one can say."""

    text: str = ""
    prints: PageFingerprints | None = None
    whole: bool = False  # made from the bytes, not from the text alone


def stored(history: Library, page: WatchedPage, parse: Callable[[Response, str], Page], language: str) -> StoredText:
    response = kept_answer(history, page.url)
    if response is not None:
        old = parse(response, language)
        return StoredText(old.text, fingerprints(old, response.body), whole=True)
    text = history.text(page.url)
    if text is None:
        return StoredText()
    old = Page(url=page.url, title=page.title, text=text, links=tuple(history.outlinks(page.url)))
    return StoredText(text, replace(fingerprints(old, b""), simhash=page.simhash, body=""))


def kept_answer(history: Library, url: str) -> Response | None:
    """What the server sent; None also where the WARC file was taken away or is damaged: the text is still here."""
    try:
        return history.body(url)
    except LibraryError:
        return None


def seen_now(page: Page, body: bytes, old: StoredText) -> PageFingerprints:
    """The page of today, as far as it can be compared with the old one."""
    if old.whole:
        return fingerprints(page, body)
    return replace(fingerprints(page, b""), images={})
