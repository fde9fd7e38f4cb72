"""Hosts that could not be asked: which links wait for them, and what to say of a crawl that brought nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from msgspec import Struct

from scenthound import urls
from scenthound.app.events import Summary
from scenthound.errors import NothingFetched, SeedsFailed
from scenthound.library import library_at
from scenthound.protocols.library import Library
from scenthound.report.failure_words import in_words
from scenthound.report.formatting import plural

MOST_SEEDS = 3  # that are named

AGAIN = "see that the server can be reached, then"
ANOTHER = "begin at another page"
ADVICE = {
    "dns": "check how the name is spelled, and that this machine is online, then",
    "tls": "no encrypted connection to it can be trusted; begin at a page of another server",
    "connect": AGAIN,
    "timeout": AGAIN,
    "reset": AGAIN,
    "robots unreachable": "its robots.txt says what may be asked; try again when it can be read",
    "robots": "its robots.txt does not allow it; begin at another page",
    "type": "it is no web page; begin at one",
}
"""What to do before the next command, by the kind of trouble."""

UNANSWERED = "timeout: no answer before the time was up"


class SeedTrouble(Struct, frozen=True):
    """A seed without a page, and why."""

    seed: str
    cause: str
    at: float = 0.0  # when that was found


def held_links(library: Library) -> dict[str, int]:
    """How many links wait for hosts whose robots.txt could not be read, by the kind of reason."""
    held: Counter[str] = Counter()
    unread = [row for link in library.failed("robots") if (row := library.url_row(link.url)) is not None]
    waiting = {queue.host: queue.waiting for queue in library.queues()} if unread else {}
    for row in unread:
        if row.host in waiting:
            held[row.reason.partition(":")[0]] += waiting[row.host]
    return dict(held)


def held_because(library: Library, url: str) -> str:
    """Why the robots.txt of a waiting link's host could not be read; empty where that holds nothing up."""
    row = library.url_row(f"{urls.origin(url)}/robots.txt")
    return row.reason if row is not None and row.state == "failed" else ""


def seed_troubles(library: Library, seeds: list[str], since: float = 0.0) -> list[SeedTrouble]:
    """The seeds that brought no page, redirects followed; only those of which that was found since then."""
    found = [trouble for seed in seeds if (trouble := _trouble(library, seed)) is not None]
    return [trouble for trouble in found if trouble.at >= since]


def _url(seed: str) -> str | urls.Malformed:
    return urls.canonical(seed if "://" in seed else f"https://{seed}")


def _waits(library: Library, seed: str) -> bool:
    url = _url(seed)
    row = library.url_row(url) if isinstance(url, str) else None
    return row is not None and row.state == "waiting"


def _trouble(library: Library, seed: str) -> SeedTrouble | None:
    url = _url(seed)
    passed: set[str] = set()
    while isinstance(url, str) and url not in passed and (row := library.url_row(url)) is not None:
        passed.add(url)
        if row.state != "moved":
            cause = "" if row.state == "fetched" else row.reason or held_because(library, url)
            return SeedTrouble(seed, cause, row.changed_at) if cause else None
        url = row.reason
    return None


def nothing_fetched(summary: Summary, folder: Path, seeds: list[str], onward: str) -> NothingFetched | None:
    """What to tell of a crawl that brought no page although it asked for some; None where there is nothing to tell."""
    if summary.new_pages or summary.ending in ("pages", "stopped"):
        return None
    with library_at(folder) as library:
        troubles = seed_troubles(library, seeds)
        if not troubles and summary.ending == "minutes":
            troubles = [SeedTrouble(seed, UNANSWERED) for seed in seeds if _waits(library, seed)]
    if not troubles:
        return None
    told = _named({trouble.seed: trouble.cause for trouble in troubles})
    return NothingFetched(f"Nothing was fetched.\n{told}\n{_advice(troubles[0].cause, onward)}")


def some_seeds_failed(summary: Summary, seeds: list[str], onward: str) -> SeedsFailed | None:
    """What to tell of a crawl that went well but for some of its seeds; None where all are well."""
    failed = summary.seeds_failed
    if not failed:
        return None
    told = f"{len(failed):,} of {plural(len(seeds), 'seed')} brought no page.\n{_named(failed)}"
    return SeedsFailed(f"{told}\n{_advice(next(iter(failed.values())), onward)}")


def _named(causes: Mapping[str, str]) -> str:
    told = "\n".join(f"  {seed}  {in_words(cause)}" for seed, cause in islice(causes.items(), MOST_SEEDS))
    return f"{told}\n  and {len(causes) - MOST_SEEDS} more" if len(causes) > MOST_SEEDS else told


def _advice(cause: str, onward: str) -> str:
    kind = cause.partition(":")[0]
    if "needs --allow-private" in cause:
        return f"If it is a server of yours: {onward} --allow-private"
    advice = ADVICE.get(kind, ANOTHER)
    again = advice.endswith("then") or kind == "robots unreachable"
    return f"{advice[0].upper()}{advice[1:]}: {onward}{'' if again else ' --seed URL'}"
