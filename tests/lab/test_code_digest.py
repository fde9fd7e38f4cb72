"""What a result's digest covers: all that was called to make it, nothing else, and no prose."""

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from scenthound.lab import code_digest
from scenthound.lab.code_digest import code_files, modules_in, place, read_source
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls import results
from scenthound.lab.crawls.experiment import Experiment
from scenthound.lab.crawls.runner import CellRunner
from scenthound.lab.judges import judge_results
from scenthound.lab.judges.judge_experiment import trials_of
from scenthound.lab.judges.judge_runner import TrialRunner
from tests.lab.judges.small_trial import write_trial
from tests.lab.small import HOME, page, write_web


def called_files(work: Callable[[], object]) -> set[str]:
    """Files of the program of which a function was called, when all that is imported on the way has been."""
    work()
    called: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            called.add(frame.f_code.co_filename)

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    paths = (Path(name) for name in called)
    return {place(path) for path in paths if path.is_relative_to(code_digest.ROOT)}


FERNS, OTHERS = ([f"{HOME}{kind}/{number}" for number in range(4)] for kind in ("ferns", "trains"))


def write_plan(folder: Path, strategy: str) -> Experiment:
    """A crawl that finds ferns behind its start page, among other things."""
    ferns = {url: page(f"fern fronds and spores, number {n}", FERNS[n - 1]) for n, url in enumerate(FERNS)}
    others = {url: page(f"railway engines, number {n}", *FERNS) for n, url in enumerate(OTHERS)}
    web = write_web(folder / "web.warc", {HOME: page("all there is", *FERNS[:2], *OTHERS), **ferns, **others})
    topics = folder / "topics.jsonl"
    examples = {"relevant_examples": FERNS[:1], "irrelevant_examples": OTHERS[:1]}
    told = {"name": "ferns", "keywords": "fern fronds", "seeds": [HOME], "targets": FERNS, **examples}
    topics.write_text(json.dumps(told))
    return Experiment(strategies=[strategy], web=[str(web)], topics=str(topics), pages=8, bounds=False)


@pytest.mark.parametrize("strategy", ["fish-search", "memm", "ssrm", "auto"])
def test_all_that_a_crawl_calls_is_in_its_digest(strategy: str, tmp_path: Path) -> None:
    plan = write_plan(tmp_path, strategy)
    cell = plans.cells_of(plan, plans.topics_of(plan))[0]

    def crawl() -> None:
        runner = CellRunner(plan)
        assert runner.run(cell).ending == "pages"  # they all came
        runner.close()

    called = called_files(crawl)
    covered = {place(path) for path in code_files(results.crawl_roots(strategy, "auto"), WITHOUT)}
    assert "crawler/engine.py" in called
    assert sorted(called - covered) == []


WITHOUT = results.UNUSED + results.STORING


def test_all_that_a_trial_calls_is_in_its_digest(tmp_path: Path) -> None:
    plan = write_trial(tmp_path, judges=["auto"])

    def judge() -> None:
        runner = TrialRunner(plan)
        assert runner.attempt(trials_of(plan, plan.lab_topics())[0]).row is not None
        runner.close()

    called = called_files(judge)
    covered = {place(path) for path in code_files(judge_results.trial_roots("auto"), judge_results.UNUSED)}
    assert "judges/auto.py" in called
    assert sorted(called - covered) == []


def test_each_answers_for_its_own_code_only() -> None:
    files = {place(path) for path in code_files(results.crawl_roots("best-n-first", "keywords"), WITHOUT)}
    assert {name for name in files if name.startswith(("strategies/", "judges/")) and "__" not in name} == {
        "strategies/best_n_first.py", "strategies/best_first.py", "judges/keywords.py",
        "judges/in_language.py", "judges/labelled.py", "judges/threshold.py",
    }  # fmt: skip
    assert not [name for name in files if name.startswith(("learn/ranking/", "learn/relevance/", "app/", "web/"))]
    assert {"text/data/en.xz", "ontology/data/wordnet.facts", "crawler/engine.py"} <= files
    codes = {results.code_of(name) for name in ("best-first", "breadth-first", "oracle", "auto")}
    assert len(codes) == 4
    assert results.code_of("best-first", "keywords") != results.code_of("best-first", "auto")
    assert results.code_of("best-first", store=True) != results.code_of("best-first")


SOURCE = '''"""A file.

It has more to say.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenthound.api import crawl

# a comment
TEXT = """
# no comment
"""
"""Of an attribute."""


def work() -> None:
    """It works."""
    from scenthound import urls
    print(urls, TEXT)  # at the end
    print("no # comment", 'nor "this # one', """nor it's # that""")  # isn't "it"
'''


def test_prose_is_no_code(tmp_path: Path) -> None:
    def digest(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return read_source(tmp_path / name).digest

    first = digest("a.py", SOURCE)
    for number, (old, new) in enumerate([
        ("A file.", "Another sentence."), ("It has more to say.", "And more."),
        ("# a comment\n", ""), ("It works.", "It works well."),
        ("Of an attribute.", "Of it."), ("\n\n\ndef", "\n\n\n\n\ndef"), ("  # at the end", ""),
        ('# isn\'t "it"', "# is"),
    ]):  # fmt: skip
        assert digest(f"prose{number}.py", SOURCE.replace(old, new)) == first
    for number, (old, new) in enumerate([
        ("# no comment", "# no"), ("print(", "repr("), ("urls, TEXT", "TEXT"), ("no # comment", "no # word"),
        ("this # one", "this # other"), ("it's # that", "it's # this"),
    ]):  # fmt: skip
        assert digest(f"code{number}.py", SOURCE.replace(old, new)) != first


def test_imports_at_any_depth_count_and_those_for_types_do_not(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    assert set(read_source(tmp_path / "a.py").imports) == {
        "__future__.annotations", "os.path", "typing.TYPE_CHECKING", "scenthound.urls",
    }  # fmt: skip


def test_modules_of_a_package() -> None:
    assert "scenthound.lab.measures.harvest" in modules_in("scenthound.lab.measures")
    assert not [name for name in modules_in("scenthound.lab.measures") if "__" in name]


def test_somebody_elses_strategy_counts_by_its_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "their_orders.py").write_text("import their_sums\nfrom scenthound import urls\n")
    (tmp_path / "their_sums.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("their_orders")
    names = {path.name for path in code_files(("their_orders",))}
    assert {"their_orders.py", "urls.py"} <= names
    assert "their_sums.py" not in names  # a package of its own, and somebody's version of it is not ours to tell


@pytest.mark.parametrize("name", [*WITHOUT, *judge_results.UNUSED])
def test_what_has_no_share_is_named_by_a_place_that_exists(name: str) -> None:
    path = code_digest.ROOT / name
    assert path.is_dir() if name.endswith("/") else path.is_file()
