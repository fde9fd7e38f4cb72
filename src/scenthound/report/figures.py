"""Numbers, times and endings as people read them, on a page or in a terminal."""

from __future__ import annotations

ENDINGS = {
    "pages": "as many pages as were asked for",
    "requests": "as many requests as were allowed",
    "minutes": "the time was up",
    "frontier empty": "no link was left to follow",
    "stopped": "stopped by you",
    "crashed": "broken off",
    "": "going on, or broken off",
}


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


def size(number: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if number < 999.5:
            return f"{number:.0f} {unit}" if number >= 99.5 or unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"
