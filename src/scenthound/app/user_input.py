"""What people write, read: which URL is meant, which day, how long."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import datetime

from scenthound import urls
from scenthound.errors import UsageError
from scenthound.protocols.library import Decisions
from scenthound.text import languages

_WITHOUT_SPACES = ("ja", "ko", "th", "zh")  # cut into pieces, not stemmed: see text/analysis.py
_SECOND_LETTERS = {
    "a": "abefkmnrsvyz", "b": "aeghimnors", "c": "aehorsuvy", "d": "aevz", "e": "elnostu", "f": "afijory",
    "g": "adlnuv", "h": "aeiortuyz", "i": "adegiknostuw", "j": "aivw", "k": "agijklmnorsuvwy", "l": "abginotuv",
    "m": "ghiklnorsty", "n": "abdeglnorvy", "o": "cjmrs", "p": "ailst", "q": "u", "r": "mnouw",
    "s": "acdeghiklmnoqrstuvw", "t": "aeghiklnorstwy", "u": "gkrz", "v": "eio", "w": "ao", "x": "h", "y": "io",
    "z": "ahu",
}  # fmt: skip
"""First letter of a code -> second letters: all of ISO 639-1, and codes it had before."""
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*\Z")
_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
_AGO = re.compile(r"(\d+)\s*(min|minutes?|h|hours?|d|days?|w|weeks?|m|months?|y|years?)\Z")
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([smhdw])|(?:(s)ec|(m)in|(h)our|(d)ay|(w)eek)[a-z]*)?\Z")
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 7 * 86_400.0}
_AGO_SECONDS = {"mi": 60.0, "h": 3600.0, "d": 86_400.0, "w": 7 * 86_400.0, "m": 30 * 86_400.0, "y": 365 * 86_400.0}


def canonical(text: str) -> str:
    """The URL that is meant, in the library's spelling; `example.org/x` is taken as https."""
    url = urls.canonical(text if "://" in text else f"https://{text}")
    if isinstance(url, urls.Malformed):
        raise UsageError(f"{text!r} is no URL of a page: {url.reason}.")
    return url


def stored_spelling(library: Decisions, text: str) -> str:
    """The URL that is meant; without a scheme, the one of both that the library knows."""
    url = canonical(text)
    if "://" not in text and library.url_row(url) is None:
        other = urls.other_scheme(url)
        return other if library.url_row(other) is not None else url
    return url


def language_code(text: str) -> str:
    """`en`, `en-GB`, `English`, or the code of a language nothing is known of, whose words are taken as they are.

    Of codes with three letters, of which there are thousands, none is refused.
    """
    said = text.strip()
    if not _is_code(said) and languages.code(said) == languages.UNKNOWN:
        known = ", ".join(sorted([*languages.ALGORITHMS, *_WITHOUT_SPACES]))
        raise UsageError(f"{text!r} is no language. Write its code, as in --language de. Known well are: {known}.")
    return said if _is_code(said) else languages.code(said)


def _is_code(text: str) -> bool:
    first = re.split(r"[-_]", text.lower(), maxsplit=1)[0]
    return _CODE.match(text) is not None and (len(first) == 3 or first[1] in _SECOND_LETTERS.get(first[0], ""))


def moment(text: str | None, now: Callable[[], float] = time.time) -> float:
    """`2026-11-15`, `2026-11-15T08:00`, or `30min`, `12h`, `3d`, `2w`, `1m` (a month), `1y` before now, as unix time.

    0 for nothing.
    A time without a zone is one of this place.
    """
    if not text:
        return 0.0
    try:
        if ago := _AGO.match(text.strip().lower()):
            unit = "mi" if ago[2].startswith("mi") else ago[2][0]
            return datetime.fromtimestamp(now() - int(ago[1]) * _AGO_SECONDS[unit]).timestamp()
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        raise UsageError(
            f"{text!r} is no date. Write 2026-11-15, 2026-11-15T08:00, or 3d for three days ago, 1m for a month."
        ) from None


def end_of_day(text: str) -> float:
    """A moment; a day without a time is that day's end."""
    return moment(text) + (86_399.0 if _DAY.match(text.strip()) else 0.0)


def span(text: str) -> float:
    """`90s`, `30m`, `6h`, `2d`, `1w` as seconds; a bare number is minutes."""
    match = _SPAN.match(text.strip().lower())
    seconds = float(match[1]) * _SECONDS[next(filter(None, match.groups()[1:]), "m")] if match else 0.0
    if not 0 < seconds < 10 * 366 * 86_400:
        raise UsageError(f"{text!r} is no length of time. Write 30m, 6h or 2d.")
    return seconds
