from pathlib import Path

from msgspec.structs import replace

from scenthound.lab.crawls import results
from scenthound.lab.judges.judge_experiment import JudgeEntry, Trial, settings
from scenthound.lab.judges.judge_results import JudgeRow, code_of, trial_key
from tests.lab.judges.small_trial import judge_row, write_trial
from tests.lab.small import topic


def test_a_key_is_another_when_anything_that_matters_is(tmp_path: Path) -> None:
    plan = write_trial(tmp_path)
    trial = Trial(JudgeEntry("blocks", {"terms": 8}), topic(), "keywords")

    def key(trial: Trial, web: str = "w", answers: int = 0, idf: str = "background") -> str:
        return trial_key(trial, settings(replace(plan, idf=idf), trial), web, answers)

    variants = [
        key(trial),
        key(replace(trial, judge=JudgeEntry("blocks", {"terms": 9}))),
        key(replace(trial, judge=JudgeEntry("keywords"))),
        key(replace(trial, given="examples")),
        key(replace(trial, topic=topic(targets=("http://a.test/x",)))),
        key(trial, web="other"),
        key(trial, answers=5),
        key(trial, idf="none"),
    ]
    assert len(set(variants)) == len(variants)
    assert key(trial) == variants[0]


def test_judges_answer_for_their_own_code_only() -> None:
    assert len({code_of(name) for name in ("keywords", "blocks", "topic-vector")}) == 3


def test_rows_read_back_whole(tmp_path: Path) -> None:
    path = tmp_path / "judges.jsonl"
    results.append(path, judge_row())
    with path.open("ab") as file:
        file.write(b'{"key": "half')
    results.append(path, judge_row("keywords"))
    assert list(results.read_rows(path, JudgeRow)) == [judge_row(), judge_row("keywords")]


def test_a_figure_that_was_not_measured_is_nan() -> None:
    row = judge_row()
    assert row.number("f1") == 0.5
    assert str(row.number("auc")) == str(row.number("unheard-of")) == "nan"
