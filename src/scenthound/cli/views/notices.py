"""What a crawl has to say to the person who started it, in a sentence or two; most events are not of that kind."""

from __future__ import annotations

import shlex
from functools import singledispatch

from scenthound.app.events import ArchiveCut, Event, Judged, LanguageRecognized, NoneRelevant, TopicAbsent
from scenthound.cli.started_as import program
from scenthound.cli.views.judging import judged_line
from scenthound.report.formatting import plural, printable, size
from scenthound.text.languages import name


@singledispatch
def notice_of(event: Event) -> str:
    """The sentence, or nothing."""
    return ""


@notice_of.register
def _language(event: LanguageRecognized) -> str:
    pages, topic = name(event.language), name(event.topic_language)
    if event.changed:
        return f"The first pages are in {pages}, and so the topic is taken to be. If it is not: --language CODE"
    return (
        f"The first pages are in {pages}, the topic in {topic}: its words will not be found there. "
        f"Start from pages in {topic}, or say the topic in {pages} (or --language {event.language}, if it is)."
    )


@notice_of.register
def _absent(event: TopicAbsent) -> str:
    words = ", ".join(event.keywords[:5]) + (" ..." if len(event.keywords) > 5 else "")
    return (
        f"No word of the topic ({words}) stands in the {plural(event.pages, 'page')} fetched so far. Check "
        "spelling and language, start from pages about it (--seed URL), or name a page you like: "
        f"{program()} topic {_place(event.folder)} --like URL"
    )


@notice_of.register
def _none_relevant(event: NoneRelevant) -> str:
    folder = _place(event.folder)
    nearest = f" The nearest is {printable(event.best)} ({event.relevance:.2f})." if event.best else ""
    return (
        f"{plural(event.pages, 'page')}, and none of them counts as relevant.{nearest} "
        f"See what the topic would keep, and correct it: {program()} topic {folder} --preview. "
        f"Start from pages about it: {program()} crawl {folder} --seed URL, or have some looked for: "
        f"{program()} seeds --into {folder}"
    )


def _place(folder: str) -> str:
    return shlex.quote(folder) if folder else "FOLDER"


@notice_of.register
def _cut(event: ArchiveCut) -> str:
    """What is cut, whom it concerns, and what happens with them."""
    what = f"{event.file} had lost its end ({size(event.bytes)}, {plural(event.answers, 'answer')})"
    if not event.pages:
        return f"{what}; it was cut to what is whole. No stored page is concerned."
    return (
        f"{what}; it was cut to what is whole. {plural(event.pages, 'stored page')} had answers there: "
        "texts and links are kept, and the pages are fetched again."
    )


notice_of.register(Judged, judged_line)
