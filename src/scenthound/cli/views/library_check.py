"""What a check of a library found, and what a repair came to, in words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from scenthound.app.library_check import LibraryCheck
from scenthound.app.library_repair import LibraryRepair
from scenthound.cli.started_as import as_started, program
from scenthound.library.archive_move import MoveOutcome
from scenthound.library.damage import Damage
from scenthound.library.folder_repair import FolderRepair
from scenthound.library.library_copy import CopyOutcome
from scenthound.library.library_merge import MergeOutcome
from scenthound.report.formatting import plural, printable


def findings(checked: LibraryCheck) -> Iterator[str]:
    if checked.whole:
        answers = plural(checked.answers, "stored answer")
        yield f"{checked.folder} is whole: database, {answers}, indexes, labels, settings."
    else:
        yield f"{checked.folder} is damaged, {plural(len(checked.damages), 'part')}:"
        for damage in checked.damages:
            yield from _damage(damage)
    if checked.being_written:
        yield "A crawl is writing to it: what it has stored since this check began is not in it."


def _damage(damage: Damage) -> Iterator[str]:
    yield ""
    yield f"  {printable(f'{damage.part} {damage.what}')}"
    if damage.pages is not None:
        yield f"    concerns {plural(damage.pages, 'stored page')}"
    if damage.remedy:
        yield f"    what to do: {as_started(damage.remedy)}"


def repair_told(outcome: LibraryRepair) -> Iterator[str]:
    if not outcome.found:
        yield f"{outcome.folder} is whole; there is nothing to repair."
        return
    if outcome.repaired is not None:
        yield from _repaired(outcome, outcome.repaired)
    if outcome.left:
        yield f"{outcome.folder} still has {plural(len(outcome.left), 'damaged part')}:"
        for damage in outcome.left:
            yield from _damage(damage)
    else:
        yield f"{outcome.folder} is whole."


def _repaired(outcome: LibraryRepair, done: FolderRepair) -> Iterator[str]:
    if done.finished_earlier:
        yield "An earlier repair had been broken off at its last step, which is done now."
    else:
        damaged = f" ({', '.join(done.damaged_tables)} damaged)" if done.damaged_tables else ""
        yield f"Taken over from library.db: {plural(sum(done.salvaged.values()), 'row')}{damaged}."
    made = [
        (done.pages, "page"),
        (done.texts, "text"),
        (done.links, "list of links"),
        (done.urls, "URL"),
        (done.answers_added, "answer"),
    ]
    if rebuilt := ", ".join(_several(number, noun) for number, noun in made if number):
        yield f"Made anew from the WARC files: {rebuilt}."
    if done.links_found_again:
        yield f"Found again on stored pages: {plural(done.links_found_again, 'link')} that will be fetched."
    if outcome.judged:
        yield f"Judged again: {plural(outcome.judged, 'page')}."
    if outcome.not_judged:
        yield f"Not judged again: {outcome.not_judged} Then: {program()} judge {outcome.folder}"
    yield from _lost(done)
    if done.kept_as:
        yield f"The damaged file is kept as {outcome.folder}/{done.kept_as}; delete it when you are content."


def _lost(done: FolderRepair) -> Iterator[str]:
    if done.answers_lost:
        again = f"; {plural(done.fetched_again, 'page')} will be fetched again" if done.fetched_again else ""
        yield f"Not in the WARC files any more: {plural(done.answers_lost, 'answer')}{again}."
    if done.lost_texts:
        yield f"Lost, as no answer of theirs was kept: the texts of {plural(done.lost_texts, 'page')}."
    if done.lost_pages:
        yield f"Lost, as no answer of theirs was kept: {plural(done.lost_pages, 'page')}."


def _several(number: int, noun: str) -> str:
    return plural(number, noun) if noun != "list of links" else f"links of {plural(number, 'page')}"


def copy_told(outcome: CopyOutcome) -> str:
    where = f"{outcome.address}, its files in {outcome.folder}" if outcome.address else outcome.folder
    return (
        f"Copied to {where}: {outcome.pages:,} pages, {outcome.urls:,} URLs, {outcome.files:,} files. "
        f"Go on there with: {program()} crawl {shlex.quote(outcome.folder)}"
    )


def archive_told(outcome: MoveOutcome) -> str:
    before = f" {plural(outcome.before, 'file')} were there already." * bool(outcome.before)
    return f"Moved {plural(outcome.files, 'WARC file')} to {outcome.store}: {outcome.bytes:,} bytes.{before}"


def merge_told(outcome: MergeOutcome) -> str:
    behind = f" {plural(outcome.without_answer, 'page')} stayed behind: their answers were not kept." * bool(
        outcome.without_answer
    )
    return (
        f"Into {outcome.folder} came {plural(outcome.pages, 'page')}, {plural(outcome.links, 'waiting link')}, "
        f"{plural(outcome.failed, 'failure')} and {plural(outcome.labels, 'label')}; "
        f"{plural(outcome.known, 'page')} it had already.{behind}"
    )
