import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scenthound.cli import main
from scenthound.cli.views.help import load_help
from scenthound.errors import LibraryBusy
from scenthound.version import __version__
from tests.library.collection import collect, stored

runner = CliRunner()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SCENTHOUND_DEBUG", raising=False)
    return tmp_path


def test_version() -> None:
    result = runner.invoke(main.app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"scenthound {__version__}\n")


def test_help_shows_every_command_in_its_group() -> None:
    text = runner.invoke(main.app, ["--help"]).stdout
    for command in main.COMMANDS:
        assert command.name in text
        assert command.group in text


def every_command() -> list[str]:
    """With those that a command has of its own."""
    top = [command.name for command in main.COMMANDS]
    inner = [f"{command.name} {part}" for command in main.COMMANDS for part in getattr(command.load(), "commands", {})]
    return [*top, *inner]


@pytest.mark.parametrize("command", every_command())
def test_every_command_has_an_example(command: str) -> None:
    result = runner.invoke(main.app, [*command.split(), "--help"])
    assert result.exit_code == 0
    _, heading, examples = result.stdout.partition("Examples")
    assert heading
    assert f"scenthound {command}" in examples


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["crawl"], 2, "Say what to look for"),
        (["crawl", "birds"], 2, "--seed URL"),
        (["crawl", "birds", "--seed", "ftp://example.org/"], 2, "The seed 'ftp://example.org/' is no usable URL"),
        (["crawl", "birds", "-s", "example.org", "--strategy", "best-frist"], 2, "Did you mean 'best-first'?"),
        (["crawl", "birds", "-s", "example.org", "--judge", "keyword"], 2, "Did you mean 'keywords'?"),
        (
            ["crawl", "birds", "-s", "example.org", "--strategy", "best-n-first", "--param", "m=1"],
            2,
            "no parameter 'm'",
        ),
        (["crawl", "birds", "-s", "example.org", "--param", "x"], 2, "name=value"),
        (["crawl", "the", "-s", "example.org"], 2, "No keyword of the topic says anything"),
        (["crawl", "birds", "-s", "example.org", "--strategy", "best-first-targets"], 2, "example"),
        (["crawl", "birds", "-s", "example.org", "--allow", "((("], 2, ""),
        (["crawl", "birds", "-s", "example.org", "--replay", "none.warc.gz"], 4, "none.warc.gz"),
        (["crawl", "birds", "-s", "example.org", "--pages", "-3"], 2, "--pages"),
        (["crawl", "birds", "--seeds-file", "none.txt"], 2, "none.txt cannot be read"),
        (["crawl", "./nowhere"], 3, "does not exist"),
        (["crawl", "--demo", "stamps"], 2, "Its topics: "),
        (["status", "nowhere"], 3, "There is no library in nowhere"),
        (["strategies", "best-frist"], 2, "Did you mean 'best-first'?"),
        (["crwal"], 2, "crwal"),
    ],
    ids=str,
)
def test_mistakes_are_named_and_leave_nothing_behind(here: Path, arguments: list[str], code: int, message: str) -> None:
    result = runner.invoke(main.app, arguments)
    assert result.exit_code == code
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert os.listdir(here) == []


def test_an_unknown_key_is_answered_with_the_nearest_one(here: Path) -> None:
    (here / "topic.toml").write_text('[crawl]\nsedes = ["https://example.org/"]\n')
    result = runner.invoke(main.app, ["crawl", "topic.toml"])
    assert result.exit_code == 2
    assert "unknown key 'sedes'; did you mean 'seeds'?" in result.stderr


def test_one_line_per_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(topic: str, *_: object) -> int:
        raise LibraryBusy("another crawl writes to it")

    monkeypatch.setattr("scenthound.cli.views.watched_crawl.run_crawl", busy)
    result = runner.invoke(main.app, ["crawl", "birds"])
    assert (result.exit_code, result.stderr) == (3, "scenthound: another crawl writes to it\n")


@pytest.mark.parametrize("debug", [False, True])
def test_our_own_mistakes_ask_for_a_report(monkeypatch: pytest.MonkeyPatch, debug: bool) -> None:
    def broken(*_: object) -> int:
        raise RuntimeError("no such luck")

    monkeypatch.setenv("SCENTHOUND_DEBUG", "")
    monkeypatch.setattr("scenthound.cli.views.watched_crawl.run_crawl", broken)
    result = runner.invoke(main.app, [*(["--debug"] if debug else []), "crawl", "birds"])
    assert result.exit_code == 70
    assert "RuntimeError: no such luck" in result.stderr
    assert ("Traceback" in result.stderr) == debug
    assert ("--debug" in result.stderr) == (not debug)


def test_strategies_are_listed_with_a_line_each() -> None:
    listed = json.loads(runner.invoke(main.app, ["strategies", "--json"]).stdout)
    assert {"breadth-first", "best-first"} <= {each["name"] for each in listed}
    assert all(each["summary"] for each in listed)
    text = runner.invoke(main.app, ["strategies"]).stdout
    assert all(each["name"] in text for each in listed)


def test_a_strategy_tells_its_parameters() -> None:
    told = json.loads(runner.invoke(main.app, ["strategies", "best-n-first", "--json"]).stdout)
    assert {"name": "n", "type": "int", "default": 16} in told["parameters"]
    text = runner.invoke(main.app, ["strategies", "best-n-first"]).stdout
    assert "default 16" in text
    assert "--param n=16" in text


HEAVY = ("numpy", "aiohttp", "asyncio", "msgspec", "sqlite3", "rich.markdown", "markdown_it", "pygments")
LIGHT = {"scenthound", "scenthound.version", "scenthound.errors"}
"""What of us is imported to show help, besides the command line itself."""


def imported_by(*arguments: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    script = (
        "import sys; from scenthound.cli.main import app\n"
        f"try: app({list(arguments)!r}, prog_name='scenthound')\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["crawl", "--help"], ["strategies", "--help"]])
def test_help_imports_nothing_that_takes_long(arguments: list[str]) -> None:
    found = imported_by(*arguments)
    assert not {name for name in found if name.partition(".")[0] in HEAVY or name in HEAVY}
    ours = {name for name in found if name.partition(".")[0] == "scenthound"}
    assert {name for name in ours if not name.startswith("scenthound.cli")} <= LIGHT


def test_what_help_does_without_is_there_for_others() -> None:
    load_help()
    from rich.markdown import Markdown
    from rich.traceback import Traceback

    assert (Markdown.__module__, Traceback.__module__) == ("rich.markdown", "rich.traceback")


@pytest.mark.parametrize("terminal", [False, True])
def test_letters_that_the_locale_lacks_stop_nobody(tmp_path: Path, terminal: bool) -> None:
    """What goes into a file is UTF-8 whatever the locale; on a terminal each such letter becomes another."""
    folder = collect(tmp_path / "zoo", [stored("https://zoo.example/", "蘭", title="温室の蘭", relevance=0.9)])
    command = [sys.executable, "-c", "from scenthound.cli.main import main; main()", "status", str(folder)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    if not terminal:
        done = subprocess.run(command, capture_output=True, env=environment, check=True)
        assert "温室の蘭" in done.stdout.decode()
        return
    master, slave = pty.openpty()
    process = subprocess.Popen(command, stdout=slave, stderr=slave, stdin=slave, env=environment)
    os.close(slave)
    shown = b""
    with suppress(OSError):  # that is how a terminal ends
        while piece := os.read(master, 65536):
            shown += piece
    os.close(master)
    assert process.wait() == 0, shown
    assert b"????" in shown
