"""When a page was published, as far as it says so, and by what one knows: the strongest evidence there is counts.

    json-ld         datePublished of an article, in a script for machines
    meta            <meta property="article:published_time">, citation_publication_date, dc.date ...
    time            <time pubdate>, <time itemprop="datePublished">, <time class="entry-date">; or a page's only one
    address         /2021/05/03/ in the URL, as blogs and newspapers have it
    last-modified   the server's header, where it is days older than the answer: weak, for pages change, and many
                    servers make one up

A date before the web, or after the page was fetched, is none. The answer is one text, `2021-05-03 meta`, or `2021-05
address` where the day is not said; empty: nobody says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

import msgspec
from selectolax.lexbor import LexborNode

from scenthound.model import Response

Evidence = Literal["json-ld", "meta", "time", "address", "last-modified"]

EARLIEST = 1990
LATEST = 2100  # where it is not known when the page was fetched
SETTLED = timedelta(days=2)
"""An answer that was last modified so long before it was given was not made for this request."""

MACHINES = "ld+json"  # in the type of a script that is for them
MOST_SCRIPTS, MOST_JSON = 8, 200_000  # such scripts that are read, and characters of one
MOST_TEXT = 60  # characters of a date
MOST_DEEP = 4  # levels of a script's objects that are looked into

META = frozenset({
    "article:published_time", "og:published_time", "og:article:published_time", "article:published", "datepublished",
    "publishdate", "publish-date", "publish_date", "pubdate", "publication_date", "publication-date", "date", "dc.date",
    "dc.date.issued", "dc.date.created", "dcterms.date", "dcterms.issued", "dcterms.created", "dcterms.available",
    "citation_publication_date", "citation_date", "citation_online_date", "prism.publicationdate", "parsely-pub-date",
    "sailthru.date", "article_date_original", "bepress_citation_date", "eprints.date",
})  # fmt: skip
"""Names of <meta> elements that say when a page was published, in small letters."""

_DATED_CLASS = re.compile(
    r"(?:^|[\s_-])(?:published|pubdate|entry-date|post-date|dt-published)(?:$|[\s_-])", re.IGNORECASE
)
_YEAR_FIRST = re.compile(r"\s*(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?|(\d\d)(\d\d))?(?![\d])")
_MONTHS = {name: 1 + place for place, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun"))} | {
    name: 7 + place for place, name in enumerate(("jul", "aug", "sep", "oct", "nov", "dec"))
}
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_NAMED_MONTH = re.compile(
    rf"(?:{_DAY}\s+)?({'|'.join(_MONTHS)})[a-z]*\.?,?\s+(?:{_DAY},?\s+)?(\d{{4}})(?!\d)", re.IGNORECASE
)
_ADDRESS = re.compile(r"/((?:19|20)\d\d)[/-](0[1-9]|1[0-2])(?:[/-](0[1-9]|[12]\d|3[01])(?!\d))?(?=[/-])")


class DateWords:
    """What the elements of a page say of its date, gathered as they go by."""

    def __init__(self) -> None:
        self.meta = ""
        self.marked = ""  # a <time> that is said to be the day of publication
        self.scripts: list[str] = []  # for machines, in which a date stands
        self._others: list[str] = []

    def take_meta(self, name: str, content: str) -> None:
        if name in META and not self.meta:
            self.meta = content[:MOST_TEXT]

    def take_time(self, attributes: dict[str, str | None]) -> None:
        text = (attributes.get("datetime") or "")[:MOST_TEXT]
        if not text:
            return
        marked = "pubdate" in attributes or (attributes.get("itemprop") or "").lower() == "datepublished"
        if marked or _DATED_CLASS.search((attributes.get("class") or "")[:200]):
            self.marked = self.marked or text
        elif len(self._others) < 2:
            self._others.append(text)

    def take_script(self, node: LexborNode) -> None:
        """Before it is left out of the tree."""
        if len(self.scripts) == MOST_SCRIPTS or MACHINES not in (node.attributes.get("type") or ""):
            return
        text = node.text()
        if "datePublished" in text and len(text) <= MOST_JSON:
            self.scripts.append(text)

    @property
    def time(self) -> str:
        """The <time> that counts: one of many that nothing is said of may be anybody's comment."""
        return self.marked or (self._others[0] if len(self._others) == 1 else "")


def publication(response: Response, words: DateWords | None = None) -> str:
    """The day, month or year, and by what it is known; empty where nobody says."""
    for evidence, text in _said(response, words):
        if text and (found := read_date(text)) and _possible(found, _moment(response.at)):
            return f"{found} {evidence}"
    return ""


def _said(response: Response, words: DateWords | None) -> Iterator[tuple[Evidence, str]]:
    if words is not None:
        if words.scripts:
            yield "json-ld", _of_scripts(words.scripts)
        yield "meta", words.meta
        yield "time", words.time
    if (place := _ADDRESS.search(response.url)) is not None:
        yield "address", "-".join(filter(None, place.groups()))
    yield "last-modified", _modified(response)


def read_date(text: str) -> str:
    """`2021-05-03`, `2021-05` or `2021` of a date as people and machines write it; empty where it is none."""
    text = text[:MOST_TEXT]
    if (found := _YEAR_FIRST.match(text)) is not None:
        year, month, day = found[1], found[2] or found[4], found[3] or found[5]
    elif (named := _NAMED_MONTH.search(text)) is not None:
        year, month, day = named[4], str(_MONTHS[named[2].lower()]), named[1] or named[3]
    else:
        return ""
    try:
        whole = date(int(year), int(month or 1), int(day or 1)).isoformat()
    except ValueError:
        return ""
    return whole if day else whole[:7] if month else whole[:4]


def _possible(found: str, fetched: datetime | None) -> bool:
    if int(found[:4]) < EARLIEST:
        return False
    latest = (fetched + timedelta(days=1)).date().isoformat() if fetched is not None else str(LATEST)
    return found <= latest


def _modified(response: Response) -> str:
    """The day of the header, unless it is about that of the answer."""
    header = response.header("last-modified")
    if not header or (fetched := _moment(response.at)) is None:
        return ""
    day = read_date(header)
    return day if day <= (fetched - SETTLED).date().isoformat() else ""


def _moment(at: float) -> datetime | None:
    """When the answer came; None where the clock is not that of this world, as in an experiment."""
    try:
        found = datetime.fromtimestamp(at, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return found if EARLIEST < found.year <= LATEST else None


def _of_scripts(scripts: list[str]) -> str:
    for text in scripts:
        try:
            found = next(_dates(msgspec.json.decode(text), 0), "")
        except (msgspec.MsgspecError, RecursionError):
            continue
        if found:
            return found
    return ""


def _dates(value: Any, deep: int) -> Iterator[str]:
    """The dates of publication in what a script says, the outer objects first; of comments none."""
    if deep > MOST_DEEP:
        return
    if isinstance(value, list):
        for each in value:
            yield from _dates(each, deep + 1)
    elif isinstance(value, dict):
        said = value.get("datePublished")
        if isinstance(said, str):
            yield said[:MOST_TEXT]
        for name in ("@graph", "mainEntity", "mainEntityOfPage"):
            yield from _dates(value.get(name), deep + 1)
