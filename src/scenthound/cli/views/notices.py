"""What a crawl has to say to the person who started it, in a sentence or two; most events are not of that kind."""

from __future__ import annotations

from functools import singledispatch

from scenthound.app.events import ArchiveCut, Event, Judged, LanguageRecognized, TopicAbsent
from scenthound.cli.views.judging import judged_line
from scenthound.report.formatting import plural, size
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
        "scenthound topic FOLDER --like URL"
    )


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
