"""`scenthound show`: one page of a library."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text
from typer import Argument, Option

from scenthound.errors import LibraryError, UsageError

if TYPE_CHECKING:
    from scenthound.library.sqlite.explain_queries import ExplainQueries
    from scenthound.library.sqlite.history import History
    from scenthound.model import Link, Response
    from scenthound.protocols.records import StoredPage, Version

PART = "Only a part of it"
PAST = "What it was before"
WIDEST = 100


def show(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    url: Annotated[str, Argument(metavar="URL", help="The page.")],
    text: Annotated[bool, Option("--text", help="The text, as it is, and nothing else.", rich_help_panel=PART)] = False,
    html: Annotated[bool, Option("--html", help="The page as it was received.", rich_help_panel=PART)] = False,
    headers: Annotated[bool, Option("--headers", help="The headers of the answer.", rich_help_panel=PART)] = False,
    links: Annotated[bool, Option("--links", help="The links on the page.", rich_help_panel=PART)] = False,
    backlinks: Annotated[bool, Option("--backlinks", help="The links to the page.", rich_help_panel=PART)] = False,
    at: Annotated[
        str | None, Option("--at", metavar="DATE", help="As it was then: 2026-01-01, 7d.", rich_help_panel=PAST)
    ] = None,
    diff: Annotated[
        bool, Option("--diff", help="What the last change was, or what changed since --at.", rich_help_panel=PAST)
    ] = False,
    versions: Annotated[bool, Option("--versions", help="All versions kept.", rich_help_panel=PAST)] = False,
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """Show a page: title, facts and text, or its HTML, headers or links. Works while a crawl is running.

    \b
    [bold]Examples[/bold]
    scenthound show crawls/dengue-fever https://example.org/health
    scenthound show crawls/dengue-fever https://example.org/health --html > page.html
    scenthound show crawls/dengue-fever https://example.org/health --backlinks
    scenthound show crawls/dengue-fever https://example.org/health --at 2026-01-01 --diff
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.cli.arguments import as_json, canonical
    from scenthound.cli.versions import version_at
    from scenthound.library.sqlite.history import History

    parts = _parts(text, html, headers, links, backlinks) | {"diff": diff, "versions": versions}
    chosen = [part for part, wanted in parts.items() if wanted]
    if len(chosen) > 1:
        raise UsageError(f"One part at a time: --{chosen[0]} or --{chosen[1]}.")
    part = chosen[0] if chosen else ""
    if part == "html" and json:
        raise UsageError("The HTML is shown as it was received; leave --json out.")
    if at and part in ("links", "backlinks", "versions"):
        raise UsageError(f"--{part} shows what is stored now; leave --at out.")
    with History.open(folder, write=False) as library:
        page = find(library, canonical(url))
        version = version_at(library, page, at) if at else None
        if json:
            typer.echo(as_json(_plain(library, page, part, version)))
        elif part == "html":
            sys.stdout.flush()
            sys.stdout.buffer.write(_body(library, page, version).body)
            sys.stdout.buffer.flush()
        elif part == "text":
            typer.echo(library.text(page.url, version) or "")
        else:
            _print(_lines(library, page, part, version))


def _parts(text: bool, html: bool, headers: bool, links: bool, backlinks: bool) -> dict[str, bool]:
    return {"text": text, "html": html, "headers": headers, "links": links, "backlinks": backlinks}


def find(library: ExplainQueries, url: str) -> StoredPage:
    """The page, or an error that says where else to look."""
    page = library.page(url)
    if page is not None:
        return page
    row = library.url_row(url)
    if row is None:
        near = library.near(url, 1)
        hint = f" The nearest it has is {near[0]}" if near else " It knows no URL of that host."
        raise LibraryError(f"{url} was never seen by this crawl.{hint}")
    if row.state == "moved":
        raise LibraryError(f"{url} has moved: show {row.reason} instead.")
    raise LibraryError(f"{url} is known but was not fetched ({row.state}). To see why: scenthound explain FOLDER {url}")


def _body(library: History, page: StoredPage, version: Version | None = None) -> Response:
    response = library.body(page.url, version)
    if response is None:
        why = "the page asks not to be indexed" if page.noindex else "the crawl was told not to write WARC files"
        raise LibraryError(f"What {page.url} sent was not kept: {why}.")
    return response


def _plain(library: History, page: StoredPage, part: str, version: Version | None = None) -> Any:
    import msgspec

    from scenthound.cli import versions

    if part in ("diff", "versions"):
        return versions.plain_diff(library, page, version) if part == "diff" else versions.plain_versions(library, page)
    if part == "headers":
        return [list(pair) for pair in _body(library, page, version).headers]
    if part == "links":
        return [_plain_link(link) for link in library.outlinks(page.url)]
    if part == "backlinks":
        return [{"source": link.source, **_plain_link(link)} for link in library.backlinks(page.url)]
    text = library.text(page.url, version)
    if part == "text":
        return text
    then = {"title": version.title, "fetched_at": version.at, "digest": version.digest} if version else {}
    return {**msgspec.to_builtins(page), **then, "text": text}


def _plain_link(link: Link) -> dict[str, Any]:
    return {"url": link.url, "anchor": link.anchor, "title": link.title, "rel": link.rel, "kind": link.kind}


def _lines(library: History, page: StoredPage, part: str, version: Version | None = None) -> Iterator[Text]:
    from scenthound.cli import versions
    from scenthound.report.figures import printable

    if part == "diff":
        yield from versions.diff_lines(library, page, version)
    elif part == "versions":
        yield from versions.version_lines(library, page)
    elif part == "headers":
        response = _body(library, page, version)
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
        yield from _portrait(library, page, version)


def _link(url: str, link: Link) -> Text:
    """The URL first, so that `cut -f1` has it."""
    from scenthound.report.figures import printable

    return Text.assemble((printable(url), "cyan"), "\t", printable(link.anchor or link.title))


def _portrait(library: History, page: StoredPage, version: Version | None = None) -> Iterator[Text]:
    from scenthound.report.figures import day, printable

    title = version.title if version is not None else page.title
    yield Text(printable(title) or "(no title)", "bold")
    yield Text(printable(page.url), "cyan")
    yield Text()
    if version is not None:
        yield Text.assemble((f"{'version':<12}", "dim"), f"of {day(version.at)}")
    for name, fact in facts(page):
        yield Text.assemble((f"{name:<12}", "dim"), printable(fact))
    yield Text()
    text = library.text(page.url, version)
    if text is None:
        yield Text("The page asks not to be indexed, so its text was not kept.", "dim")
        return
    for line in text.splitlines():
        yield from map(Text, textwrap.wrap(printable(line), _width(), break_long_words=False) or [""])


def facts(page: StoredPage) -> Iterator[tuple[str, str]]:
    from scenthound.report.figures import day, plural, size

    counts = "counts as found" if page.relevant and not page.duplicate_of else "does not count as found"
    yield "relevance", f"{page.relevance:.3f}, {counts}"
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
    from shutil import get_terminal_size

    return max(20, min(WIDEST, get_terminal_size().columns - 1))


def _print(lines: Iterator[Text]) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(line)
