"""Numbers, times, endings and foreign texts as people read them, on a page or in a terminal."""

from __future__ import annotations

import re
from datetime import datetime

from scenthound.frontier.random_draw import DRAWN

ENDINGS = {
    "pages": "as many pages as were asked for",
    "requests": "as many requests as were allowed",
    "minutes": "the time was up",
    "coverage reached": "coverage reached: as large a share is found as was wanted",
    "harvest fell": "harvest fell: the last pages brought too few relevant ones",
    "nothing relevant": "nothing relevant was found",
    "frontier empty": "no link was left to follow",
    "stopped": "stopped by you",
    "language": "went on in the language of its pages",
    "sites": "as many relevant sites as were wanted",
    "pprs-rate": "a relevant site took too many pages",
    "imported": "taken in from elsewhere",
    "crashed": "broken off",
    "": "going on, or broken off",
}


def ending_words(ending: str, held: float | None = 0, looks: float | None = 0) -> str:
    """Why a run ended. `held`: links that were left, of hosts that could not be asked for their robots.txt; `looks`:
    stored pages that a round looked at again."""
    if ending == "frontier empty" and held:
        return "what is left waits for hosts that could not be asked"
    if ending == "frontier empty" and looks:
        return "looked at all that was due"
    return ENDINGS.get(ending, ending)


def priority(value: float, digits: int = 3) -> str:
    """Of a link, as its strategy ranks it; what goes before all of these has words for it."""
    if value >= DRAWN:
        return "drawn at random" if value == DRAWN else "asked before all others"
    return f"priority {value:.{digits}f}"


def percent(part: float, whole: float = 1.0) -> str:
    """`42 %`; one decimal below ten, where it matters; a dash where there is nothing to divide by."""
    if not whole:
        return "–"
    share = 100 * part / whole
    return f"{share:.1f} %" if 0 < share < 9.95 else f"{share:.0f} %"


def duration(seconds: float) -> str:
    """`0:07`, `12:30`, `1:02:03`, `3 d 4 h`."""
    total = max(0, round(seconds))
    if total >= 100 * 3600:
        return f"{total // 86400} d {total % 86400 // 3600} h"
    hours, minutes = total // 3600, total % 3600 // 60
    return f"{hours}:{minutes:02}:{total % 60:02}" if hours else f"{minutes}:{total % 60:02}"


def ago(seconds: float) -> str:
    """`moments ago`, `5 minutes ago`, `3 hours ago`, `2.5 days ago`."""
    if seconds < 60:
        return "moments ago"
    if seconds < 86_400:
        whole = plural(int(seconds // 60), "minute") if seconds < 3_600 else plural(int(seconds // 3_600), "hour")
        return f"{whole} ago"
    return f"{seconds / 86_400:.1f} days ago"


def size(number: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if number < 999.5:
            return f"{number:.0f} {unit}" if number >= 99.5 or unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def count(number: int) -> str:
    return f"{number:,}"


def plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def printable(text: str) -> str:
    """Foreign text on one line, with nothing in it that a terminal would obey."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(text.split())


def short_url(url: str) -> str:
    """A URL without what every URL has."""
    return re.sub(r"^https?://(www\.)?", "", printable(url)).rstrip("/")


def day(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")
