"""Documents say what the code does: reference pages are made from it, and links and commands in the others exist."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from scenthound import registry, urls
from scenthound.cli.main import COMMANDS
from scenthound.library import open_library
from scenthound.model import Link, Response, Step, Visit, Waiting
from scenthound.parse.page import parse

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks").glob("*.md")])
LINK = re.compile(r"\]\(([^)#]+)")
COMMAND = re.compile(r"^\s*(?:\$ )?(?:scenthound|\./run) ([a-z-]+)", re.MULTILINE)


def make_docs():  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["commands.md", "strategies.md", "settings.md"])
def test_reference_pages_are_up_to_date(name: str) -> None:
    wanted = make_docs().PAGES[name]().rstrip() + "\n"
    assert (ROOT / "docs" / name).read_text() == wanted, "run: ./run python scripts/make_docs.py"


def test_every_command_and_option_is_documented() -> None:
    page = (ROOT / "docs" / "commands.md").read_text()
    commands = {command.name: command.load() for command in COMMANDS}
    within = {f"{name} {part}": made for name, each in commands.items() for part, made in _parts(each)}
    for name, command in {**commands, **within}.items():
        section = page.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        assert section, f"{name} is not in docs/commands.md"
        for parameter in command.params:
            for option in parameter.opts if parameter.param_type_name == "option" else ():
                assert f"`{option}`" in section
                assert getattr(parameter, "help", ""), f"{name} {option} has no help"


def _parts(command: Any) -> Iterable[tuple[str, Any]]:
    """The commands of a command that has some."""
    return getattr(command, "commands", {}).items()


def test_every_strategy_and_every_setting_says_what_it_is() -> None:
    page = (ROOT / "docs" / "strategies.md").read_text()
    assert all(f"\n## {name}\n" in page for name in registry.strategy.names())
    assert "|  |\n" not in (ROOT / "docs" / "settings.md").read_text(), "a setting has no comment in config.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_shown_exist(page: Path) -> None:
    known = {*(command.name for command in COMMANDS), "test", "python"}
    shown = set(COMMAND.findall("\n".join(re.findall(r"```(?:sh)?\n(.*?)```", page.read_text(), re.DOTALL))))
    assert shown <= known


EXAMPLES = """
import dataclasses, io
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import BinaryIO

import numpy as np

from scenthound.app.events import Event, decode, encode
from scenthound.export.exporter import ChosenPages, exporter
from scenthound.lab.measures.registry import measure
from scenthound.lab.measures.trace import Curve, Evidence, Request, Trace
from scenthound.library import memory_library, open_library
from scenthound.model import Link, Page, Ranked, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.protocols.library import Library
from scenthound.registry import judge, strategy
from tests.conformance.libraries import LibraryConformance

{blocks}

page = Page(url="http://a/", title="Dengue fever", links=(Link("http://a/long"), Link("http://a/")))
ranked = strategy.build("short-urls-first").rank(Visit(Link("http://a/"), page, 1.0, True, 0))
assert [each.priority for each in ranked] == [-13.0, -9.0]
title = judge.build("title")
title.begin(Context(Topic("dengue fever"), lambda term: 1.0, Random(0)))
assert title(page) == 1.0
exporter.build("tsv").write(ChosenPages(memory_library()), io.BytesIO())
trace = Trace((Request("http://a/", bytes=10), Request("http://b/", bytes=30)))
assert list(measure.get("bytes-a-page").curve(trace, Evidence())) == [10.0, 20.0]
assert decode(encode(TopicNarrowed("mosquito", 1.0))) == TopicNarrowed("mosquito", 1.0)
"""


def test_what_contributing_shows_works() -> None:
    """In a process of its own, since what it shows is registered."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    assert len(blocks) == 6
    program = EXAMPLES.replace("{blocks}", "\n".join(blocks))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr


def test_what_how_it_works_shows_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    url = "http://ferns.test/"
    body = b'<title>Ferns</title><p>Ferns are plants.<a href="/moss">moss</a>'
    response = Response(url=url, status=200, headers=(("Content-Type", "text/html"),), body=body)
    link = Link(url=url, kind="seed")
    visit = Visit(link=link, page=parse(response, "en"), relevance=0.5, relevant=True, depth=0)
    lease = Waiting(urls.fingerprint(url), link, "ferns.test", 1.0, 0)
    with open_library(tmp_path / "crawls" / "ferns", create=True) as library:
        library.record(Step(lease=lease, state="waiting", at=1.0, found=(lease,)))
        library.record(Step(lease=lease, state="fetched", at=2.0, response=response, visit=visit))
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "how-it-works.md").read_text(), re.DOTALL)
    exec(block, {})
    assert capsys.readouterr().out == f"{url} 0.5 1\n"
