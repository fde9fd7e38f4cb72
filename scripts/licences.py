"""Lists the packages that Scenthound is run with, their pinned versions and their licences: docs/licences.md.

    ./run python scripts/licences.py

Names and versions are those of the locks, licences what the installed packages say of themselves.
A test fails when a package is pinned that the page does not list, in another version, or without a licence.
"""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
LOCKS = ROOT / "requirements"

ELSEWHERE = {"colorama": "BSD-3-Clause", "brotlicffi": "MIT"}
"""Of packages that are installed on other systems only."""

INSIDE = {
    "htmx 2.0.11": "0BSD, `src/scenthound/web/static/LICENSE.htmx`",
    "uPlot 1.6.32": "MIT, `src/scenthound/web/static/LICENSE.uplot`",
    "facts of Princeton WordNet 3.0": "WordNet licence, `src/scenthound/ontology/data/LICENSE.wordnet`",
    "word frequencies of wordfreq 3.1": "CC BY-SA 4.0, `src/scenthound/text/data/README.md`",
}
"""Data that comes with the program."""

_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)", re.MULTILINE)


def pinned(lock: str = "run") -> dict[str, str]:
    """Package -> version, as the lock has them."""
    return dict(_PIN.findall((LOCKS / f"{lock}.lock").read_text(encoding="utf-8")))


def extras() -> dict[str, str]:
    """The same of what the extras of pyproject.toml name, and the program can do without."""
    named = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    names = {re.split(r"[><=!~;\[ ]", wanted)[0].lower() for group in named.values() for wanted in group}
    return {name: version for name, version in pinned("dev").items() if name in names - set(pinned())}


def licence_of(package: str) -> str:
    """What a package says of itself, in the newest of the three places where it can."""
    try:
        about = metadata.metadata(package)
    except metadata.PackageNotFoundError:
        return ELSEWHERE.get(package, "")
    if expression := about.get("License-Expression"):
        return expression
    named = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or [] if line.startswith("License ::")]
    if named := [name for name in named if name != "OSI Approved"]:
        return ", ".join(named)
    return (about.get("License") or "").strip().partition("\n")[0]


def page() -> str:
    rows, more = _rows(pinned()), _rows(extras())
    inside = [f"| {name} | {licence} |" for name, licence in INSIDE.items()]
    return "\n".join(
        [
            "<!-- Made by scripts/licences.py; do not edit. -->",
            "# Licences",
            "",
            "Scenthound is under the Apache License 2.0 (`LICENSE`). It is run with these packages, in these versions:",
            "",
            "| package | version | licence |",
            "|---|---|---|",
            *rows,
            "",
            "And with these, where one of its extras is installed:",
            "",
            "| package | version | licence |",
            "|---|---|---|",
            *more,
            "",
            "It brings along:",
            "",
            "| data | licence |",
            "|---|---|",
            *inside,
            "",
        ]
    )


def _rows(packages: dict[str, str]) -> list[str]:
    return [f"| {name} | {version} | {licence_of(name)} |" for name, version in sorted(packages.items())]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
