"""One more strategy, judge, format or measure is one more file: names, help and documents find it by themselves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

STRATEGY = '''
from dataclasses import dataclass
from scenthound.model import Ranked
from scenthound.registry import strategy

@strategy("new-thing")
@dataclass
class NewThing:
    """Longest URL first (nobody).

    Believes that a long URL has more to say.

        priority = length of the URL
    """

    factor: float = 2.0

    def rank(self, visit):
        return [Ranked(link, self.factor * len(link.url)) for link in visit.page.links]
'''
JUDGE = '''
from dataclasses import dataclass
from scenthound.registry import judge

@judge("new-thing")
@dataclass
class NewThing:
    """Whatever is long (nobody)."""

    long: int = 1000

    def __call__(self, page):
        return min(1.0, len(page.text) / self.long)
'''
FORMAT = '''
from dataclasses import dataclass
from scenthound.export.exporter import exporter

@exporter("new-thing")
@dataclass
class NewThing:
    """A title a line, loud."""

    extensions = (".new",)

    def write(self, pages, stream):
        for page in pages:
            stream.write(page.title.upper().encode() + b"\\n")
'''
MEASURE = """
import numpy as np
from scenthound.lab.measures.registry import measure

@measure("new-thing", unit="pages", better="neither")
def new_thing(trace, evidence):
    "How many pages were downloaded."
    return np.arange(1.0, len(trace.pages) + 1)
"""

DROPPED = "import {package}; {package}.__path__.append({folder!r}); "
DOCS = "import runpy; print(runpy.run_path({script!r})['PAGES'][{page!r}]())"
COMMAND = "import sys; sys.argv[1:] = {arguments!r}; from scenthound.cli.main import main; main()"


def told(folder: Path, package: str, source: str, program: str) -> str:
    """What a program prints that runs where one more file lies in a package."""
    folder.mkdir()
    (folder / "new_thing.py").write_text(source)
    code = DROPPED.format(package=package, folder=str(folder)) + program
    around = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "COLUMNS": "200"}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=around).stdout


def docs(page: str) -> str:
    return DOCS.format(script=str(ROOT / "scripts" / "make_docs.py"), page=page)


def command(*arguments: str) -> str:
    return COMMAND.format(arguments=list(arguments))


@pytest.mark.parametrize(
    ("package", "source", "program", "shown"),
    [
        ("scenthound.strategies", STRATEGY, docs("strategies.md"), "## new-thing\n\nLongest URL first (nobody)."),
        ("scenthound.strategies", STRATEGY, command("strategies"), "new-thing"),
        (
            "scenthound.judges",
            JUDGE,
            docs("settings.md"),
            "| `new-thing` | Whatever is long (nobody). | 0.5 | `long = 1000` |",
        ),
        ("scenthound.export", FORMAT, docs("commands.md"), "| `new-thing` | `.new` | A title a line, loud. |"),
        ("scenthound.export", FORMAT, command("export", "--help"), "new-thing"),
        (
            "scenthound.lab.measures",
            MEASURE,
            "from scenthound.lab.measures.registry import evaluate, measure; "
            "from scenthound.lab.measures.trace import Evidence, Request, Trace; "
            "print(measure.get('new-thing').doc, evaluate(Trace((Request('a'),)), Evidence())['new-thing'].final)",
            "How many pages were downloaded. 1.0",
        ),
    ],
    ids=["strategy-docs", "strategy-command", "judge-docs", "format-docs", "format-help", "measure"],
)
def test_it_is_found(tmp_path: Path, package: str, source: str, program: str, shown: str) -> None:
    assert shown in told(tmp_path / "more", package, source, program)


@pytest.mark.parametrize(
    ("package", "source", "options"),
    [
        ("scenthound.strategies", STRATEGY, ["--strategy", "new-thing", "--param", "factor=3"]),
        ("scenthound.judges", JUDGE, ["--judge", "new-thing"]),
    ],
    ids=["strategy", "judge"],
)
def test_it_crawls(tmp_path: Path, package: str, source: str, options: list[str]) -> None:
    crawl = command("crawl", "--demo", "--into", str(tmp_path / "library"), "--pages", "20", "--json", *options)
    assert '"relevance"' in told(tmp_path / "more", package, source, crawl)
