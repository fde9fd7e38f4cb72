"""A page as it was stored, to compare the page of today with.

From the WARC file where there is one: every test can be made. Without, from what the library itself keeps: the text and
the links can be compared, tags and images cannot.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from scenthound.library.stored_pages import copy_of
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
    row = history.page(page.url)
    if row is None:
        return StoredText()
    copy = copy_of(history, row, language, parse=parse, damaged_too=True)
    if copy.response is not None:
        return StoredText(copy.page.text, fingerprints(copy.page, copy.response.body), whole=True)
    if not copy.has_text:
        return StoredText()
    return StoredText(copy.page.text, replace(fingerprints(copy.page, b""), simhash=page.simhash, body=""))


def seen_now(page: Page, body: bytes, old: StoredText) -> PageFingerprints:
    """The page of today, as far as it can be compared with the old one."""
    if old.whole:
        return fingerprints(page, body)
    return replace(fingerprints(page, b""), images={})
