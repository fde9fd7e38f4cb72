"""How much has been found, as a person reads it."""

from __future__ import annotations

import shlex

from rich.console import Console
from rich.text import Text

from scenthound.app.coverage import LibraryCoverage
from scenthound.cli.started_as import program
from scenthound.report.coverage_words import ASSUMED, recall_words, recapture_words


def draw(found: LibraryCoverage) -> None:
    console = Console(highlight=False)
    console.print(Text(recall_words(found.reachable)), soft_wrap=True)
    if found.reachable.unknown and not found.reachable.draws and found.at_large is None:
        go_on = f"{program()} crawl {shlex.quote(found.folder)} --until recall=0.9"
        console.print(Text(f"To have pages drawn, go on with: {go_on}", "dim"), soft_wrap=True)
    if found.at_large is None:
        return
    console.print(Text(recapture_words(found.at_large)), soft_wrap=True)
    console.print(Text(ASSUMED, "dim"), soft_wrap=True)
    if found.shared_seeds:
        shared = ", ".join(found.shared_seeds[:3]) + (" ..." if len(found.shared_seeds) > 3 else "")
        console.print(Text(f"They are not independent: both started from {shared}", "yellow"), soft_wrap=True)
