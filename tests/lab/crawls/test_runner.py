"""Crawls of one process share their work, and come out as if each were alone."""

from contextlib import nullcontext
from typing import Any

import pytest

from scenthound.lab.crawls.experiment import Experiment, cells_of, topics_of
from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.crawls.runner import CellRunner
from scenthound.learn.chains import crf, memm
from scenthound.learn.relevance import page_words
from scenthound.page_memo import PageMemo

TIMES = ("cpu", "training-seconds")


def crawled(plan: Experiment, *, together: bool) -> list[ResultRow]:
    cells, rows = cells_of(plan, topics_of(plan)[:1]), list[ResultRow]()
    runner = CellRunner(plan)
    for cell in cells:
        if not together:
            runner.close()
            runner = CellRunner(plan)
        rows.append(runner.run(cell))
    runner.close()
    return rows


def told(row: ResultRow) -> dict[str, Any]:
    """All of a row but what it took."""
    final = {name: value for name, value in row.final.items() if not name.startswith(TIMES)}
    curves = {name: curve for name, curve in row.curves.items() if not name.startswith(TIMES)}
    return {"order": row.order, "final": final, "curves": curves, "likeness": row.likeness, "strategy": row.strategy}


@pytest.mark.parametrize(
    ("given", "strategies"),
    [
        ("examples", ["best-first", "auto", "blocks"]),
        ("lessons", ["context-graph", "best-first"]),
        ("lessons", ["memm", "memm-viterbi", "crf", "memm(discount=0.3)", "crf-viterbi(published=pseudocode)"]),
        ("lessons", ["hmm", "hmm(published=batsakis)", "hybrid-hmm-anchor", "hmm-xmeans", "genetic-hybrid"]),
    ],
)
def test_crawls_that_share_are_those_that_are_alone(
    given: Any, strategies: list[str | dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Experiment(strategies=strategies, generated=300, pages=40, given=given, bounds=False)
    shared = crawled(plan, together=True)
    monkeypatch.setattr(PageMemo, "opened", lambda memo: nullcontext())
    alone = crawled(plan, together=False)
    assert [told(row) for row in shared] == [told(row) for row in alone]
    assert len({row.order for row in shared}) > 1, "the crawls differ, or there is nothing to see here"


def test_what_a_page_says_to_the_judge_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    whole = page_words.field_words

    def counted(page: Any, language: str) -> Any:
        read.append(page.url)
        return whole(page, language)

    monkeypatch.setattr(page_words, "field_words", counted)
    plan = Experiment(strategies=["best-first", "breadth-first"], generated=300, pages=40, bounds=False)
    rows = crawled(plan, together=True)
    assert len(read) == len(set(read)), "no page twice"
    assert rows[1].parsed_before > 0, "and they did meet the same pages"


def test_learners_of_one_kind_learn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    for module in (memm, crf):
        whole = module.train

        def counted(*told: Any, whole: Any = whole) -> Any:
            begun.append(whole.__module__)
            return whole(*told)

        monkeypatch.setattr(module, "train", counted)
    strategies: list[str | dict[str, Any]] = ["memm", "memm-viterbi", "memm(discount=0.3)", "crf", "crf(view=page)"]
    plan = Experiment(strategies=strategies, generated=300, pages=5, given="lessons", bounds=False)
    rows = crawled(plan, together=True)
    assert begun == [memm.__name__, crf.__name__, crf.__name__], "crf with another view is another model"
    assert all(row.final["training-seconds"] > 0 for row in rows), "and each pays for it"
