"""What an answer is worth: a page, a redirect, or a failure of some kind. Every fetcher asks here.

    2xx  HTML or XHTML with something in it   Response
         a file of a format that is wanted    Response
         another media type                   Failed("type")
         nothing in it, or 204, 205           Failed("empty")
    3xx  with a Location                      Response; the engine queues the target
         without                              Failed("redirect")
    304  to a conditional request             Response, else Failed("status")
    429, 503                                  Failed("status"), to be asked again after Retry-After
    408, other 5xx                            Failed("status"), may pass when asked again
    the rest                                  Failed("status")

An answer to a link of the kind `robots` is always a `Response`: there every status means something (see `robots.py`).
Feeds, sitemaps and `data` may be of any media type; for the rest they are treated as pages are.
"""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime

from msgspec.structs import replace

from scenthound.model import Failed, LinkKind, Response
from scenthound.parse.file_format import PAGE_TYPES, file_format, is_wanted

Headers = tuple[tuple[str, str], ...]
Wanted = frozenset[str]  # formats of files, or kinds of them
NOTHING: Wanted = frozenset()

ROBOTS_BYTES = 512 * 1024
"""How much of a robots.txt is read. RFC 9309 asks for at least 500 KiB; what exceeds it is cut, not refused."""

MAX_RETRY_AFTER = 86_400.0
"""A server that asks us to stay away longer than a day gets a day."""

MAX_DETAIL = 300
"""Characters of a failure's detail."""

UNKNOWN_TYPES = frozenset({"", "*/*", "unknown/unknown", "application/unknown"})
"""Types that say nothing, by the WHATWG's sniffing standard: the first bytes decide."""

DATA_KINDS = frozenset({"feed", "sitemap", "data", "image", "part"})
"""Links asked for what they list, whatever type their server calls it."""

REDIRECTS = frozenset({300, 301, 302, 303, 307, 308})

_SNIFFED = 512
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MAGIC = (b"%PDF-", b"%!PS", b"GIF8", b"\x89PNG", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"RIFF", b"BM")
_UTF16 = (b"\xfe\xff", b"\xff\xfe")


def classify(
    response: Response, kind: LinkKind = "a", conditional: bool = False, wanted: Wanted = NOTHING
) -> Response | Failed:
    """The response itself where it is a page, a redirect or a robots request's answer; else why it is none.

    `wanted`: formats of files that are welcome beside pages.
    """
    return refuse(response, kind, conditional, wanted) or settle(response, kind, wanted)


def refuse(head: Response, kind: LinkKind, conditional: bool = False, wanted: Wanted = NOTHING) -> Failed | None:
    """What can be said before the body is read. None: read on."""
    status = head.status
    if kind == "robots":
        return None
    if 200 <= status < 300:
        if status in (204, 205):
            return failure(head, "empty", "no content")
        if status == 206:
            return failure(head, "status", "206: a part that was not asked for")
        if kind in DATA_KINDS:
            return None
        found = media_type(head)
        if found in PAGE_TYPES or found in UNKNOWN_TYPES or (wanted and is_wanted(file_format(head), wanted)):
            return None
        return failure(head, "type", plain(found))
    if status in REDIRECTS:
        return None if head.header("location").strip() else failure(head, "redirect", "no Location")
    if status == 304 and conditional:
        return None
    if status in (429, 503):
        return failure(head, "status", retry=True, retry_after=retry_after(head.header("retry-after"), head.at))
    return failure(head, "status", retry=status == 408 or 500 <= status < 600)


def settle(response: Response, kind: LinkKind, wanted: Wanted = NOTHING) -> Response | Failed:
    """What only the body can tell, of a response whose head was not refused."""
    if kind == "robots" or not 200 <= response.status < 300:
        return response
    if not response.body:
        return failure(response, "empty", "no body")
    if kind in DATA_KINDS or (wanted and is_wanted(file_format(response), wanted)):
        return response
    if media_type(response) in UNKNOWN_TYPES and looks_binary(response.body):
        return failure(response, "type", "application/octet-stream")
    return response


def of_a_still_web(answer: Response | Failed) -> Response | Failed:
    """An answer of a web that is replayed: asked again it says the same, and there is no server that needs a rest."""
    return replace(answer, retry=False, retry_after=0.0) if isinstance(answer, Failed) else answer


def failure(head: Response, kind: str, detail: str = "", retry: bool = False, retry_after: float = 0.0) -> Failed:
    return Failed(
        head.url,
        kind,  # type: ignore[arg-type]
        detail,
        status=head.status,
        retry=retry,
        retry_after=retry_after,
        at=head.at,
        elapsed=head.elapsed,
    )


def plain(text: str) -> str:
    """Words of a server or a library as one short line that can be shown: no line ends, nothing a terminal obeys."""
    line = " ".join(text[:1_000].split())[:MAX_DETAIL]
    return line if line.isprintable() else "".join(char if char.isprintable() else "?" for char in line)


def media_type(response: Response) -> str:
    """As the header says, without parameters; the first where a server joined several by commas."""
    return response.media_type.partition(",")[0].strip()


def looks_binary(body: bytes) -> bool:
    """Whether a body of unstated type is no text. UTF-16 with its mark is text, for all its NULs."""
    start = body[:_SNIFFED]
    if start.startswith(_UTF16):
        return False
    return start.startswith(_MAGIC) or _BINARY.search(start) is not None


def retry_after(value: str, now: float) -> float:
    """Seconds to wait by a Retry-After header, in either of its forms; 0 where it says nothing usable."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return MAX_RETRY_AFTER if len(value) > 6 else min(float(value), MAX_RETRY_AFTER)
    try:
        seconds = parsedate_to_datetime(value).timestamp() - now
    except (ValueError, TypeError, OverflowError, OSError, IndexError):
        return 0.0
    return min(max(seconds, 0.0), MAX_RETRY_AFTER)


def decoded(raw: tuple[tuple[bytes, bytes], ...]) -> Headers:
    """Header fields as text: UTF-8 where it is, else Latin-1, so that no byte is lost and no surrogate appears."""
    try:
        return tuple([(name.decode(), value.decode()) for name, value in raw])
    except UnicodeDecodeError:
        return tuple([(name.decode("latin-1"), _text(value)) for name, value in raw])


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
