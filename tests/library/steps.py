"""Steps as an engine would make them, for tests."""

from __future__ import annotations

from typing import Any

from scenthound import urls
from scenthound.model import Link, Page, Refusal, Response, Step, Visit, Waiting

SEED = "http://a.example/"


def entry(url: str, priority: float = 0.5, order: int = 0, source: str = "", **more: Any) -> Waiting:
    link = Link(url=url, source=source, anchor=f"to {url}", kind="a" if source else "seed")
    return Waiting(id=urls.fingerprint(url), link=link, host=urls.host(url), priority=priority, order=order, **more)


def refusal(url: str, reason: str, source: str = SEED) -> Refusal:
    return Refusal(id=urls.fingerprint(url), link=Link(url=url, source=source), host=urls.host(url), reason=reason)


def fetched(lease: Waiting, at: float = 1.0, body: bytes = b"", links: tuple[str, ...] = (), **more: Any) -> Step:
    """The step of a page that was fetched, with what a fetcher and a parser would have made of it."""
    url = lease.link.url
    body = body or f"<p>{url}</p>".encode()
    page_fields = {name: more.pop(name) for name in ("noindex", "text", "title") if name in more}
    page = Page(
        url=url,
        links=tuple(Link(url=link, source=url, anchor="go", position=n) for n, link in enumerate(links)),
        **({"title": f"Page {url}", "text": body.decode("utf-8", "replace")} | page_fields),
    )
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    response = Response(url=url, status=200, headers=headers, body=body, at=at, address="192.0.2.1")
    visit = Visit(link=lease.link, page=page, relevance=0.75, relevant=True, depth=lease.depth)
    return Step(lease=lease, state="fetched", at=at, response=response, visit=visit, **more)
