"""Pages that a topic would keep and would not, for a person to correct."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from rich.text import Text

from scenthound.app.judgement_words import WordWeight
from scenthound.app.topic_preview import PreviewPage, TopicPreview
from scenthound.cli.started_as import program
from scenthound.cli.views.terminal_text import fit
from scenthound.report.formatting import plural, printable

GOOD, BAD, QUIET = "green", "red", "dim"


def preview_lines(preview: TopicPreview, width: int) -> Iterator[Text]:
    left = preview.judged - preview.kept
    yield Text.assemble(
        (f"Of {plural(preview.judged, 'page')} it would keep {preview.kept:,} and leave {left:,}", "bold"),
        (f" (from {preview.threshold:.2f} on a page counts).", QUIET),
    )
    yield from _listing("Would keep", preview.keeps, preview.kept, width)
    yield from _listing("Would not", preview.leaves, left, width)
    folder = shlex.quote(preview.folder)
    yield Text()
    yield Text("Wrong about one? Say so, and the topic learns from it:", QUIET)
    yield Text(f"  {program()} label {folder} URL --yes      or --no; --ask asks about those that teach most")


def _listing(title: str, pages: Sequence[PreviewPage], whole: int, width: int) -> Iterator[Text]:
    yield Text()
    shown = f", {len(pages)} of {whole:,}, doubtful ones among them" if len(pages) < whole else ""
    yield Text.assemble((title, "bold"), (shown if pages else ": none", QUIET))
    for page in pages:
        said = {None: "", True: "  labelled yes", False: "  labelled no"}[page.label]
        yield Text.assemble(
            f"  {page.probability:.2f}  ",
            (fit(printable(page.title) or "(no title)", max(20, width - 10)).rstrip(), "bold"),
            (said, QUIET),
        )
        yield Text(f"        {page.url}", QUIET)
        if page.words:
            yield Text.assemble("        ", *_words(page.words))


def _words(words: Sequence[WordWeight]) -> Iterator[tuple[str, str]]:
    for sign, style, chosen in (
        ("for", GOOD, [word.word for word in words if word.part > 0]),
        ("against", BAD, [word.word for word in words if word.part < 0]),
    ):
        if chosen:
            yield f"{sign} ", QUIET
            yield printable(", ".join(chosen)) + "  ", style
