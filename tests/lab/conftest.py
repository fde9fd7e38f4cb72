from pathlib import Path

import pytest

from scenthound.lab.crawls.experiment import Experiment


@pytest.fixture(autouse=True)
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Surveys and indexes go where no other test and no person keeps any."""
    folder = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture
def tiny() -> Experiment:
    """An experiment of a second or two: one topic, a made-up web of 300 pages."""
    return Experiment(strategies=["breadth-first", "best-first"], generated=300, pages=30)
