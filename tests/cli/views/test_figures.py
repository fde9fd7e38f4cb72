import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from scenthound.cli.views import figures


def test_plural() -> None:
    assert figures.plural(1, "page") == "1 page"
    assert figures.plural(1200, "page") == "1,200 pages"


def test_sparkline_rises_with_its_values() -> None:
    assert figures.sparkline([0, 0.5, 1], 3) == "▁▅█"


def test_sparkline_takes_means_where_there_is_no_room() -> None:
    assert figures.sparkline([0, 1, 1, 1], 2) == "▅█"


@given(st.lists(st.floats(0, 1)), st.integers(0, 200))
def test_sparkline_never_exceeds_its_width(values: list[float], width: int) -> None:
    assert len(figures.sparkline(values, width)) == min(width, len(values))


@given(st.text(), st.integers(0, 60))
def test_fit_gives_the_cells_asked_for(text: str, width: int) -> None:
    assert cell_len(figures.fit(figures.printable(text), width)) == width


@given(st.text())
def test_printable_leaves_nothing_a_terminal_obeys(text: str) -> None:
    shown = figures.printable(text)
    assert shown.isprintable()
    assert shown == shown.strip()


def test_a_title_cannot_colour_the_terminal() -> None:
    assert figures.printable("red \x1b[31m\n\u202ealarm\x9b") == "red [31m alarm"


def test_short_url() -> None:
    assert figures.short_url("https://www.example.org/a/") == "example.org/a"


@pytest.mark.parametrize(
    ("topic", "folder"),
    [
        ("Dengue  fever!", "dengue-fever"),
        ("TCP/IP", "tcp-ip"),
        ("Übergang", "übergang"),
        ("../..", ""),
        ("東京", "東京"),
    ],
)
def test_slug(topic: str, folder: str) -> None:
    assert figures.slug(topic) == folder


@given(st.text())
def test_a_slug_is_one_safe_folder_name(topic: str) -> None:
    name = figures.slug(topic)
    assert "/" not in name
    assert "\\" not in name
    assert not name.startswith((".", "-"))
    assert len(name) <= 60
