from pathlib import Path

import pytest

from scenthound.app.evaluate import draw_scores, evaluate_crawl, plain_scores
from scenthound.errors import UsageError
from tests.lab.small import HOME, page, write_web

HOUNDS = page("the bloodhound follows a scent for miles; hounds hunt by scent")


def test_a_finished_crawl_is_scored_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_web(tmp_path / "other.warc.gz", {f"{HOME}a": HOUNDS, f"{HOME}b": page("stamps and postal history")})
    (tmp_path / "wanted.txt").write_text(f"{HOME}a\n{HOME}c\n")
    scores = evaluate_crawl(None, warcs=[tmp_path / "other.warc.gz"], targets=tmp_path / "wanted.txt")
    assert plain_scores(scores)["measures"]["target-recall"] == 0.5
    draw_scores(scores, tmp_path / "curves.html")
    assert "<svg" in (tmp_path / "curves.html").read_text()


def test_there_must_be_something_to_measure_against() -> None:
    with pytest.raises(UsageError, match="Say what to measure against"):
        evaluate_crawl(None)


def test_the_language_must_be_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'qq' is no language"):
        evaluate_crawl(None, targets=tmp_path / "wanted.txt", language="qq")
