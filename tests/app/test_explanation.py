from pathlib import Path

from scenthound.app.explanation import UNKNOWN, explain
from scenthound.library import open_library
from tests.library.collection import zoo


async def test_it_can_be_asked_while_something_else_runs(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    told = explain(folder, "http://nowhere.test/")
    assert told.state == UNKNOWN


async def test_a_page_tells_its_way_and_its_judgement(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    with open_library(folder, write=False) as library:
        url = next(library.pages()).url
    told = explain(folder, url)
    assert told.state == "fetched"
    assert told.judgement is not None
    assert told.way[-1].url == url
