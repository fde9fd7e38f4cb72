"""Every block of code in the documents is one that works: commands are understood, settings are settings.

What is shown of Python is run by tests of its own (`test_docs.py`, `api/test_docs_python.py`, `test_tutorial.py`).
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer

from scenthound.cli.main import COMMANDS
from scenthound.config import from_dict
from scenthound.errors import ScenthoundError

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("examples/*/README.md")])
DESCRIBED = (*PAGES, ROOT / "benchmarks" / "README.md")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LOADED = {command.name: command for command in COMMANDS}


def blocks(page: Path, *languages: str) -> list[str]:
    return [block for language, block in BLOCK.findall(page.read_text(encoding="utf-8")) if language in languages]


def commands(block: str) -> list[list[str]]:
    """The calls of our program in a block of shell, continued lines joined and comments left out."""
    lines = block.replace("\\\n", " ").splitlines()
    found = []
    for line in lines:
        text = line.strip().removeprefix("$ ")
        if re.match(r"(?:uvx |pipx run )?(?:scenthound|\./run) [a-z]", text):
            words = shlex.split(re.sub(r"\s#.*", "", text))  # as a shell has it: # in a word is no comment
            words = words[words.index(next(word for word in words if word in ("scenthound", "./run"))) + 1 :]
            end = next((n for n, word in enumerate(words) if word in ("|", ">", "&&", "&", ";", "<", "2>")), len(words))
            if words[0] not in ("test", "python"):
                found.append(words[:end])
    return found


CALLS = [
    pytest.param(call, id=f"{page.name}: {' '.join(call)}"[:100])
    for page in PAGES
    for block in blocks(page, "", "sh", "console")
    for call in commands(block)
]


@pytest.mark.parametrize("call", CALLS)
def test_a_command_that_is_shown_is_understood(call: list[str]) -> None:
    """As far as its line goes: options exist, and have values they can have. It is not run."""
    name, *arguments = call
    if arguments and f"{name} {arguments[0]}" in LOADED:
        name, arguments = f"{name} {arguments[0]}", arguments[1:]
    assert name in LOADED, name
    command = LOADED[name].load()
    while arguments and arguments[0] in (within := getattr(command, "commands", {})):
        command, arguments = within[arguments[0]], arguments[1:]
    try:
        command.make_context(name, list(arguments))
    except typer.Exit:
        pass  # --help, --version
    except typer.BadParameter as error:
        if "does not exist" not in error.format_message():  # files of the reader's
            raise


PROGRAM = re.compile(r"(?:\$ )?\./run python (?:-m )?(?:scripts\.doc_tables keep \S+ )?(benchmarks[./]\S+.*)")


def programs(block: str) -> list[str]:
    """The calls of benchmarks in a block of shell, those too whose tables are kept."""
    lines = [line.strip() for line in block.replace("\\\n", " ").splitlines()]
    return [re.sub(r"\s#.*", "", found[1]).strip() for line in lines if (found := PROGRAM.fullmatch(line))]


UP_TO_ITS_OPTIONS = """
import argparse, json, os, runpy, sys

class Understood(Exception):
    pass

def parsed(self, args=None, namespace=None, read=argparse.ArgumentParser.parse_args):
    read(self, args, namespace)
    raise Understood

def troubles(name, *arguments):
    file = name if name.endswith(".py") else name.replace(".", "/") + ".py"
    if "parse_args" not in open(file).read():
        return "it takes no options" if arguments else ""
    sys.argv, sys.path[0] = [name, *arguments], os.path.dirname(name)
    try:
        runpy.run_path(name, run_name="__main__") if name.endswith(".py") else runpy.run_module(name, None, "__main__")
    except Understood:
        return ""
    except BaseException as error:
        return repr(error)
    return "it did not read its options"

argparse.ArgumentParser.parse_args = parsed
told = {" ".join(call): troubles(*call) for call in json.loads(sys.argv[1])}
print(json.dumps({call: said for call, said in told.items() if said}))
"""


def test_programs_that_are_shown_take_these_options() -> None:
    """Each is begun, and ended once it has read them: what it measures takes minutes, or recorded webs.

    All in one process, since they load much, and mostly the same.
    """
    calls = {call for page in DESCRIBED for block in blocks(page, "", "sh", "console") for call in programs(block)}
    assert len(calls) > 20
    asked = [*sorted(map(shlex.split, calls)), ["benchmarks/ranking.py", "--no-such-option"]]
    done = subprocess.run(
        [sys.executable, "-c", UP_TO_ITS_OPTIONS, json.dumps(asked)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "src")))},
        capture_output=True,
        text=True,
        check=False,
    )
    told = json.loads(done.stdout.splitlines()[-1])
    assert told.pop("benchmarks/ranking.py --no-such-option", "") == "SystemExit(2)", "what is wrong is noticed"
    assert not told, done.stderr[-2000:]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "toml")], ids=lambda page: page.name)
def test_settings_that_are_shown_are_settings(page: Path) -> None:
    for block in blocks(page, "toml"):
        shown = tomllib.loads(block)
        if set(shown) <= {"topic", "crawl", "scope", "politeness", "fetch", "library", "sites"}:
            from_dict(shown)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "json")], ids=lambda page: page.name)
def test_json_that_is_shown_is_json(page: Path) -> None:
    for block in blocks(page, "json"):
        json.loads(block)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_python_that_is_shown_is_python(page: Path) -> None:
    for number, block in enumerate(blocks(page, "python")):
        compile(block, f"{page.name}, block {number}", "exec")


def test_a_command_that_is_not_understood_is_noticed() -> None:
    with pytest.raises(Exception, match="No such option: --sed"):
        test_a_command_that_is_shown_is_understood(["crawl", "corals", "--sed", "x"])
    assert commands("$ scenthound crawl a \\\n  --pages 3 | less  # all") == [["crawl", "a", "--pages", "3"]]
    with pytest.raises(ScenthoundError):
        from_dict({"crawl": {"page": 3}})
