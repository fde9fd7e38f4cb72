"""Writes the tables of results in docs/ from the files in docs/results/; says which were measured with older code.

    ./run python -m benchmarks.doc_figures      makes the files (hours), or what is missing and out of date (--stale)
    ./run python -m scripts.doc_tables keep freshness benchmarks/freshness.py --weighted     what a benchmark prints
    ./run python -m scripts.doc_tables          writes every table anew
    ./run python -m scripts.doc_tables stale    names those whose code has changed since

A table stands between marks that say what is in it, `<!-- Table leaderboard webkb: ... -->`: one of `KINDS`
(`scripts/doc_table_kinds.py`), and its arguments. A test fails where a table is not what its file gives, so no figure
can be changed by hand. Where code has changed since the figures were made, a line under the table says so: whoever
changes the code adds it by running this program, which takes a second, and need not measure anything; after
`benchmarks.doc_figures --recheck` or `--stale` the same program takes it away. A table that has no file yet stays as it
is, and says that it was made before files were.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts import doc_results
from scripts.doc_labels import WEBS as WEBS
from scripts.doc_results import read
from scripts.doc_table_kinds import KINDS, files_of, named

from scenthound.errors import ConfigError, ScenthoundError

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- Table {name}: made by scripts/doc_tables.py; do not edit. -->", "<!-- End of table {name}. -->"
TABLE = re.compile(
    r"<!-- Table ([^:\n]+): made by scripts/doc_tables\.py; do not edit\. -->\n(.*?)<!-- End of table \1\. -->", re.S
)
FEW = 6
"""Names that a line under a table has room for."""
EARLIER = "*Measured before there were result files:"
"""How a table begins that has none yet, followed by how it was made."""


def table(name: str) -> str:
    """What belongs between the marks of this name."""
    kind, *arguments = name.split()
    if kind not in KINDS:
        raise ConfigError(f"There is no kind of table called {kind!r}. There are: {', '.join(KINDS)}.")
    return "\n" + "\n".join([*KINDS[kind](*arguments), *doubt(name)]) + "\n\n"


def doubt(name: str) -> list[str]:
    """What stands under a table whose code is not what it was, so that nobody takes its figures for today's."""
    stems = [Path(file).stem for file in files_of(name)]
    old = {stem: labels for stem in stems if (labels := stale_labels(stem))}
    if not old:
        return []
    changed = sorted({label for labels in old.values() for label in labels})
    told = len({row.label for stem in stems for row in read(stem)})
    which = "" if len(changed) >= told else f" of {named(changed) if len(changed) <= FEW else 'most of these'}"
    asked = "--stale" if name.startswith("printed ") else "--recheck"
    command = f"./run python -m benchmarks.doc_figures {asked} {' '.join(old)}"
    return ["", f"*The code{which} has changed since this was measured: `{command}` says whether it still holds.*"]


def tables_of(page: str) -> Iterator[tuple[str, str]]:
    """Name and content of each table that stands in a page."""
    for match in TABLE.finditer(page):
        yield match[1], match[2]


def is_measured(name: str) -> bool:
    """Whether there is any result file for a table."""
    return any((doc_results.RESULTS / file).is_file() for file in files_of(name))


def rewritten(page: str) -> str:
    """The page with every table as its result files give it now; one without files stays as it is."""

    def anew(match: re.Match[str]) -> str:
        name, content = match[1], match[2]
        made = table(name) if is_measured(name) else content
        return f"{BEGIN.format(name=name)}\n{made}{END.format(name=name)}"

    return TABLE.sub(anew, page)


def stale() -> dict[str, list[str]]:
    """By result file, those of whose code is not what it was."""
    names = sorted(path.stem for path in doc_results.RESULTS.glob("*.json*"))
    return {name: labels for name in names if (labels := stale_labels(name))}


def stale_labels(name: str) -> list[str]:
    """Those in a result file whose code is not what it was; of what a benchmark printed, its command."""
    printed_of_it = [each.command for each in doc_results.all_printed() if each.name == name and each.is_stale()]
    return printed_of_it or sorted({row.label for row in read(name) if row.is_stale()})


def main(arguments: Sequence[str]) -> int:
    if arguments == ["stale"]:
        old = stale()
        for name, labels in old.items():
            print(f"{name}: {', '.join(labels)}")
        return int(bool(old))
    if arguments[:1] == ["keep"] and len(arguments) >= 3:
        print(f"kept {doc_results.keep_printed(*arguments[1:])}")
        return 0
    if arguments:
        print(__doc__)
        return 2
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        if (new := rewritten(text)) != text:
            path.write_text(new, encoding="utf-8")
            print(f"wrote {path.name}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (ScenthoundError, OSError) as error:
        sys.exit(str(error))
