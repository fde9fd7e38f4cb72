"""Cookies and headers that some hosts want to see: read from files, sent to those hosts and to nobody else.

    cookies.txt      as browsers' add-ons and curl write them (Netscape format)
    a .toml file     a table for each host:

        ["intranet.example.org"]
        headers = { Authorization = "Bearer ..." }
        cookies = { session = "..." }
        plain_http = true        # also without encryption; else only over https

They are sent over https alone, unless the file says otherwise. `HttpFetcher` hands on no question with them in it, so
they are in no WARC file, and topic.toml knows the name of the file only.
"""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Iterable
from http.cookiejar import LoadError, MozillaCookieJar
from pathlib import Path

import msgspec
from msgspec import Struct

from scenthound.errors import ConfigError
from scenthound.protocols.crawl import Clock

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\uffff]*")
_NOT_OURS = frozenset({"host", "content-length", "transfer-encoding", "connection", "user-agent", "accept-encoding"})


class Login(Struct, frozen=True, forbid_unknown_fields=True):
    """What one host wants, as a .toml file has it."""

    headers: dict[str, str] = {}
    cookies: dict[str, str] = {}
    plain_http: bool = False


class LoginCookie(Struct, frozen=True):
    name: str
    value: str
    domain: str
    below: bool  # for hosts below the domain, too
    path: str
    secure: bool
    expires: float  # unix time; 0: never


class Logins:
    """All that is known, by host."""

    def __init__(self, files: Iterable[str | Path] = (), clock: Clock = time.time) -> None:
        self._clock = clock
        self._hosts: dict[str, Login] = {}
        self._cookies: list[LoginCookie] = []
        for file in files:
            path = Path(file)
            if path.suffix.lower() == ".toml":
                self._hosts |= _hosts_of(path)
            else:
                self._cookies += _cookies_of(path)
        headers = (name for login in self._hosts.values() for name in login.headers)
        self._names = frozenset(name.lower() for name in headers) | {"cookie"}

    @property
    def names(self) -> frozenset[str]:
        """Headers that may hold a secret, in small letters: nobody else is to see them."""
        return self._names

    def __bool__(self) -> bool:
        return bool(self._hosts or self._cookies)

    def headers(self, scheme: str, host: str, path: str) -> dict[str, str]:
        """What to send along with a request; nothing for most."""
        safe = scheme == "https"
        login = self._hosts.get(host)
        if login is not None and not (safe or login.plain_http):
            login = None
        now = self._clock()
        cookies = {cookie.name: cookie.value for cookie in self._cookies if _is_for(cookie, host, path, safe, now)}
        if login is not None:
            cookies |= login.cookies
        found = dict(login.headers) if login is not None else {}
        if cookies:
            found["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        return found


def _is_for(cookie: LoginCookie, host: str, path: str, safe: bool, now: float) -> bool:
    on_host = host == cookie.domain or (cookie.below and host.endswith(f".{cookie.domain}"))
    below = path == cookie.path or path.startswith(cookie.path.rstrip("/") + "/")
    return on_host and below and (safe or not cookie.secure) and (not cookie.expires or cookie.expires > now)


def _hosts_of(path: Path) -> dict[str, Login]:
    try:
        tables = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), dict[str, Login])
    except OSError as error:
        raise ConfigError(f"The logins {path} cannot be read: {error.strerror}.") from error
    except (ValueError, msgspec.ValidationError):  # the message might show what is in it
        raise ConfigError(
            f'{path} is no file of logins. Write a table for each host: ["example.org"], then headers or cookies.'
        ) from None
    for host, login in tables.items():
        for name, value in (*login.headers.items(), *login.cookies.items()):
            if not _TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
                raise ConfigError(f"{path}, [{host}]: {name!r} or its value cannot stand in a header.")
        if taken := sorted(name for name in login.headers if name.lower() in _NOT_OURS):
            raise ConfigError(f"{path}, [{host}]: {taken[0]} is not to be set: it belongs to the request itself.")
    return {host.lower(): login for host, login in tables.items()}


def _cookies_of(path: Path) -> list[LoginCookie]:
    jar = MozillaCookieJar()
    try:
        jar.load(str(path), ignore_discard=True, ignore_expires=True)
    except LoadError:
        raise ConfigError(
            f"{path} is no cookies.txt: such a file begins with # Netscape HTTP Cookie File. "
            "Headers go into a file that ends in .toml."
        ) from None
    except OSError as error:
        raise ConfigError(f"The logins {path} cannot be read: {error.strerror}.") from error
    return [
        LoginCookie(
            cookie.name,
            cookie.value or "",
            cookie.domain.lstrip(".").lower(),
            cookie.domain.startswith("."),
            cookie.path or "/",
            cookie.secure,
            float(cookie.expires or 0),
        )
        for cookie in jar
        if _TOKEN.fullmatch(cookie.name) and _VALUE.fullmatch(cookie.value or "")
    ]
