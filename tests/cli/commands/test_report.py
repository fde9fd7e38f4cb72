from pathlib import Path

from typer.testing import CliRunner

from scenthound.cli.main import app
from tests.library.collection import zoo

runner = CliRunner()


def test_it_prints_where_the_report_is(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    result = runner.invoke(app, ["report", str(folder)])
    assert (result.exit_code, result.stdout) == (0, f"{folder / 'report.html'}\n")
    assert "All about otters" in (folder / "report.html").read_text(encoding="utf-8")


def test_elsewhere(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    assert runner.invoke(app, ["report", str(folder), "-o", str(tmp_path / "r.html")]).exit_code == 0
    assert (tmp_path / "r.html").exists()


def test_no_library_there(tmp_path: Path) -> None:
    result = runner.invoke(app, ["report", str(tmp_path)])
    assert result.exit_code == 3
    assert "There is no library in" in result.stderr
