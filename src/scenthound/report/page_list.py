"""The collection as a list in the report: every page, to be filtered and sorted where it lies, without a server.

The pages go into the report as data, and a script of forty lines that the report's policy knows by its digest draws
a few of them at a time. What pages say is put in as text, never as markup.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files

import msgspec
from msgspec import Struct

from scenthound.config import Config
from scenthound.library.snippets import marks_in, snippet
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage
from scenthound.report.markup import Html, el, printable, safe_href, short
from scenthound.report.page_parts import day, section
from scenthound.text.analysis import analyzer

MOST_PAGES = 10_000
MOST_READ = 1_000
"""Pages whose text is read for a snippet and the topic's words in it: the best. Each takes about a millisecond."""

BEGINNING = 200  # characters of a page that is not read for a snippet
WORDS = 5
LABELS = {True: "yes", False: "no", None: ""}


class PageLine(Struct, frozen=True, array_like=True):
    """A page as a row of data: what the script calls by its place."""

    relevance: float
    counts: bool
    title: str
    url: str  # empty where it is none to click on
    address: str
    host: str
    day: str
    text: str
    words: str
    label: str
    archive: str  # the WARC file with its answer
    copy_of: str  # the page it repeats


def page_lines(library: Library, config: Config) -> list[PageLine]:
    """The pages of a library, the best first."""
    labels = {url: label.relevant for url, label in library.labels("page").items()}
    words = [keyword.term for keyword in config.make_topic().keywords]
    lines: list[PageLine] = []
    first: dict[str, str] = {}  # digest of an answer -> the first page that has it
    place = ""
    while len(lines) < MOST_PAGES:
        part = library.page_list(order="best", after=place, limit=min(1_000, MOST_PAGES - len(lines)))
        for page in part.pages:
            text, found = _said(library, page, words) if len(lines) < MOST_READ else (_beginning(library, page), "")
            original = page.duplicate_of or first.setdefault(page.digest, page.url)
            copy_of = original if original != page.url else ""
            lines.append(_line(library, page, text, found, labels.get(page.url), copy_of))
        place = part.next
        if not place:
            break
    return lines


def _line(library: Library, page: StoredPage, text: str, words: str, label: bool | None, copy_of: str) -> PageLine:
    versions = library.versions(page.url) if not page.noindex else []
    return PageLine(
        relevance=round(page.relevance, 3),
        counts=page.counts,
        title=shown(page.title, 160),
        url=page.url if safe_href(page.url) is not None else "",
        address=shown(page.url, 300),
        host=shown(page.host, 300),
        day=day(page.fetched_at),
        text=shown(text, 300),
        words=shown(words, 200),
        label=LABELS[label],
        archive=versions[-1].warc if versions else "",
        copy_of=shown(copy_of, 300),
    )


def shown(text: str, most: int) -> str:
    """Foreign text on one line, with nothing in it that changes how the rest is read."""
    return short(" ".join(printable(text).split()), most)


def _beginning(library: Library, page: StoredPage) -> str:
    return page.description or (library.text(page.url) or "")[:BEGINNING]


def _said(library: Library, page: StoredPage, words: Sequence[str]) -> tuple[str, str]:
    """The stretch of its text that answers the topic best; the topic's words as they stand in it, with how often."""
    text = library.text(page.url) or page.description
    language = page.language or "en"
    terms = frozenset(term for word in words for term in analyzer(language).terms(word))
    found = Counter(word for _, _, word in marks_in(text[:20_000], terms, words, language))
    told = ", ".join(f"{word} {times}" for word, times in found.most_common(WORDS))
    return snippet(text[:20_000], terms, words, language).text, told


@cache
def script() -> str:
    return files("scenthound.report").joinpath("page_list.js").read_text(encoding="utf-8")


def script_source() -> str:
    """How the report's policy names the one script that may run."""
    return f"'sha256-{b64encode(sha256(script().encode()).digest()).decode()}'"


def page_list_section(lines: Sequence[PageLine], whole: int) -> Html:
    hosts = Counter(line.host for line in lines)
    copies = any(line.copy_of for line in lines)
    choices = [el("option", f"{host} ({number:,})", value=host) for host, number in hosts.most_common(200)]
    orders = [
        el("option", name, value=key)
        for key, name in (("0", "most relevant first"), ("6", "newest first"), ("2", "by title"), ("5", "by host"))
    ]
    controls = el(
        "div",
        el("input", type="search", placeholder="Filter by word or address", aria_label="Filter by word or address"),
        el("select", el("option", "every host", value=""), *choices, class_="host", aria_label="Host"),
        el("select", *orders, class_="order", aria_label="Order"),
        el("label", el("input", type="checkbox", class_="only"), "relevant only"),
        *([el("label", el("input", type="checkbox", class_="copies"), "copies, too")] if copies else []),
        el("output", ""),
        class_="controls",
    )
    note = f"The best {len(lines):,} of {whole:,}." if whole > len(lines) else ""
    data = msgspec.json.encode(list(lines)).decode().replace("<", "\\u003c")
    return section(
        "Pages",
        note,
        controls,
        el("div", class_="pages"),
        el("button", "More", class_="more", type="button"),
        Html(f'<script type="application/json" id="pages">{data}</script><script>{script()}</script>'),
        wide=True,
    )
