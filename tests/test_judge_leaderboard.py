"""docs/relevance.md: its leaderboard is written by a script from results, and its table of judges is true."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from scripts import judge_leaderboard
from scripts.judge_leaderboard import BEGIN, END, PROGRAM, between_marks, is_sealed, main, read_run

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.judges.threshold import own_threshold
from scenthound.lab.crawls import results
from scenthound.lab.judges.judge_experiment import JudgeExperiment
from scenthound.lab.judges.judge_results import LINES, JudgeRow
from tests.lab.judges.small_trial import judge_row

CODE = "0123456789abcdef"
AGAIN = "run: ./run python scripts/judge_leaderboard.py FOLDER ... (the folders of finished lab runs)"


def write_run(folder: Path, rows: Sequence[JudgeRow]) -> Path:
    folder.mkdir()
    plan = JudgeExperiment(judges=["auto", "keywords"], web=["web.warc.gz"], topics="topics.jsonl", answers=5)
    (folder / "experiment.toml").write_text(plan.as_toml())
    for row in rows:
        results.append(folder / LINES, row)
    return folder


def measured(judge: str, topic: str, f1: float, code: str = CODE) -> JudgeRow:
    return judge_row(judge, topic, figures={"f1": f1, "calibration-error": 0.1}, code=code)


ROWS = [measured(judge, topic, f1) for judge, f1 in (("auto", 0.8), ("keywords", 0.4)) for topic in ("a", "b", "c")]


def test_the_table_in_the_docs_is_as_the_script_wrote_it() -> None:
    block = between_marks(judge_leaderboard.PAGE.read_text())
    assert is_sealed(block), AGAIN
    assert "\n| F1 |" in block
    program = PROGRAM.search(block)
    assert program is not None, "it does not say which program was measured"
    picture = judge_leaderboard.PAGE.with_name(judge_leaderboard.PICTURE).read_text()
    told = {word.strip(".,") for word in program.group().split() if len(word.strip(".,")) == 16}
    assert all(code in picture for code in told), AGAIN


@pytest.mark.parametrize("name", registry.judge.names())
def test_every_judge_is_in_the_table_with_its_threshold(name: str) -> None:
    lines = judge_leaderboard.PAGE.read_text().splitlines()
    (row,) = [line for line in lines if line.startswith(f"| `{name}` |")]
    assert row.endswith(f"| {own_threshold(name):g} |")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "relevance.md"
    path.write_text(f"before\n\n{BEGIN}old{END}\n\nafter\n")
    return path


def test_results_become_a_table_between_the_marks(tmp_path: Path, page: Path) -> None:
    main([write_run(tmp_path / "run", ROWS)], page)
    text = page.read_text()
    assert text.startswith("before\n\n")
    assert text.endswith("\n\nafter\n")
    block = between_marks(text)
    assert is_sealed(block)
    assert "| auto | 0.800 |" in block
    assert "| keywords | 0.400 [0.400, 0.400] |" in block
    assert "-0.400" in block
    assert "5 answers" in block
    assert PROGRAM.search(block)
    assert '--web web.warc.gz --topics topics.jsonl \\\n  --judges "auto,keywords" --answers 5' in block
    assert CODE in (tmp_path / "reliability.svg").read_text()
    main([tmp_path / "run"], page)
    assert page.read_text() == text


def test_several_webs_choose_for_each_other(tmp_path: Path, page: Path) -> None:
    other = [msgspec.structs.replace(row, web="other", figures={"f1": 1.0 - row.number("f1")}) for row in ROWS]
    main([write_run(tmp_path / "run", ROWS), write_run(tmp_path / "other", other)], page)
    block = between_marks(page.read_text())
    assert "| F1 | web, keywords | other, keywords |" in block
    assert "| *chosen on the other webs* | 0.400 (keywords) | 0.200 (auto) |" in block
    assert "Chosen for each topic by the other topics (auto 3x): F1 0.800" in block


def test_a_figure_changed_by_hand_is_noticed(tmp_path: Path, page: Path) -> None:
    main([write_run(tmp_path / "run", ROWS)], page)
    assert not is_sealed(between_marks(page.read_text().replace("0.800", "0.900")))


def test_the_last_result_of_a_trial_counts(tmp_path: Path) -> None:
    old = [measured("auto", topic, 0.1, code="f" * 16) for topic in ("a", "b", "c")]
    summary = read_run(write_run(tmp_path / "run", [*old, *ROWS]))
    assert summary.parts[0].of("f1", "auto").mean == pytest.approx(0.8)


def test_versions_are_not_mixed(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [measured("auto", "d", 0.1, code="f" * 16), *ROWS])
    with pytest.raises(ConfigError, match="several versions of auto"):
        read_run(folder)


def test_what_is_missing_is_named(tmp_path: Path, page: Path) -> None:
    with pytest.raises(ConfigError, match="no results of judges"):
        main([tmp_path], page)
    page.write_text("no marks")
    with pytest.raises(ConfigError, match="lost its marks"):
        main([write_run(tmp_path / "run", ROWS)], page)
