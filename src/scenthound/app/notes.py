"""Notes and tags on pages: written, taken back, listed, and by which pages can be chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from scenthound.app.user_input import canonical
from scenthound.errors import UsageError
from scenthound.library.note_file import NoteFile, PageNote
from scenthound.protocols.library import StoredPages

LONGEST, LONGEST_TAG, MOST_TAGS = 10_000, 60, 20


class NoteRow(Struct, frozen=True):
    """A note in the list."""

    url: str
    title: str
    text: str
    tags: tuple[str, ...]
    at: float


def note_on(folder: Path, url: str) -> PageNote:
    """What is written on a page; an empty note where nothing is."""
    url = canonical(url)
    return NoteFile(folder).notes().get(url) or PageNote(url)


def write_note(folder: Path, url: str, text: str, tags: Sequence[str]) -> PageNote:
    """Takes the place of what was written on the page before; without text and tags it is taken away."""
    if len(text) > LONGEST:
        raise UsageError(f"A note has {LONGEST:,} characters at most; this one has {len(text):,}.")
    return NoteFile(folder).write(PageNote(canonical(url), text.strip(), plain_tags(tags)))


def plain_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Small letters, single blanks, each once, in the order given."""
    found = tuple(dict.fromkeys(plain for tag in tags if (plain := " ".join(tag.lower().split()))))
    if len(found) > MOST_TAGS:
        raise UsageError(f"A page has {MOST_TAGS} tags at most.")
    if any(len(tag) > LONGEST_TAG for tag in found):
        raise UsageError(f"A tag has {LONGEST_TAG} characters at most.")
    return found


def list_notes(folder: Path, library: StoredPages, tag: str = "") -> list[NoteRow]:
    """The last written first; only pages with a tag, where one is named."""
    wanted = " ".join(tag.lower().split())
    found = []
    for note in reversed(NoteFile(folder).notes().values()):
        if not wanted or wanted in note.tags:
            page = library.page(note.url)
            found.append(NoteRow(note.url, page.title if page else "", note.text, note.tags, note.at))
    return found


def tag_counts(folder: Path) -> dict[str, int]:
    """Tag -> pages, the most frequent first."""
    counted = Counter(tag for note in NoteFile(folder).notes().values() for tag in note.tags)
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def tagged_pages(folder: Path, tag: str) -> frozenset[str]:
    wanted = " ".join(tag.lower().split())
    return frozenset(note.url for note in NoteFile(folder).notes().values() if wanted in note.tags)
