"""What an answer to /robots.txt means to us (RFC 9309).

    2xx                       the rules in it
    3xx after too many hops   unavailable: everything is allowed
    4xx                       unavailable: everything is allowed
    429, 5xx, no answer       unreachable: the host's links wait, and it is asked again

Here the rules that are ours are chosen: `Scenthound/2.0` names us and `Scent` does not, an unknown line ends no group,
and nothing but CR and LF ends a line. `robots_matching` says which of them a URL meets.

| limit | what lies beyond |
|---|---|
| 512 KiB of a file, a line cut in the middle among them | is not read (RFC 9309 asks for at least 500 KiB) |
| 2,000 pieces of rules with `*` that a URL may meet | a URL that they do not clear is refused |
| 1,000 sitemaps | are not noted |
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

from scenthound import urls
from scenthound.fetch.answer import MAX_RETRY_AFTER, ROBOTS_BYTES, retry_after
from scenthound.fetch.robots_matching import PathRules
from scenthound.model import Failed, Response

DAY = 86_400.0
SHORTEST = 600.0  # seconds for which even a Cache-Control that says "no-store" is held
WHILE = 600.0  # seconds until a robots.txt is asked for again that stayed unreachable
MAX_SITEMAPS = 1000
HOST_FAILURES = frozenset({"dns", "connect", "tls", "timeout", "reset", "address"})
LARGE = 16_384  # bytes of a file that takes longer to read than a page

_line_end = re.compile(r"\r\n|\r|\n")
_product = re.compile(r"[A-Za-z_-]+")
_max_age = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
_uncached = re.compile(r"(?:^|[\s,])no-(?:cache|store)\b", re.IGNORECASE)

AGENT = frozenset({"user-agent", "useragent", "user agent"})
RULES = {"allow": True} | dict.fromkeys(
    ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"),
    False,  # slips that Google's parser knows
)
DELAY = frozenset({"crawl-delay", "crawl delay", "crawldelay"})
SITEMAP = frozenset({"sitemap", "site-map"})
USAGE = frozenset({"content-usage", "content-signal"})  # see `robots_usage`


@dataclass(frozen=True, slots=True)
class HostRules:
    """The rules of one host for us, until `expires`. `default` answers where there is no rule at all.

    Of a robots.txt that could not be read `unreachable` says why, `passing` whether that may be over soon, and `wait`
    how many seconds the server wants us to stay away. `final`: the host is one that a crawler must not ask at all.
    """

    expires: float
    delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    default: bool = True
    rules: PathRules | None = None
    unreachable: str = ""
    passing: bool = False
    wait: float = 0.0
    final: bool = False

    @property
    def weight(self) -> int:
        """How many rules there are."""
        return 0 if self.rules is None else len(self.rules)

    def allows(self, url: str) -> bool:
        """Of a canonical URL. That of the robots.txt itself is always allowed."""
        if self.rules is None:
            return self.default
        path = url[len(urls.origin(url)) :].partition("#")[0] or "/"
        return urls.path(url) == "/robots.txt" or self.rules.allow(path)


def parse(answer: Response | Failed, agent: str, now: float, max_delay: float = 60.0) -> HostRules:
    """The rules in an answer, whatever it is. `agent` is our product name, `max_delay` the longest we will wait."""
    status = answer.status
    if isinstance(answer, Response) and 200 <= status < 300:
        return _read(answer, agent, now, max_delay)
    if 300 <= status < 500 and status != 429:
        return HostRules(expires=now + DAY)
    return unreachable(answer, now)


def unreachable(answer: Response | Failed, now: float) -> HostRules:
    """What an answer means that says nothing about rules."""
    if isinstance(answer, Failed) and answer.kind == "address":
        return HostRules(now + DAY, default=False, unreachable=_cause(answer), final=True)
    passing = answer.retry or answer.status in (429, 503) if isinstance(answer, Failed) else True
    wait = _asked_to_wait(answer, now)
    return HostRules(now, default=False, unreachable=_cause(answer), passing=passing, wait=wait)


def _cause(answer: Response | Failed) -> str:
    """As reasons are written, `kind: detail`. Where the host itself is out of reach, that is the reason."""
    if isinstance(answer, Response) or answer.kind not in HOST_FAILURES:
        detail = "" if isinstance(answer, Response) else answer.detail
        return f"robots unreachable: {detail or answer.status or 'no answer'}"
    return f"{answer.kind}: {answer.detail or 'no detail'}"


async def parse_apart(answer: Response | Failed, agent: str, now: float, max_delay: float = 60.0) -> HostRules:
    """As `parse`; a large file is read in a thread, so that nobody has to wait for it."""
    if isinstance(answer, Failed) or len(answer.body) < LARGE:
        return parse(answer, agent, now, max_delay)
    return await asyncio.to_thread(parse, answer, agent, now, max_delay)


def _asked_to_wait(answer: Response | Failed, now: float) -> float:
    if isinstance(answer, Failed):
        return min(answer.retry_after, MAX_RETRY_AFTER)
    return retry_after(answer.header("retry-after"), answer.at or now)


def _read(answer: Response, agent: str, now: float, max_delay: float) -> HostRules:
    expires = now + _lifetime(answer.header("cache-control"))
    text = robots_text(answer.body)
    if text.lstrip()[:1] == "<":  # a web page: the server answers so to every address
        return HostRules(expires=expires)
    ours, sitemaps = records_for(text, agent)
    rules = [(RULES[field], value) for field, value in ours if field in RULES and value]
    delays = [seconds for field, value in ours if field in DELAY and (seconds := _seconds(value)) is not None]
    return HostRules(
        expires=expires,
        delay=min(max(delays), max_delay) if delays else None,
        sitemaps=sitemaps,
        rules=PathRules(rules) if rules else None,
    )


def robots_text(body: bytes) -> str:
    """A robots.txt as text, as much of it as is read."""
    # NULs and a mark that is no UTF-8 are what is left of UTF-16.
    return _whole_lines(body).decode("utf-8", "replace").replace("\0", "").lstrip("\ufeff\ufffd")


def _whole_lines(body: bytes) -> bytes:
    """As much as is read. The end of a longer file is cut off with its line: half of an Allow would allow more."""
    if len(body) < ROBOTS_BYTES:
        return body
    body = body[:ROBOTS_BYTES]
    return body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]


def records_for(text: str, agent: str) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """The records of all groups that name us, or of all for everybody where none does; and the sitemaps."""
    token = _token(agent)
    named: list[tuple[str, str]] = []
    everybody: list[tuple[str, str]] = []
    sitemaps: list[str] = []
    for_us = for_all = found = in_rules = False
    for field, value in fields_of(text):
        if field in AGENT:
            if in_rules:
                for_us = for_all = in_rules = False
            for_all |= value.split(" ")[0] == "*"
            for_us |= bool(token) and _token(value) == token
            found |= for_us
        elif field in RULES or field in DELAY or field in USAGE:
            # Only rules end the list of a group's names; a delay may stand between them.
            in_rules |= field in RULES
            if for_us:
                named.append((field, value))
            if for_all:
                everybody.append((field, value))
        elif field in SITEMAP and len(sitemaps) < MAX_SITEMAPS:
            sitemaps.append(value)
    return (named if found else everybody), tuple(sitemaps)


def fields_of(text: str) -> list[tuple[str, str]]:
    """(field, value) of every line that has a field, comments taken off and white space made plain."""
    records = []
    for line in _line_end.split(text):
        field, colon, value = line.partition("#")[0].partition(":")
        if not colon:  # "Disallow /x": not by the standard, but meant
            field, _, value = field.strip().partition(" ")
        records.append((field.strip().lower(), " ".join(value.split())))
    return records


def _token(name: str) -> str:
    """The product token of a name: its letters, `_` and `-` up to the first other character."""
    match = _product.match(name.strip())
    return match.group().lower() if match else ""


def _seconds(value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return None
    return seconds if 0.0 <= seconds < float("inf") else None


def _lifetime(cache_control: str) -> float:
    """How long rules are held: a day, unless the server asks for less (RFC 9309 2.4)."""
    if _uncached.search(cache_control):
        return SHORTEST
    age = _max_age.search(cache_control)
    return min(max(float(age.group(1)), SHORTEST), DAY) if age else DAY
