"""What there is to start from, in lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from scenthound.app.look import RecordingLook, StartLook
from scenthound.cli.started_as import program
from scenthound.report.formatting import count, day, plural, printable, size
from scenthound.text.languages import name

HOSTS, KINDS = 10, 6


def recording_lines(found: RecordingLook, what: str) -> Iterator[str]:
    files = f" in {plural(len(found.files), 'file')}" if len(found.files) > 1 else ""
    hosts = plural(len(found.hosts), "host")
    yield f"{plural(found.pages, 'page')} of {hosts}{files}, {size(found.bytes)}"
    if found.first_at:
        yield f"recorded from {day(found.first_at)} to {day(found.last_at)}"
    if found.other:
        kinds = [f"{count(number)} × {printable(kind)}" for kind, number in list(found.other.items())[:KINDS]]
        yield f"besides: {', '.join(kinds)}{' ...' if len(found.other) > KINDS else ''}"
    yield from (f"damaged: {line}" for line in found.damaged)
    if found.hosts:
        yield ""
        yield from (
            f"  {count(each.pages):>9} {_pages(each.pages)}  {printable(each.host)}" for each in found.hosts[:HOSTS]
        )
        if len(found.hosts) > HOSTS:
            rest = found.hosts[HOSTS:]
            yield f"  {count(sum(each.pages for each in rest)):>9} pages  of {plural(len(rest), 'host')} more"
    if found.starts:
        yield ""
        yield "Good pages to start from, and how many of its pages each links to:"
        for start in found.starts:
            yield f"  {count(start.leads_to):>9}  {printable(start.url)}  {printable(start.title)}".rstrip()
        yield ""
        seed = shlex.quote(found.starts[0].url)
        yield f"To crawl it: {program()} crawl TOPIC --replay {shlex.quote(what)} --seed {seed}"


def page_lines(page: StartLook) -> Iterator[str]:
    yield f"{printable(page.title) or '(no title)'}"
    yield printable(page.url)
    language = f", {name(page.language)}" if page.language else ""
    yield f"{plural(page.words, 'word')}{language}; {plural(page.links, 'link')} to {plural(page.hosts, 'host')}"
    if page.nofollow:
        yield "It asks crawlers not to follow its links, so it is no page to start from."
    elif not page.links:
        yield "It has no links, so a crawl would end where it starts. Perhaps they are made by a script."
    if page.noindex:
        yield "It asks not to be indexed: a crawl follows its links, but keeps no text of it."
    if page.links and not page.nofollow:
        yield f"To start from it: {program()} crawl TOPIC --seed {shlex.quote(page.url)}"


def _pages(number: int) -> str:
    return "page " if number == 1 else "pages"
