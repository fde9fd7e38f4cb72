"""Who may ask at all, before anything else looks at a request.

- **Host**: only names we are known by. A page elsewhere that has its name resolve to 127.0.0.1 (DNS rebinding) asks
  under its own name, and is refused.
- **Origin**: what changes something must come from our own pages, as the browser says (`Origin`, `Sec-Fetch-Site`).
- **Token**: on any address but loopback, whoever asks must know it; the first request brings it in the address, and a
  cookie keeps it.
- **Headers**: a strict policy on every answer. No script of ours stands in a page, so none in a page runs.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
COOKIE = "scenthound_token"
TOKEN = "token"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-DNS-Prefetch-Control": "off",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """Stands around the dashboard. `hosts`: names it is known by, each with its port; `token`: empty on loopback."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str], token: str = "") -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", POLICY)
                headers.setdefault("Cache-Control", "no-store")
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await (refused or self.app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if host not in self.hosts or len(headers.getlist("host")) != 1:
            return PlainTextResponse(
                "This dashboard does not answer to that name. Open it under the address that scenthound printed.", 421
            )
        if scope["method"] not in SAFE and not self._from_our_page(headers, host, scope["scheme"]):
            return PlainTextResponse("Only pages of this dashboard may change something.", 403)
        return self._without_token(scope, headers) if self.token else None

    def _from_our_page(self, headers: Headers, host: str, scheme: str) -> bool:
        """A program that is no browser says nothing about where it comes from, and has no reason to lie."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None and site not in ("same-origin", "none"):
            return False
        return origin is None or origin == f"{scheme}://{host}"

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        given = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        if TOKEN in given and scope["method"] in SAFE and self._is_token(given.pop(TOKEN)):
            rest = f"{scope['path']}?{urlencode(given)}" if given else scope["path"]
            onward = RedirectResponse("/" + rest.lstrip("/"), 303)
            onward.set_cookie(COOKIE, self.token, httponly=True, samesite="lax", path="/")
            return onward
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._is_token(bearer) or self._is_token(_cookie(headers.get("cookie", ""))):
            return None
        return PlainTextResponse("A token is needed here: open the address that scenthound printed.", 401)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


def _cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""
