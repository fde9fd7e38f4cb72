"""Damage to a library: what a check finds, and how it is told to whoever meets it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from scenthound.errors import LibraryDamaged

SHOWN = 3


class Damage(Struct, frozen=True):
    """A part of a library that is not as it should be."""

    part: str  # a file of the folder, and where it has parts which: "library.db, table urls"
    what: str
    pages: int | None = None  # stored pages that it concerns, as far as that can be told
    remedy: str = ""  # what to do about it


def repair_command(folder: Path) -> str:
    return f"scenthound library repair {folder}"


def check_command(folder: Path) -> str:
    return f"scenthound library check {folder}"


def answers(number: int) -> str:
    return "1 answer" if number == 1 else f"{number:,} answers"


def damaged_library(folder: Path, damages: Sequence[Damage]) -> LibraryDamaged:
    """The error for whoever cannot go on because of it."""
    named = "; ".join(f"{damage.part} {damage.what}" for damage in damages[:SHOWN])
    more = f"; and {len(damages) - SHOWN} more" if len(damages) > SHOWN else ""
    return LibraryDamaged(
        f"The library in {folder} is damaged: {named}{more}. "
        f"See all that is: {check_command(folder)}. Mend it, which keeps the damaged file: {repair_command(folder)}"
    )
