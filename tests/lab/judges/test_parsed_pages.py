"""Parsed pages are kept: the same pages, whole files or none, and none that other code parsed."""

from pathlib import Path

import pytest

from scenthound.lab.judges import parsed_pages
from scenthound.lab.judges.judge_experiment import JudgeEntry, Trial, settings
from scenthound.lab.judges.parsed_pages import keep_parsed, load_parsed
from scenthound.lab.judges.web_pages import WebPages
from scenthound.lab.webs import MadeUpWeb, WebSpec
from tests.lab.judges.small_trial import write_trial
from tests.lab.small import topic

SPEC = WebSpec(generated=300, seed=5)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(parsed_pages, "is_large", lambda spec: True)
    return tmp_path / "cache"


def files(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.pages"))


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_kept_is_what_parsing_gives(cache: Path, tmp_path: Path, jobs: int) -> None:
    trial = Trial(JudgeEntry("auto"), topic(), "keywords")
    everywhere = settings(write_trial(tmp_path), trial)
    parsed = WebPages(MadeUpWeb(SPEC)).in_scope(everywhere)
    told: list[int] = []
    keep_parsed(SPEC, "en", jobs=jobs, tell=told.append)
    assert sum(told) >= 300
    assert len(files(cache)) == 1
    kept = WebPages(MadeUpWeb(SPEC)).in_scope(everywhere)
    assert kept == parsed
    assert len(kept) > 200
    assert set(load_parsed(MadeUpWeb(SPEC), "en")) >= set(kept)


def test_it_is_done_once_and_older_files_go(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_parsed(SPEC, "en")
    (old,) = files(cache)
    told: list[int] = []
    keep_parsed(SPEC, "en", tell=told.append)
    assert not told
    monkeypatch.setattr(parsed_pages, "_parsing", lambda: "other code")
    assert load_parsed(MadeUpWeb(SPEC), "en") == {}
    keep_parsed(SPEC, "en", tell=told.append)
    assert told
    assert old not in files(cache)
    assert len(files(cache)) == 1


def test_who_is_interrupted_leaves_nothing(cache: Path) -> None:
    def interrupted(pages: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        keep_parsed(SPEC, "en", tell=interrupted)
    assert not [path for path in cache.rglob("*") if path.suffix in (".part", ".pages")]


def test_a_damaged_file_is_as_none(cache: Path) -> None:
    keep_parsed(SPEC, "en")
    (path,) = files(cache)
    path.write_bytes(path.read_bytes()[:-100])
    assert load_parsed(MadeUpWeb(SPEC), "en") == {}


def test_what_cannot_be_written_costs_no_experiment(cache: Path) -> None:
    cache.write_text("a file where a folder should be")
    keep_parsed(SPEC, "en")
    assert load_parsed(MadeUpWeb(SPEC), "en") == {}


def test_a_small_web_is_parsed_as_it_is_needed(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    keep_parsed(SPEC, "en")
    assert not files(cache)


@pytest.mark.parametrize("place", parsed_pages.PARSING)
def test_what_has_a_share_in_parsing_is_there(place: str) -> None:
    root = Path(parsed_pages.version.__file__).parent
    assert any(path.relative_to(root).as_posix().startswith(place) for path in root.rglob("*.py"))
