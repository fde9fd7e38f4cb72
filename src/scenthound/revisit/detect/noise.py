"""What changes on a page though nothing has changed: dates, clocks, counters, revision stamps, session ids, spaces.

Noise is taken out of both versions before they are compared a second time: where the calm texts are the same,
the change was noise. The masks are meant to err on the side of change, so they take out the stamp and leave the
sentence around it: a page that announces something on another day still has other words.

    "Last modified: 3 May 2015, 14:02. 1,204 visitors."   ──▶   "Last modified: ⧗. # visitors."
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

DATE, NUMBER, TOKEN = "⧗", "#", "⌗"

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s)?"
_ZONE = r"(?:\s?(?:(?:utc|gmt|z|ce?s?t|[ecmp][sd]t|bst|jst)\b|[+-]\d{2}:?\d{2}\b))?"
_CLOCK = rf"[0-2]?\d:[0-5]\d(?::[0-5]\d(?:\.\d{{1,6}})?)?(?:\s?[ap]\.?m\b\.?)?{_ZONE}"
_YEAR = r"(?:19|20)\d\d"

_WRITTEN = (  # 3 May 2015
    rf"{_DAY}\d\d?(?:st|nd|rd|th)?[\s-]{_MONTH}[\s,-]{{1,2}}{_YEAR}\b(?:,?\s(?:at\s)?{_CLOCK})?"
)

_STAMPS = re.compile(
    r"\$(?:id|revision|date|author|header|openbsd|netbsd|freebsd|rcsfile|mdocdate)(?::[^$\n]{0,200})?\$", re.IGNORECASE
)
# Most places of a text begin neither a number nor the name of a day or month: told at a glance, that saves much time.
_DATES = re.compile(
    r"\b(?:(?=\d)(?:"
    rf"{_YEAR}-\d\d?-\d\d?(?:[t\s]{_CLOCK})?"  # 2015-05-03T14:02:00Z
    rf"|{_YEAR}/\d\d?/\d\d?(?:\s{_CLOCK})?"
    rf"|\d\d?[/.]\d\d?[/.](?:{_YEAR}|\d\d)\b"  # 3.5.2015, 05/03/15
    rf"|{_WRITTEN}"
    rf"|{_CLOCK}"
    r"|\d{1,3}\s(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?)\sago\b"
    r")|(?=jan|feb|ma[ry]|apr|ju[nl]|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)(?:"
    rf"{_WRITTEN}"
    rf"|{_DAY}{_MONTH}\s\d\d?(?:st|nd|rd|th)?,?\s{_YEAR}\b(?:,?\s(?:at\s)?{_CLOCK})?"  # May 3, 2015
    rf"|{_DAY}{_MONTH}\s\d\d?\s{_CLOCK}\s{_YEAR}\b"  # Sun May 3 14:02:00 UTC 2015
    r"))",
    re.IGNORECASE,
)
_COPYRIGHT = re.compile(rf"(copyright|\(c\)|©)(\s*(?:\(c\)|©)?\s*){_YEAR}(?:\s?[-–,]\s?{_YEAR}){{0,9}}", re.IGNORECASE)
_COUNTED = (
    r"views?|visits?|visitors?|hits?|reads?|downloads?|comments?|replies|likes?|shares?|votes?|users? online|online"
)
_COUNTERS = re.compile(
    rf"(?=\d)(?:\b\d[\d,.]{{0,15}}(?=\s(?:{_COUNTED})\b)"
    r"|(?:(?<=views: )|(?<=hits: )|(?<=visitors: )|(?<=generated in ))\d[\d,.]{0,15})",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"\b(?=[0-9a-f]{0,63}\d)(?=[0-9]{0,63}[a-f])[0-9a-f]{16,64}\b", re.IGNORECASE)
_SESSION = re.compile(
    r"^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|s(?:ess(?:ion)?)?_?id|session|sessid|token|csrf\w*|nonce"
    r"|utm_\w+|fbclid|gclid|_|cb|cachebuster|rand|random|ts|timestamp|v|ver)$",
    re.IGNORECASE,
)
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#]*", re.IGNORECASE)


def calm(text: str) -> str:
    """The text without what changes by itself."""
    quiet = " ".join(text.split())
    quiet = _STAMPS.sub(DATE, quiet)
    quiet = _COPYRIGHT.sub(rf"\1\2{DATE}", quiet)
    quiet = _DATES.sub(DATE, quiet)
    quiet = _COUNTERS.sub(NUMBER, quiet)
    return _TOKENS.sub(TOKEN, quiet)


def calm_url(url: str) -> str:
    """The URL without session ids, cache busters and campaign marks; as it is where it cannot be read."""
    try:
        parts = urlsplit(url)
        query = [(key, value) for key, value in parse_qsl(parts.query, keep_blank_values=True, max_num_fields=200)]
    except ValueError:
        return url
    kept = [(key, value) for key, value in query if not _SESSION.match(key)]
    path = _PATH_SESSION.sub("", parts.path)
    if path == parts.path and len(kept) == len(query):
        return url
    return urlunsplit((parts.scheme, parts.netloc, path, urlencode(kept), ""))
