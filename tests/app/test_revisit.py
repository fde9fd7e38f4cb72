from pathlib import Path

import pytest

from scenthound import config as toml
from scenthound.app.events import Checked, Event
from scenthound.app.revisit import check_options, due_pages, make_revisits, plain_due, plain_round, policies
from scenthound.config import Config
from scenthound.errors import LibraryMissing, UnknownName, UsageError
from scenthound.revisit.rounds import RevisitOptions
from tests.lab.small import HOME, page, write_web
from tests.library.collection import collect, stored


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library whose only page is nowhere any more."""
    config = Config()
    config.topic.name = "birds"
    config.fetch.recorded = [str(tmp_path / "none.warc.gz")]
    write_web(tmp_path / "none.warc.gz", {f"{HOME}other": page("of something else")})
    folder = collect(tmp_path / "x", [stored("http://a.test/", "birds sing", title="Birds")], config)
    toml.save(config, folder / "topic.toml")
    return folder


async def test_a_round_is_listened_to(folder: Path) -> None:
    heard: list[Event] = []
    looked: list[tuple[int, int]] = []
    rounds = make_revisits(
        folder,
        check_options(RevisitOptions()),
        listeners=[heard.append],
        looking=lambda done, whole: looked.append((done, whole)),
    )
    told = plain_round(await rounds.round(), again=5.0)
    assert [event.outcome for event in heard if isinstance(event, Checked)] == ["missing"]
    assert looked == [(1, 1)]
    assert (told["looks"], told["next"]) == ({"missing": 1}, 5.0)


def test_what_is_due(folder: Path) -> None:
    (page,) = due_pages(folder, RevisitOptions(requests=5))
    assert plain_due(page, 2.0, page.checked_at)["url"] == "http://a.test/"


def test_mistakes(tmp_path: Path, folder: Path) -> None:
    assert "learned" in policies()
    assert check_options(RevisitOptions()).requests == 100
    with pytest.raises(UnknownName, match="'lerned'"):
        check_options(RevisitOptions(policy="lerned"))
    with pytest.raises(LibraryMissing, match="There is no library"):
        make_revisits(tmp_path / "none", RevisitOptions())
    (folder / "topic.toml").unlink()
    with pytest.raises(UsageError, match=r"lost its topic\.toml"):
        due_pages(folder, RevisitOptions())
