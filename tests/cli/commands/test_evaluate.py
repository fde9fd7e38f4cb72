import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scenthound.cli import main
from tests.lab.small import HOME, page, write_web

runner = CliRunner()
HOUNDS = page("the bloodhound follows a scent for miles; hounds hunt by scent")
STAMPS = page("stamps and postal history, perforations and watermarks")


@pytest.fixture
def crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_web(tmp_path / "other.warc.gz", {f"{HOME}a": HOUNDS, f"{HOME}b": STAMPS})
    (tmp_path / "example.html").write_text(HOUNDS)
    (tmp_path / "wanted.txt").write_text(f"{HOME}a\n{HOME}c\n")
    return tmp_path


def test_measures_as_a_table_as_json_and_as_a_picture(crawl: Path) -> None:
    arguments = ["evaluate", "--warc", "other.warc.gz", "--examples", "example.html", "--targets", "wanted.txt"]
    result = runner.invoke(main.app, [*arguments, "--html", "curves.html"])
    assert result.exit_code == 0, result.stderr
    assert "harvest-ratio" in result.stdout
    assert "0.500" in result.stdout
    picture = (crawl / "curves.html").read_text()
    assert "Harvest ratio" in picture
    assert "<svg" in picture
    figures = json.loads(runner.invoke(main.app, [*arguments, "--json"]).stdout)
    assert (figures["pages"], figures["targets"], figures["examples"]) == (2, 2, 1)
    assert figures["measures"]["target-recall"] == 0.5
    assert figures["measures"]["pages-to-80"] == "never"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--warc", "other.warc.gz"], 2, "--examples FILE"),
        (["--examples", "example.html"], 2, "Say what to score"),
        (["nowhere", "--examples", "example.html"], 3, "no folder nowhere"),
        (["--warc", "other.warc.gz", "--examples", "none.txt"], 2, "none.txt"),
        (["--warc", "none.warc", "--examples", "example.html"], 4, "none.warc"),
    ],
    ids=str,
)
def test_mistakes_are_named(crawl: Path, arguments: list[str], code: int, message: str) -> None:
    result = runner.invoke(main.app, ["evaluate", *arguments])
    assert (result.exit_code, "Traceback" in result.stderr) == (code, False)
    assert message in " ".join(result.stderr.split())
