import json
from pathlib import Path

import pytest

from scenthound.app.trails import ImportOptions, draw_lessons, follow, import_trails, plain_lessons
from scenthound.errors import UsageError
from scenthound.training.training_store import TrainingStore
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


def test_a_har_file_is_followed_as_it_grows(tmp_path: Path) -> None:
    def entry(url: str, second: int) -> dict[str, object]:
        request = {"method": "GET", "url": url, "headers": []}
        content = {"mimeType": "text/html"}
        response = {"status": 200, "headers": [], "content": content, "redirectURL": ""}
        return {"startedDateTime": f"2026-11-16T10:00:{second:02}Z", "request": request, "response": response}

    har, known = tmp_path / "session.har", dict[Path, tuple[int, int]]()
    options = ImportOptions(tmp_path / "crawl", [har])
    grown = []
    for seen in (1, 1, 3):
        entries = [entry(f"http://a.example/{number}", number) for number in range(seen)]
        if not har.is_file() or seen > 1:
            har.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))
        grown.append(follow(options, known))
    assert grown == [1, 0, 2]
    assert [len(trail.urls) for trail in TrainingStore(tmp_path / "crawl").trails()] == [3]
