"""Libraries lent to threads: used again, but not after an error nor when another file stands in their place."""

from pathlib import Path

import pytest

from scenthound.web.readers import MOST_KEPT, Readers
from tests.library.collection import zoo


def test_a_reader_is_used_again(tmp_path: Path) -> None:
    readers = Readers(zoo(tmp_path / "zoo"))
    with readers.lend() as first:
        pass
    with readers.lend() as second, readers.lend() as third:
        assert second is first
        assert third is not first
    readers.close()


def test_after_an_error_it_is_closed(tmp_path: Path) -> None:
    readers = Readers(zoo(tmp_path / "zoo"))
    with pytest.raises(RuntimeError), readers.lend() as broken:
        raise RuntimeError
    with readers.lend() as other:
        assert other is not broken
    readers.close()


def test_a_library_that_took_its_place_is_opened(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    readers = Readers(folder)
    with readers.lend() as before:
        pass
    other = zoo(tmp_path / "other")
    (other / "library.db").replace(folder / "library.db")
    with readers.lend() as after:
        assert after is not before
        assert after.page_totals().pages == 7
    readers.close()


def test_few_are_kept(tmp_path: Path) -> None:
    readers = Readers(zoo(tmp_path / "zoo"))
    lent = [readers.lend() for _ in range(MOST_KEPT + 2)]
    for each in lent:
        each.__enter__()
    for each in lent:
        each.__exit__(None, None, None)
    assert len(readers._free) == MOST_KEPT
    readers.close()
