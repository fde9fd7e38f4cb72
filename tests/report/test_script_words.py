"""Pages made by scripts, in words."""

from scenthound.crawler.script_figures import ScriptFigures
from scenthound.report.script_words import script_lines


def test_pages_that_could_not_be_read_come_with_what_to_do() -> None:
    assert list(script_lines(ScriptFigures(unread=1))) == [
        "1 page showed nothing without scripts (--render auto reads such pages, with a Chromium)"
    ]


def test_what_running_scripts_took_and_brought() -> None:
    figures = ScriptFigures(unread=2, rendered=5, relevant=3, seconds=9.0, requests=11, refused=4, bytes=2_000)
    unread, rendered = script_lines(figures)
    assert unread == "2 pages showed nothing without scripts, even after they ran"
    assert rendered.startswith("5 pages read after scripts ran, 3 relevant; it took ")
    assert "11 requests (" in rendered
    assert rendered.endswith(", 4 refused")


def test_nothing_is_said_where_there_was_nothing() -> None:
    assert not list(script_lines(ScriptFigures()))
