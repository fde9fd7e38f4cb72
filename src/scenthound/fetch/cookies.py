"""Cookies, where the operator wants them sent back: kept apart by site, as browsers do.

aiohttp's jar bounds how many there are and how long, and gives each only to hosts below the domain it names. What it
does not know is which domains belong to nobody: a page of `a.co.uk` could set a cookie for all of `co.uk`, and every
other site there would be told it. Such a cookie is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import aiohttp
from yarl import URL

from scenthound import urls

_DOMAIN = re.compile(r";\s*domain\s*=\s*\"?\.?([^;\"\s]*)", re.IGNORECASE)


class SiteCookies(aiohttp.CookieJar):
    """A jar that takes no cookie for more than the site of the host that set it."""

    def update_cookies_from_headers(self, headers: Sequence[str], response_url: URL) -> None:
        host = response_url.raw_host or ""
        own = [header for header in headers if is_within_site(header, host)]
        super().update_cookies_from_headers(own, response_url)


def is_within_site(set_cookie: str, host: str) -> bool:
    """Whether every domain that a Set-Cookie header names lies within the site of its host, or is the host."""
    site = urls.site(f"http://{host}/")
    named = {domain.lower() for domain in _DOMAIN.findall(set_cookie)} - {"", host}
    return all(domain == site or domain.endswith(f".{site}") for domain in named)
