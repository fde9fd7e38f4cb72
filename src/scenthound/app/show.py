"""One page of a library: where it is, and its parts as plain data."""

from __future__ import annotations

import shlex
from typing import Any

import msgspec

from scenthound.app import versions
from scenthound.errors import LibraryError
from scenthound.model import Link, Response
from scenthound.protocols.library import Library, StoredPages
from scenthound.protocols.records import StoredPage, Version


def find_page(library: Library, url: str) -> StoredPage:
    """The page, or an error that says where else to look."""
    page = library.page(url)
    if page is not None:
        return page
    row = library.url_row(url)
    if row is None:
        near = library.near(url, 1)
        hint = f" The nearest it has is {near[0]}" if near else " It knows no URL of that host."
        raise LibraryError(f"{url} was never seen by this crawl.{hint}")
    if row.state == "moved":
        raise LibraryError(f"{url} has moved: show {row.reason} instead.")
    why = f"scenthound explain {shlex.quote(str(library.folder))} {shlex.quote(url)}"
    raise LibraryError(f"{url} is known but was not fetched ({row.state}). To see why: {why}")


def kept_answer(library: StoredPages, page: StoredPage, version: Version | None = None) -> Response:
    response = library.body(page.url, version)
    if response is None:
        why = "the page asks not to be indexed" if page.noindex else "the crawl was told not to write WARC files"
        raise LibraryError(f"What {page.url} sent was not kept: {why}.")
    return response


def as_text(answer: Response, charset: str) -> str:
    """What was received, as text; what the charset does not know becomes a mark."""
    try:
        return answer.body.decode(charset or "utf-8", "replace")
    except LookupError:
        return answer.body.decode("utf-8", "replace")


def plain_part(library: Library, page: StoredPage, part: str = "", version: Version | None = None) -> Any:
    """The page, or the part of it that is named: text, headers, links, backlinks, diff or versions."""
    if part in ("diff", "versions"):
        return versions.plain_diff(library, page, version) if part == "diff" else versions.plain_versions(library, page)
    if part == "headers":
        return [list(pair) for pair in kept_answer(library, page, version).headers]
    if part == "links":
        return [_plain_link(link) for link in library.outlinks(page.url)]
    if part == "backlinks":
        return [{"source": link.source, **_plain_link(link)} for link in library.backlinks(page.url)]
    text = library.text(page.url, version)
    if part == "text":
        return text
    then = {"title": version.title, "fetched_at": version.at, "digest": version.digest} if version else {}
    label = library.labels().get(page.url)
    said = {"label": label.relevant, "label_by": label.by} if label is not None else {"label": None, "label_by": ""}
    return {**msgspec.to_builtins(page), **then, **said, "text": text}


def _plain_link(link: Link) -> dict[str, Any]:
    return {"url": link.url, "anchor": link.anchor, "title": link.title, "rel": link.rel, "kind": link.kind}
