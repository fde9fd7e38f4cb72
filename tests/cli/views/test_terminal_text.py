from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from scenthound.cli.views.terminal_text import fit, harmless, sparkline
from scenthound.report.formatting import printable


def test_sparkline_rises_with_its_values() -> None:
    assert sparkline([0, 0.5, 1], 3) == "▁▅█"


def test_sparkline_takes_means_where_there_is_no_room() -> None:
    assert sparkline([0, 1, 1, 1], 2) == "▅█"


@given(st.lists(st.floats(0, 1)), st.integers(0, 200))
def test_sparkline_never_exceeds_its_width(values: list[float], width: int) -> None:
    assert len(sparkline(values, width)) == min(width, len(values))


@given(st.text(), st.integers(0, 60))
def test_fit_gives_the_cells_asked_for(text: str, width: int) -> None:
    assert cell_len(fit(printable(text), width)) == width


@given(st.text())
def test_nothing_is_left_that_a_terminal_would_obey(text: str) -> None:
    shown = harmless(text)
    assert all(char.isprintable() or char in "\t\n" for char in shown)
    assert harmless(shown) == shown
