"""The API for what people say: labels, notes and tags, and questions about pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import anyio.to_thread
from msgspec import Meta, Struct

from scenthound.app.label import LabelChange, LabelRow, list_labels, set_labels, take_effect
from scenthound.app.notes import LONGEST, LONGEST_TAG, MOST_TAGS, NoteRow, list_notes, note_on, tag_counts, write_note
from scenthound.app.question_desk import QuestionState
from scenthound.library.note_file import PageNote
from scenthound.web.endpoint import LIBRARY, Endpoint, Name, Nothing, OfUrl, Run, Url
from scenthound.web.shelf import ServedLibrary


class LabelWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody says of a page; null takes it back."""

    url: Url
    relevant: bool | None
    site: bool = False  # it is said of the whole site


class NoteWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What to write on a page; without text and tags, what is written there is taken away."""

    url: Url
    text: Annotated[str, Meta(max_length=LONGEST)] = ""
    tags: Annotated[list[Annotated[str, Meta(max_length=LONGEST_TAG)]], Meta(max_length=MOST_TAGS)] = []


class OfTag(Struct, frozen=True, forbid_unknown_fields=True):
    tag: Name = ""


def _notes(served: ServedLibrary, given: OfTag) -> list[NoteRow]:
    with served.readers.lend() as library:
        return list_notes(served.folder, library, given.tag)


def _label(served: ServedLibrary, wish: LabelWish) -> list[LabelChange]:
    if wish.site:
        served.sites.forget()
    return set_labels(served.folder, [wish.url], wish.relevant, sites=wish.site)


def _labels(run: Callable[[ServedLibrary, Any], Any]) -> Run:
    """What sets a label, in a thread; then the crawl that is under way is told, in its own."""

    async def told(served: ServedLibrary, given: Any) -> Any:
        answer = await anyio.to_thread.run_sync(run, served, given)
        served.live.labelled()
        return answer

    return told


async def _take_effect(served: ServedLibrary, given: Nothing) -> dict[str, Any]:
    effect = await take_effect(served.folder)
    judged = effect.judged
    return {
        "later": effect.later,
        "changed": judged.changed if judged else 0,
        "relevant_before": judged.relevant_before if judged else 0,
        "relevant": judged.relevant if judged else 0,
        "links": judged.ranked if judged else 0,
    }


WORDS = [
    Endpoint(
        "GET",
        f"{LIBRARY}/labels",
        "What was said about pages and sites",
        lambda served, given: list_labels(served.folder),
        gives=list[LabelRow],
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/labels",
        "Says of a page whether it is relevant",
        _labels(_label),
        LabelWish,
        list[LabelChange],
        in_thread=False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/labels/effect",
        "Judges all pages again by what labels say now, where no crawl is running",
        _take_effect,
        gives=dict[str, Any],
        in_thread=False,
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/question",
        "The page that is worth asking about next",
        lambda served, given: served.questions.ask(),
        gives=QuestionState,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/question",
        "Answers it, null for a page that is skipped, and asks on",
        _labels(lambda served, given: served.questions.answer(given.url, given.relevant)),
        LabelWish,
        QuestionState,
        in_thread=False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/question/undo",
        "Takes the last answer back, and asks about that page again",
        _labels(lambda served, given: served.questions.undo()),
        gives=QuestionState,
        in_thread=False,
    ),
    Endpoint("GET", f"{LIBRARY}/notes", "Notes on pages, the last written first", _notes, OfTag, list[NoteRow]),
    Endpoint(
        "POST",
        f"{LIBRARY}/notes",
        "Writes a note and tags on a page, in the place of what was there",
        lambda served, wish: write_note(served.folder, wish.url, wish.text, wish.tags),
        NoteWish,
        PageNote,
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/note",
        "What is written on a page",
        lambda served, given: note_on(served.folder, given.url),
        OfUrl,
        PageNote,
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/tags",
        "Tags, and how many pages have them",
        lambda served, given: tag_counts(served.folder),
        gives=dict[str, int],
    ),
]
