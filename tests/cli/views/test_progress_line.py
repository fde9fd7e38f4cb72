import pytest

from scenthound.cli.views.progress_line import ProgressLine


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_told_once_it_takes_a_while(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    now = 0.0
    progress = ProgressLine("Indexing page", clock=lambda: now)
    progress(100, 3000)
    assert capsys.readouterr().err == ""
    now = 2.5
    progress(1500, 3000)
    assert ("Indexing page 1,500 of 3,000" in capsys.readouterr().err) == terminal
    progress.end()
    assert capsys.readouterr().err == ("\r\x1b[K" if terminal else "")
