from pathlib import Path

import pytest

from scenthound.app.trails import ImportOptions, draw_lessons, import_trails, plain_lessons
from scenthound.errors import UsageError
from tests.library.collection import collect, stored

FIRST, SECOND = "http://a.test/", "http://a.test/birds"


async def test_trails_are_taken_in_marked_and_drawn(tmp_path: Path) -> None:
    folder = collect(tmp_path / "x", [stored(FIRST, "start here", title="Start"), stored(SECOND, "birds sing")])
    (tmp_path / "trails.txt").write_text(f"{FIRST}\n{SECOND}\n")
    trails = await import_trails(ImportOptions(folder=folder, files=[tmp_path / "trails.txt"], fetch=False))
    assert (trails.new_trails, trails.visited) == (1, [FIRST, SECOND])
    assert {page.url for page in trails.unmarked()} == {FIRST, SECOND}
    trails.mark(SECOND, True)
    assert [page.url for page in trails.unmarked()] == [FIRST]
    assert (trails.summary().relevant, trails.summary().pages_at_hand) == (1, 2)
    lessons, picture = draw_lessons(folder)
    assert plain_lessons(lessons)["targets"] == 1
    assert picture == folder / "training" / "graph.html"


async def test_nothing_fits(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Nothing was visited that fits"):
        await import_trails(ImportOptions(folder=tmp_path / "x"))
