"""What a check of a library found, in words."""

from __future__ import annotations

from collections.abc import Iterator

from scenthound.app.library_check import LibraryCheck
from scenthound.library.damage import Damage
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
        yield f"    what to do: {damage.remedy}"
