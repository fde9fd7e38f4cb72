from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scenthound.app.library_status import harvest_curve, read_status
from tests.library.collection import zoo


@given(st.lists(st.booleans(), max_size=400))
def test_the_curve_keeps_the_mean(relevant: list[bool]) -> None:
    curve = harvest_curve(relevant, cells=20)
    assert len(curve) <= 20
    assert bool(curve) == bool(relevant)
    assert all(0 <= value <= 1 for value in curve)


def test_it_is_read_without_disturbing_the_library(tmp_path: Path) -> None:
    status = read_status(zoo(tmp_path / "zoo"))
    assert (status.pages, status.waiting, status.failed, status.refused) == (7, 3, 1, 1)
    assert status.folder == str(tmp_path / "zoo")
