"""Browsing from a HAR file, as the network panel of every browser exports it.

Of all the requests in it, those for documents are steps: the first of each page that was answered with HTML. The
`Referer` says where a step came from; a browser that names no more than the site means the last page seen there.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from scenthound import urls
from scenthound.learn.graphs.trails import Click
from scenthound.parse.page import HTML_TYPES


def clicks(data: dict[str, Any]) -> list[Click]:
    """The documents of a HAR file in order, each with the one it was reached from."""
    found: list[Click] = []
    for number, (url, referer, at) in enumerate(_documents(data), 1):
        found.append(Click(number, url, at, _origin(found, referer)))
    return found


def _documents(data: dict[str, Any]) -> Iterator[tuple[str, str, float]]:
    entries = [entry for entry in _list(_dict(data.get("log")).get("entries")) if isinstance(entry, dict)]
    seen: set[str] = set()
    for entry in sorted(entries, key=lambda entry: _time(entry.get("startedDateTime"))):
        request, response = _dict(entry.get("request")), _dict(entry.get("response"))
        page = entry.get("pageref")
        if request.get("method") not in ("GET", "POST") or not _is_document(entry, response):
            continue
        url = urls.canonical(str(request.get("url") or ""))
        if isinstance(url, urls.Malformed) or (isinstance(page, str) and page in seen):
            continue
        if isinstance(page, str):
            seen.add(page)
        yield url, _referer(request), _time(entry.get("startedDateTime"))


def _is_document(entry: dict[str, Any], response: dict[str, Any]) -> bool:
    """A page that arrived: no redirect, no error, no picture, and nothing a script asked for."""
    if response.get("status") not in (200, 203, 304) or entry.get("_resourceType") not in (None, "document"):
        return False
    media_type = str(_dict(response.get("content")).get("mimeType") or "").partition(";")[0].strip().lower()
    return media_type in HTML_TYPES


def _referer(request: dict[str, Any]) -> str:
    for header in map(_dict, _list(request.get("headers"))):
        if str(header.get("name")).lower() == "referer":
            url = urls.canonical(str(header.get("value") or ""))
            return url if isinstance(url, str) else ""
    return ""


def _origin(before: list[Click], referer: str) -> int:
    """The last step at that URL; where the referer is a bare site, the last one there; 0: none."""
    if not referer:
        return 0
    exact = next((click.key for click in reversed(before) if click.url == referer), 0)
    if exact or urls.path(referer) != "/":
        return exact
    site = urls.origin(referer)
    return next((click.key for click in reversed(before) if urls.origin(click.url) == site), 0)


def _time(value: Any) -> float:
    try:
        return datetime.fromisoformat(str(value)).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
