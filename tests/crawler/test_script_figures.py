"""What is counted of pages made by scripts, and that runs add up."""

from scenthound.crawler.script_figures import ScriptFigures, of_runs
from scenthound.model import Page, Rendering

SHELL, FULL = Page("http://a/", needs_scripts=True), Page("http://a/")


def test_pages_that_showed_nothing_and_pages_that_were_read() -> None:
    figures = ScriptFigures()
    figures.count(FULL, None, relevant=True)
    assert figures.counters() == {}
    figures.count(SHELL, None, relevant=False)
    figures.count(SHELL, Rendering(2.0, 1, 10, 3), relevant=True)  # scripts ran, in vain
    figures.count(FULL, Rendering(1.0, 2, 30), relevant=True)
    assert figures == ScriptFigures(unread=2, rendered=1, relevant=1, seconds=3.0, requests=3, refused=3, bytes=40)


def test_runs_add_up() -> None:
    one, two = ScriptFigures(unread=2, seconds=0.5), ScriptFigures(unread=1, rendered=4, seconds=1.0)
    assert of_runs([one.counters(), {"pages": 7}, two.counters()]) == ScriptFigures(unread=3, rendered=4, seconds=1.5)
