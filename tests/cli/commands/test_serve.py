"""`scenthound serve`: what it says before it serves."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from scenthound.cli.main import app
from scenthound.cli.views import dashboard
from scenthound.errors import UsageError
from tests.library.collection import zoo


def test_a_folder_without_a_library_is_refused(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["serve", str(tmp_path), "--port", "0"])
    assert found.exit_code == 3
    assert "There is no library" in found.output


def test_an_address_that_cannot_be_had_is_said(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["serve", str(zoo(tmp_path / "zoo")), "--host", "192.0.2.1", "--port", "0"])
    assert found.exit_code == 2
    assert "Nothing can be served on 192.0.2.1" in found.output


def test_what_is_not_installed_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dashboard, "NEEDED", ("starlette", "no_such_package"))
    with pytest.raises(UsageError, match=r"not installed: no_such_package\. .*pip install 'scenthound\[web\]'"):
        dashboard.check_installed()
