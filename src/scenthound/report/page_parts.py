"""What sections of a report are made of: a title and a note, a legend, a page one can click on, a day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from scenthound.report import charts
from scenthound.report.formatting import plural
from scenthound.report.markup import Html, el, safe_href, short

MOST_REASONS = 10
"""Kinds of reasons that have a line of their own."""


def section(title: str, note: str, *content: Html, wide: bool = False) -> Html:
    about = [el("p", note, class_="note")] if note else []
    return el("section", el("h2", title), *about, *content, class_="wide" if wide else None)


def nothing(text: str) -> Html:
    return el("p", text, class_="empty")


def legend(*entries: tuple[str, str], flush: bool = False) -> Html:
    items = (el("li", text, class_=kind) for kind, text in entries)
    return el("ul", *items, class_="legend flush" if flush else "legend")


def named_page(title: str, url: str, address: str) -> Iterator[Html]:
    """A title that can be clicked on, and under it what is behind it."""
    title = short(" ".join(title.split()), 160) or "(no title)"
    href = safe_href(url)
    if href is None:
        yield el("span", title, class_="page", dir="auto")
    else:
        yield el("a", title, href=href, class_="page", dir="auto", rel="noopener noreferrer nofollow")
    yield el("span", short(address, 110), class_="address")


def tally(numbers: Mapping[str, int], kind: str, noun: str, note: str) -> Iterator[Html]:
    """How often each, as bars, the most frequent first; the noun is of one."""
    if not numbers:
        yield nothing("None.")
        return
    yield el("p", f"{plural(sum(numbers.values()), noun)} {note}", class_="note")
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(number for _, number in ordered[MOST_REASONS:])
    shown = [*ordered[:MOST_REASONS], *([("other", rest)] if rest else [])]
    most = max(number for _, number in shown)
    rows = [
        el(
            "tr",
            el("td", short(reason or "no reason given", 140)),
            el("td", charts.bar(number, number, most, kind), class_="track"),
            el("td", el("b", f"{number:,}"), class_="number"),
        )
        for reason, number in shown
    ]
    yield el("table", *rows, class_="bars")


def day(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")
