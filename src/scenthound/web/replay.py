"""A stored page to look at, in a sandbox of its own: see `parse.inert_html` for what is left of it."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from starlette.responses import HTMLResponse

from scenthound import urls
from scenthound.app.show import as_text
from scenthound.model import Response as StoredResponse
from scenthound.parse.file_format import file_format
from scenthound.parse.inert_html import inert_html
from scenthound.protocols.library import Library
from scenthound.web.answers import stored_answer

POLICY = (
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "
    "sandbox allow-top-navigation-by-user-activation"
)


def replayed(library: Library, name: str, url: str) -> HTMLResponse:
    """The page as a document; its links lead to the dashboard's own page about their target."""
    page, body = stored_answer(library, url)
    base = urls.Base(page.url)

    def link(href: str) -> str:
        target = base.resolve(href) if href else ""
        return f"/{name}/page?url={quote(target, safe='')}" if isinstance(target, str) and target else ""

    headers = (("Content-Type", page.media_type),)
    answer = StoredResponse(page.url, page.status, headers, body)
    if file_format(answer):  # a document: what was read in it
        shown = f"<pre>{escape(library.text(page.url) or '')}</pre>"
    else:
        shown = inert_html(as_text(answer, page.charset), link)
    document = (
        f'<!doctype html><html lang="{escape(page.language[:20])}"><head><meta charset="utf-8">'
        f'<title>{escape(page.title)}</title><link rel="stylesheet" href="/static/replay.css"></head>'
        f"<body>{shown}</body></html>"
    )
    return HTMLResponse(document, headers={"Content-Security-Policy": POLICY})
