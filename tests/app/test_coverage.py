"""What one library and two say of how much is found."""

from pathlib import Path

import pytest

from scenthound.app.coverage import read_coverage
from scenthound.errors import LibraryMissing, UsageError
from tests.app.test_crawl import SITE, session


async def test_two_libraries_from_other_seeds(tmp_path: Path) -> None:
    """Pages in a row: the one crawl has 0 to 9, the other 2 to 11; a page of either is one of birds."""
    await session(tmp_path / "one", pages=10).run()
    await session(tmp_path / "other", pages=10, seeds=[f"{SITE}/2"]).run()
    found = read_coverage(tmp_path / "one", tmp_path / "other")
    assert found.at_large is not None
    assert (found.at_large.first, found.at_large.second, found.at_large.both) == (10, 10, 8)
    assert found.at_large.total == pytest.approx(11 * 11 / 9 - 1)
    assert found.shared_seeds == []
    assert "fewer than 50 pages" in found.reachable.unknown
    assert read_coverage(tmp_path / "one").at_large is None


async def test_seeds_that_both_had_are_named(tmp_path: Path) -> None:
    await session(tmp_path / "one", pages=3).run()
    await session(tmp_path / "other", pages=4).run()
    assert read_coverage(tmp_path / "one", tmp_path / "other").shared_seeds == [f"{SITE}/0"]


async def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    await session(tmp_path / "one", pages=3).run()
    with pytest.raises(UsageError, match="against itself"):
        read_coverage(tmp_path / "one", tmp_path / "one")
    with pytest.raises(UsageError, match="--confidence must be from"):
        read_coverage(tmp_path / "one", confidence=1.5)
    with pytest.raises(LibraryMissing):
        read_coverage(tmp_path / "none")
