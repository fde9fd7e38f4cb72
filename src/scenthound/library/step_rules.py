"""What a step means for a library, whatever the library is made of: what is kept of it, and what it counts for."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

from msgspec import Struct

from scenthound.model import Response, Step
from scenthound.protocols.records import Ending

KEPT = frozenset({"changed", "moved"})
"""Outcomes of a look whose answer is kept as a version. Of the others the archive notes that nothing new came."""
STATE_CHANGING = KEPT | {"gone"}
AS_STORED = frozenset({"same", "noise"})
SEEN = frozenset({"same", "noise", "changed"})
MOST_TAG = 1_000  # characters of an ETag that is sent back


def brings_version(step: Step) -> bool:
    """Is its answer kept? That of a look at a stored page only if it brought something new."""
    return step.response is not None and (step.check is None or step.check.outcome in KEPT)


def is_archived(step: Step) -> bool:
    """May its bytes be kept? Not those of a page that says `noindex`."""
    return step.visit is None or not step.visit.page.noindex


def has_text(step: Step) -> bool:
    """Is there a page in it whose text may be kept?"""
    return (
        step.visit is not None
        and not step.visit.page.noindex
        and step.response is not None
        and bool(step.response.body)
    )


def judged(step: Step) -> tuple[float, bool]:
    """Relevance after a look, and whether it counts: of the page it brought, else as it was."""
    if step.visit is not None:
        return step.visit.relevance, step.visit.relevant
    return (step.check.before, step.check.was_relevant) if step.check is not None else (0.0, False)


def ending(step: Step) -> Ending | None:
    """How a link ended that brought no page, as a strategy heard of it. Robots rules are nobody's lesson."""
    if step.check is not None or step.lease.link.kind == "robots":
        return None
    if step.state == "moved":
        return "refused" if step.refused else "moved"  # the target that it would not follow
    if step.state == "refused":
        return "refused" if step.for_good else "given up"
    return "failed" if step.state == "failed" else None


class HostChange(Struct):
    """What is to be added to the figures of a host."""

    asked: int = 0
    pages: int = 0
    relevant: int = 0
    failed: int = 0
    bytes: int = 0
    last_asked: float = 0.0
    delay: float = -1.0  # below 0: nothing new


def count_hosts(step: Step, hosts: dict[str, HostChange]) -> None:
    """Adds what a step changes in the figures of hosts."""
    for name, delay in step.delays.items():
        hosts.setdefault(name, HostChange()).delay = delay
    if step.state == "refused" or (step.state == "waiting" and not step.reason):
        return  # nobody was asked
    host = hosts.setdefault(step.lease.host, HostChange())
    host.asked += 1
    host.failed += step.state == "failed"
    host.last_asked = max(host.last_asked, step.at)
    if step.response is not None:
        host.bytes += step.response.wire or len(step.response.body)
    if step.visit is not None:
        counted = step.visit.relevant and not step.duplicate_of
        host.pages += step.check is None
        host.relevant += counted - (step.check is not None and step.check.counted)


def validators(response: Response) -> tuple[str, str]:
    """What the server wants to be asked with next time; of no use where it would not fit in a request's header."""
    etag, modified = response.header("etag").strip(), response.header("last-modified").strip()
    return _sendable(etag), _sendable(modified)


def modified_at(value: str) -> float | None:
    """A Last-Modified as unix time; None where it cannot be read or lies."""
    try:
        at = parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, OverflowError, OSError, IndexError):
        return None
    return at if at > 0 else None


def _sendable(value: str) -> str:
    return value if value.isascii() and value.isprintable() and len(value) <= MOST_TAG else ""
