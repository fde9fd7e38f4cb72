"""One page of a library, in lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from shutil import get_terminal_size

from rich.text import Text

from scenthound.app.show import kept_answer
from scenthound.cli.views.versions import diff_lines, version_lines
from scenthound.model import Label, Link
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage, Version
from scenthound.report.formatting import day, plural, printable, size

WIDEST = 100


def lines(library: Library, page: StoredPage, part: str, version: Version | None = None) -> Iterator[Text]:
    if part == "diff":
        yield from diff_lines(library, page, version)
    elif part == "versions":
        yield from version_lines(library, page)
    elif part == "headers":
        response = kept_answer(library, page, version)
        yield Text(f"HTTP {response.status}")
        for name, value in response.headers:
            yield Text.assemble((f"{printable(name)}: ", "dim"), printable(value))
    elif part == "links":
        for link in library.outlinks(page.url):
            yield _link(link.url, link)
    elif part == "backlinks":
        for link in library.backlinks(page.url):
            yield _link(link.source, link)
    else:
        yield from _whole(library, page, version)


def _link(url: str, link: Link) -> Text:
    """The URL first, so that `cut -f1` has it."""
    return Text.assemble((printable(url), "cyan"), "\t", printable(link.anchor or link.title))


def _whole(library: Library, page: StoredPage, version: Version | None = None) -> Iterator[Text]:
    title = version.title if version is not None else page.title
    yield Text(printable(title) or "(no title)", "bold")
    yield Text(printable(page.url), "cyan")
    yield Text()
    if version is not None:
        yield Text.assemble((f"{'version':<12}", "dim"), f"of {day(version.at)}")
    for name, fact in facts(page, library.labels().get(page.url)):
        yield Text.assemble((f"{name:<12}", "dim"), printable(fact))
    yield Text()
    text = library.text(page.url, version)
    if text is None:
        yield Text("The page asks not to be indexed, so its text was not kept.", "dim")
        return
    for line in text.splitlines():
        yield from map(Text, textwrap.wrap(printable(line), _width(), break_long_words=False) or [""])


def facts(page: StoredPage, label: Label | None = None) -> Iterator[tuple[str, str]]:
    counts = "counts as found" if page.counts else "does not count as found"
    first = f"; {page.first_relevance:.3f} when it came" if page.first_relevance != page.relevance else ""
    yield "relevance", f"{page.relevance:.3f}, {counts}{first}"
    if label is not None:
        yield "label", f"{'yes' if label.relevant else 'no'}, by {label.by} on {day(label.at)}"
    visits = f", {plural(page.versions, 'visit')} since {day(page.first_at)}" if page.versions > 1 else ""
    yield "fetched", f"{day(page.fetched_at)}, {plural(page.depth, 'hop')} from a seed{visits}"
    if page.checked_at > page.fetched_at:
        yield "checked", f"{day(page.checked_at)}, nothing new"
    if page.state == "moved":
        yield "moved", page.reason
    elif page.state == "failed":
        yield "not there", page.reason
    yield "answer", f"{page.status} {page.media_type}, {page.charset or 'no charset'}, {size(page.bytes)}"
    if page.language:
        yield "language", page.language
    if page.description:
        yield "description", page.description
    if page.canonical:
        yield "canonical", page.canonical
    if page.duplicate_of:
        yield "repeats", page.duplicate_of
    yield "digest", page.digest


def _width() -> int:
    return max(20, min(WIDEST, get_terminal_size().columns - 1))
