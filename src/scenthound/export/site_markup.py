"""How the pages of the static site look: `site.py` says what is on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from msgspec import Struct

from scenthound.version import __version__

# Nothing is loaded from anywhere else, whatever a page says; scripts and style are the site's own.
_POLICY = (
    "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'; img-src data:; "
    "frame-src 'self'"
)
_MENU = {"index": "Search", "clusters": "By content", "sites": "By site", "times": "By time"}
ON_A_CARD = 4


class ListEntry(Struct, frozen=True):
    """A page in a list."""

    name: str  # of its file
    title: str
    site: str
    day: str
    relevance: float
    text: str


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def page_list(lines: Sequence[ListEntry], up: str) -> str:
    rows = (
        f'<li><a href="{up}pages/{line.name}.html">{escape(line.title)}</a><p>{escape(line.text)}</p>'
        f'<p class="facts">{escape(line.site)} · {line.day} · relevance {line.relevance:.2f}</p></li>'
        for line in lines
    )
    return f'<ul class="pages">{"".join(rows)}</ul>'


def pages_of(lines: Sequence[ListEntry], target: str, most: int) -> Iterator[str]:
    """A long list as several, with links from each to its neighbours."""
    name = target.rpartition("/")[2]
    targets = [name, *(name.replace(".html", f"-{number}.html") for number in range(2, -(-len(lines) // most) + 1))]
    for number in range(len(targets)):
        part = lines[number * most : (number + 1) * most]
        before = f'<a rel="prev" href="{targets[number - 1]}">before</a>' if number else ""
        after = f'<a rel="next" href="{targets[number + 1]}">next</a>' if number + 1 < len(targets) else ""
        pager = f'<p class="pager">{before}{after}</p>' if len(targets) > 1 else ""
        yield f'<p class="lead">{count(len(lines), "page")}</p>{page_list(part, "../")}{pager}'


def cards(groups: Sequence[tuple[str, str, Sequence[ListEntry]]], most: int | None = None) -> str:
    """Groups with their first pages."""
    shown = []
    for name, target, lines in groups[:most]:
        first = "".join(
            f'<li><a href="pages/{line.name}.html">{escape(line.title)}</a></li>' for line in lines[:ON_A_CARD]
        )
        number = f'<span class="count">{len(lines):,}</span>'
        shown.append(f'<li><a href="{target}">{escape(name)}</a>{number}<ul>{first}</ul></li>')
    return f'<ul class="cards">{"".join(shown)}</ul>'


def bars(groups: Sequence[tuple[str, str, int]], most: int | None = None) -> str:
    """Groups by how large they are."""
    longest = max((number for _, _, number in groups), default=1)
    rows = (
        f'<li><a href="{target}">{escape(name)}</a><span class="bar"><i style="width:{100 * number / longest:.1f}%">'
        f'</i></span><span class="count">{number:,}</span></li>'
        for name, target, number in groups[:most]
    )
    return f'<ul class="bars">{"".join(rows)}</ul>'


def document(title: str, content: str, up: str, here: str = "") -> bytes:
    """A page of the site. `up`: the way to its top; `here`: the entry of the menu that it belongs to."""
    menu = "".join(
        f'<li><a href="{up}{name}.html"{" aria-current=page" if name == here else ""}>{words}</a></li>'
        for name, words in _MENU.items()
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="{up}style.css"></head>'
        f"<body><nav><ul>{menu}</ul></nav><main><h1>{escape(title)}</h1>{content}"
        f"<footer>Collected with Scenthound {__version__}. Pages are their authors'.</footer></main></body></html>\n"
    ).encode("utf-8", "replace")
