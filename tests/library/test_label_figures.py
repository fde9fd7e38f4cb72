from pathlib import Path

from scenthound.library import open_library
from scenthound.library.label_figures import LabelFigures, LabelTally, label_figures, labelled_pages
from scenthound.model import Label
from tests.library.collection import collect, stored

GOOD, BAD, UNKNOWN = "http://a.example/good", "http://a.example/bad", "http://b.example/"


def test_who_said_what_and_what_it_decided(tmp_path: Path) -> None:
    collect(tmp_path, [stored(GOOD, "otters", relevance=0.9), stored(BAD, "taxes", relevance=0.8)])
    with open_library(tmp_path, write=False) as library:
        assert label_figures(library) == LabelFigures()
        library.add_labels(
            [
                Label(GOOD, True, "list", 2.0),
                Label(BAD, False, at=3.0),
                Label(UNKNOWN, True, at=1.0),
                Label("a.example", True, kind="site"),
            ]
        )
        figures = label_figures(library)
        assert [(each.page.url, each.overturned) for each in labelled_pages(library)] == [(BAD, True), (GOOD, False)]
    assert (figures.pages, figures.sites) == (LabelTally(2, 1), LabelTally(1, 0))
    assert list(figures.by.items()) == [("person", LabelTally(1, 1)), ("list", LabelTally(1, 0))]
    assert (figures.stored, figures.overturned) == (LabelTally(1, 1), 1)
