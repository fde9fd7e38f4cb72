"""Tables of docs/ by hand: from lines of results to what is read in a page."""

from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from scripts import doc_results, doc_tables
from scripts.doc_claims import CLAIMS
from scripts.doc_results import KeptResult
from scripts.doc_table_kinds import _topics

from benchmarks import doc_figures
from scenthound.errors import ConfigError
from scenthound.lab import code_digest
from scenthound.lab.crawls import results
from scenthound.lab.crawls.experiment import Experiment, strategy_entry
from scenthound.lab.experiment_watch import ExperimentWatch
from scenthound.lab.run_experiment import run_experiment
from tests.lab.small import HOME, write_web
from tests.lab.small import page as web_page
from tests.lab.small import row as crawl_row

TOPICS = ["x", "y", "z"]


def kept(label: str, *values: float, code: str = "", noise: float = 0.0, **figures: list[float]) -> KeptResult:
    name = label.partition("(")[0]
    return KeptResult(
        "crawl", "webkb", label, name, "lessons", code or results.code_of(name), "2026-11-17T05:00:00+00:00", TOPICS,
        {"recall-area": list(values), **figures}, 200, "auto", noise,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(doc_results, "RESULTS", tmp_path)
    return tmp_path


def write(name: str, *rows: KeptResult) -> None:
    doc_results.write(name, rows)


def test_a_table_says_of_how_many_topics_it_is_web_by_web() -> None:
    many, few = kept("memm", 0.1, 0.2, 0.3), replace(kept("crf", 0.1), web="schools-wikipedia", topics=TOPICS[:1])
    assert _topics([many, many]) == f"{len(TOPICS)} topics a web"
    assert _topics([many, few]) == f"{len(TOPICS)} topics of webkb, 1 topics of schools-wikipedia"
    assert _topics([many, replace(few, web="webkb")]) == f"1 or {len(TOPICS)} topics of webkb"


def test_published_beside_ours(folder: Path) -> None:
    """fish-search: 0.1, 0.2, 0.3 as published and 0.2 more each as ours. s = 0, so the interval is a point; Wilcoxon's
    p of three differences of one sign is 2 / 2^3."""
    write("forms-webkb", kept("fish-search(published=batsakis)", 0.1, 0.2, 0.3), kept("fish-search", 0.3, 0.4, 0.5),
          kept("fica", 0.1, 0.1, 0.1))  # fmt: skip
    told = doc_tables.table("forms untaught")
    ours = "0.200 [-0.048, 0.448] | 0.400 [0.152, 0.648] | +0.200 [+0.200, +0.200], p 0.250"
    assert f"| `fish-search` | `batsakis` | {ours} | not measured yet |  |  |" in told
    assert "| `fica` | `mali` | 0.100 [0.100, 0.100] | the same |  | not measured yet |  |  |" in told
    assert "| `blocks` | `aastha` | not measured yet |  |  | not measured yet |  |  |" in told
    assert "memm" not in told, "who must be taught is in the other table"
    assert "| `memm` | `flow-chart` | not measured yet |" in doc_tables.table("forms taught")
    assert "On webkb, by interval and test (Holm), ours is better than nobody; worse than nobody." in told


def test_ours_is_said_to_be_worse_where_it_is(folder: Path) -> None:
    """Eight topics, always 0.2 or 0.1 apart: p of two comparisons is 2 * 2 / 2^8 at most."""
    topics = [f"t{n}" for n in range(8)]
    rows = [
        replace(kept(label, *[value + 0.001 * n for n in range(8)]), topics=topics)
        for label, value in (
            ("ehrig", 0.3), ("ehrig(published=variant-a)", 0.4), ("blocks", 0.3), ("blocks(published=aastha)", 0.1),
        )
    ]  # fmt: skip
    write("forms-webkb", *rows)
    assert "ours is better than `blocks(published=aastha)`; worse than `ehrig(published=variant-a)`." in (
        doc_tables.table("forms untaught")
    )
    assert "On neither web" not in doc_tables.table("forms untaught"), "the other web has yet to say"
    write("forms-schools-wikipedia", kept("fica", 0.1))
    assert "On neither web is ours shown to be better than `ehrig(published=variant-a)`." in (
        doc_tables.table("forms untaught")
    )


def test_many_sets_of_features_are_many_questions(folder: Path) -> None:
    """Eight topics, always worse than with all features: p is 2 / 2^8, and with Holm's correction over two rows twice
    that. Words are clearly worse so."""
    topics = [f"t{n}" for n in range(8)]
    made = {
        label: replace(kept(label, *[value + 0.001 * n for n in range(8)]), topics=topics)
        for label, value in (("memm", 0.5), ("memm(features=words)", 0.3), ("memm(features=no-words)", 0.4))
    }
    write("taught-webkb", made.pop("memm"))
    write("features-webkb", *made.values())
    told = doc_tables.table("features webkb")
    assert "| `memm(features=words)` | 0.303" in told
    assert "| `memm` | **-0.200 [-0.200, -0.200], 0 / 8, p 0.008 (0.016)** |" in told


def test_condition_needs_interval_and_test(folder: Path) -> None:
    """Three topics never make p (Holm) small, so nobody meets it; crf is ahead by its interval alone."""
    write("taught-webkb", kept("best-first", 0.1, 0.2, 0.3), kept("crf", 0.3, 0.41, 0.5), kept("memm", 0.1, 0.1, 0.9))
    told = doc_tables.table("condition best-first")
    assert "| webkb | nobody | `crf` |" in told
    assert "| schools-wikipedia | not measured yet | not measured yet |" in told


def test_condition_met(folder: Path) -> None:
    topics = [f"t{n}" for n in range(8)]
    rows = [
        KeptResult("crawl", "webkb", label, label, "lessons", "c", "", topics, {"recall-area": values})
        for label, values in (("best-first", [0.1] * 8), ("crf", [0.5 + 0.01 * n for n in range(8)]))
    ]
    write("taught-webkb", *rows)
    assert "| webkb | `crf` | nobody |" in doc_tables.table("condition best-first")


def test_features_and_noise_stand_against_the_whole(folder: Path) -> None:
    write("taught-webkb", kept("memm", 0.4, 0.5, 0.6), kept("memm(published=pseudocode)", 0.2, 0.2, 0.2))
    write("features-webkb", kept("memm(features=words)", 0.3, 0.4, 0.5),
          kept("memm(features=table-1-words, published=pseudocode)", 0.1, 0.1, 0.1))  # fmt: skip
    told = doc_tables.table("features webkb")
    assert "| `memm(features=words)` | 0.400 [0.152, 0.648] | `memm` | -0.100 [-0.100, -0.100], 0 / 3, p 0.250" in told
    assert "| `memm(published=pseudocode)` | -0.100 [-0.100, -0.100], 0 / 3, p 0.250" in told
    write("noise-webkb", kept("memm", 0.3, 0.4, 0.5, noise=0.1), kept("memm", 0.2, 0.3, 0.4, noise=0.2))
    told = doc_tables.table("noise webkb")
    assert "| `memm` | 0.500 | 0.400 (-0.100 [-0.100, -0.100]) | 0.300 (-0.200 [-0.200, -0.200]) |" in told


def test_other_tables_have_a_row_each(folder: Path) -> None:
    rows = [
        kept("best-first", 0.1, 0.2, 0.3),
        kept("memm", 0.2, 0.4, 0.6, apr=[1.0, 2.0, 3.0]),
        kept("oracle", 1, 1, 1),
    ]
    write("taught-webkb", *rows)
    write("forms-webkb", *rows)
    assert "| `oracle` (bound) | 1.000" in (told := doc_tables.table("leaderboard webkb"))
    assert "Measured 2026-11-17. Not measured yet: `apprentice`, `auto`, " in told
    assert "| `memm` | 0.400 [-0.097, 0.897] | – | – | – | – | – | – | – | 2.00 |" in doc_tables.table("learners webkb")
    told = doc_tables.table("differences webkb best-first")
    assert "| `memm` | +0.200 [-0.048, +0.448], 3 / 0, p 0.250 (0.250) |" in told
    assert "oracle" not in told
    told = doc_tables.table("pairs memm~best-first crf~memm")
    assert "| `memm` - `best-first` | +0.200 [-0.048, +0.448], p 0.250 | not measured yet |" in told
    with pytest.raises(ConfigError, match="no kind of table"):
        doc_tables.table("guesses webkb")


def test_some_strategies_next_to_one(folder: Path) -> None:
    write("forms-webkb", kept("best-first", 0.1, 0.2, 0.3), kept("synset", 0.2, 0.4, 0.6), kept("fica", 0.9, 0.9, 0.9))
    told = doc_tables.table("next_to best-first synset ehrig")
    assert "|  | webkb | difference to `best-first` | schools-wikipedia | difference to `best-first` |" in told
    assert "| `best-first` | 0.200 [-0.048, 0.448] |  | not measured yet |  |" in told
    assert "| `synset` | 0.400 [-0.097, 0.897] | +0.200 [-0.048, +0.448], p 0.250 | not measured yet |  |" in told
    assert "| `ehrig` | not measured yet |  | not measured yet |  |" in told
    assert "fica" not in told


def test_the_lab_stands_beside_another_program(folder: Path) -> None:
    found = {"target-recall": [0.5, 0.6, 0.7]}
    write("forms-webkb", kept("best-first", 0.1, 0.2, 0.3, **found))
    told = doc_tables.table("reference")
    assert "| `best-first` | 0.60 / 0.20 | 0.65 / 0.43 | not measured yet | 0.66 / 0.49 |" in told
    assert "| `random` | not measured yet |  | not measured yet |  |" in told


def test_a_claim_holds_where_interval_and_test_say_so(folder: Path) -> None:
    """Eight topics, always 0.4 better: p is 2 / 2^8 = 0.008, of three claims as good 0.023. The other way round it is
    the reverse; of three topics nothing is shown, whatever the interval."""
    topics = [f"t{n}" for n in range(8)]

    def row(label: str, *values: float) -> KeptResult:
        made = kept(label, *values)
        return replace(made, topics=topics[: len(values)])

    better, worse = [0.5 + 0.01 * n for n in range(8)], [0.1 + 0.01 * n for n in range(8)]
    write("taught-webkb", row("memm", *better), row("crf", *worse), row("best-first-targets", *[0.3] * 8))
    told = doc_tables.table("claims liu")
    assert "| `memm` - `best-first-targets` | **holds**: +0.235 [" in told
    assert "| `crf` - `best-first-targets` | **the reverse**: -0.165 [" in told
    assert "| `crf` - `memm` | **the reverse**: -0.400 [-0.400, -0.400], p 0.023 | not measured yet |" in told
    (folder / "taught-webkb.jsonl").unlink()
    write("taught-webkb", row("memm", *better[:3]), row("best-first-targets", 0.3, 0.3, 0.3))
    assert "| `memm` - `best-first-targets` | not shown: +0.210 [+0.185, +0.235], p 0.250 |" in (
        doc_tables.table("claims liu")
    )


def test_claims_are_about_what_is_run() -> None:
    """A label that no run makes would stay "not measured yet" for ever."""
    made = {(run.file.removesuffix("-webkb"), label) for run in doc_figures.runs() for label in run.labels}
    for some in CLAIMS.values():
        for claim in some:
            for label in (claim.better, claim.worse):
                assert any((file, label) in made for file in claim.files), label


def test_a_page_is_rewritten_between_the_marks(folder: Path) -> None:
    write("taught-webkb", kept("best-first", 0.1, 0.2, 0.3), kept("crf", 0.3, 0.41, 0.5))
    name = "condition best-first"
    page = f"before\n{doc_tables.BEGIN.format(name=name)}\nold\n{doc_tables.END.format(name=name)}\nafter\n"
    made = doc_tables.rewritten(page)
    assert "old" not in made
    assert made.startswith("before\n")
    assert made.endswith("after\n")
    assert doc_tables.rewritten(made) == made
    assert [each for each, _ in doc_tables.tables_of(made)] == [name]


def test_what_was_made_with_other_code_is_named(folder: Path) -> None:
    write("taught-webkb", kept("best-first", 0.1, 0.1, 0.1), kept("crf", 0.1, 0.1, 0.1, code="of yesterday"))
    assert doc_tables.stale() == {"taught-webkb": ["crf"]}
    assert doc_tables.main(["stale"]) == 1
    write("taught-webkb", kept("crf", 0.1, 0.1, 0.1), kept("gone-since", 0.1, 0.1, 0.1, code="of yesterday"))
    assert doc_tables.stale() == {"taught-webkb": ["gone-since"]}
    (folder / "taught-webkb.jsonl").unlink()
    write("taught-webkb", kept("best-first", 0.1, 0.1, 0.1))
    write("taught-webkb", kept("crf", 0.1, 0.1, 0.1))
    assert doc_tables.stale() == {}
    assert [row.label for row in doc_results.read("taught-webkb")] == ["best-first", "crf"]


def test_a_table_says_itself_that_its_code_has_changed(folder: Path) -> None:
    """Of some rows it says which; where all are old it need not. Once repeated, or made anew, the line is gone."""
    write("taught-webkb", kept("best-first", 0.1, 0.1, 0.1), kept("crf", 0.1, 0.1, 0.1, code="of yesterday"))
    told = doc_tables.table("learners webkb")
    command = "`./run python -m benchmarks.doc_figures --recheck taught-webkb`"
    assert told.endswith(f"\n\n*The code of `crf` has changed since this was measured: {command} says whether it still"
                         " holds.*\n\n")  # fmt: skip
    write("taught-webkb", kept("best-first", 0.1, 0.1, 0.1, code="of yesterday"))
    assert "\n*The code has changed since this was measured: " in doc_tables.table("learners webkb")
    repeated = [replace(row, checked=row.code_now()) for row in doc_results.read("taught-webkb")]
    write("taught-webkb", *repeated)
    assert "has changed" not in doc_tables.table("learners webkb")


def test_bounds_are_repeated_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = doc_figures.Run("taught-webkb", "webkb", ("crf",), "lessons", bounds=True)
    old = replace(kept("random", 0.1, 0.2, 0.3, code="old"), orders=["a", "b", "c"])
    write("taught-webkb", old)
    asked: list[list[str]] = []

    def measured(run: doc_figures.Run, labels: list[str], options: Namespace, only: list[str]) -> doc_figures.Measured:
        asked.append(labels)
        return [replace(old, topics=["x"], figures={"recall-area": [0.1]}, orders=["a"])], []

    monkeypatch.setattr(doc_figures, "measure", measured)
    assert doc_figures.recheck(run, Namespace()) == 0
    assert asked == [["random"]]
    assert doc_tables.stale() == {}


def test_runs_are_made_in_the_order_they_were_asked_for() -> None:
    runs = [doc_figures.Run(name, "webkb", ()) for name in ("a", "b", "b", "c")]
    assert [run.file for run in sorted(runs, key=doc_figures.in_order(["c", "b", "a", "b"]))] == ["c", "b", "b", "a"]


def test_a_topic_that_is_repeated_vouches_for_the_rest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two strategies whose code has changed: one crawls its first topic as before, the other in another order."""
    run = doc_figures.Run("taught-webkb", "webkb", ("crf", "memm"), "lessons")
    earlier = [replace(kept(name, 0.1, 0.2, 0.3, code="old"), orders=["a", "b", "c"]) for name in ("crf", "memm")]
    write("taught-webkb", *earlier)
    repeated = [
        replace(row, topics=["x"], figures={"recall-area": [0.1]}, orders=[order])
        for row, order in zip(earlier, ("a", "z"), strict=True)
    ]
    monkeypatch.setattr(doc_figures, "measure", lambda run, labels, options, only: (repeated, []))
    assert doc_figures.recheck(run, Namespace()) == 1
    assert doc_tables.stale() == {"taught-webkb": ["memm"]}
    assert doc_figures.wanted(run, stale=True) == ["memm"]
    assert doc_figures.wanted(run, stale=False) == ["crf", "memm"]
    crf = doc_results.read("taught-webkb")[0]
    assert (crf.code, crf.checked, crf.topics) == ("old", results.code_of("crf"), TOPICS)


@pytest.mark.parametrize(
    "change",
    [{"orders": ["q"]}, {"figures": {"recall-area": [0.2]}}, {"topics": ["w"]}, {"topics": []}, {"figures": {}}],
)
def test_what_is_no_repetition(change: dict[str, Any]) -> None:
    earlier = replace(kept("crf", 0.1, 0.2, 0.3), orders=["a", "b", "c"])
    earlier.figures["cpu"] = [1.0, 2.0, 3.0]  # as files of before have it
    again = replace(earlier, topics=["x"], figures={"recall-area": [0.1], "apr": [9.0]}, orders=["a"])
    assert again.repeats(earlier)
    assert not replace(again, **change).repeats(earlier)


def test_every_run_names_strategies_that_there_are() -> None:
    runs = doc_figures.runs()
    assert len({(run.file, run.noise) for run in runs}) == len(runs)
    labels = {label for run in runs if run.file == "forms-webkb" for label in run.labels}
    assert {"fish-search", "fish-search(published=batsakis)", "ssrm(published=as-printed)", "auto"} <= labels
    assert not labels & {"memm", "tunnelling(published=prose)", "random"}
    taught = {label for run in runs if run.file == "taught-webkb" for label in run.labels}
    assert {"crf(published=flow-chart)", "hmm", "hmm(scaled=true)", "best-first-targets", "auto"} <= taught
    for run in runs:
        for label in run.labels if not run.judges else ():
            strategy_entry(label).check()


def test_every_table_of_the_documents_has_a_command_that_makes_its_file() -> None:
    files = {f"{run.file}.jsonl" for run in doc_figures.runs()} | {f"{name}.json" for name in doc_figures.PRINTED}
    for page in sorted(doc_tables.DOCS.glob("*.md")):
        for name, _ in doc_tables.tables_of(page.read_text()):
            assert set(doc_tables.files_of(name)) <= files, f"{page.name}: {name}"
    for script, *_ in doc_figures.PRINTED.values():
        assert (doc_results.ROOT / script).is_file()


def test_lines_are_made_of_crawls() -> None:
    """APR is against Liu's best-first: over 0.5, 0.6, 0.7, 0.8 it has 1/2, 1/2, 1/4, 1/4 of its pages, and that 1/4."""
    settings = {"crawl": {"judge": {"name": "keywords"}}}
    ours = crawl_row("memm", settings=settings, likeness=[0.9, 0.65, 0.1, 0.2])
    theirs = crawl_row("best-first-targets", settings=settings, likeness=[0.9, 0.1, 0.1, 0.1])
    first, second = doc_results.of_crawls([ours, theirs], "lessons")
    assert (first.label, first.judge, first.topics, first.code) == ("memm", "keywords", ["hounds"], "c")
    assert first.figures["recall-area"] == [0.25]
    assert first.values("apr") == {"hounds": 1.5}
    assert second.values("apr") == {"hounds": 1.0}
    assert first.values("no-such") == {}
    with pytest.raises(ConfigError, match="2 states of the code"):
        doc_results.of_crawls([ours, crawl_row("memm", "cats", settings=settings, code="d")], "lessons")


def test_a_table_without_a_file_stays(folder: Path) -> None:
    name = "noise webkb"
    page = f"{doc_tables.BEGIN.format(name=name)}\n{doc_tables.EARLIER} by hand*\n{doc_tables.END.format(name=name)}\n"
    assert doc_tables.rewritten(page) == page


def test_what_a_benchmark_prints_is_kept_with_its_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doc_results, "ROOT", folder)
    script = folder / "speed.py"
    script.write_text("import sys\nimport speed_parts\nprint('# T\\n\\n| a |\\n|---|\\n| 1 |\\n\\n| b |\\n|---|')\n")
    (folder / "speed_parts.py").write_text("FAST = 1\n")
    assert doc_tables.main(["keep", "speed", "speed.py", "--quick"]) == 0
    assert doc_tables.table("printed speed 1") == "\n| a |\n|---|\n| 1 |\n\n"
    assert doc_tables.table("printed speed 2") == "\n| b |\n|---|\n\n"
    with pytest.raises(ConfigError, match="2 tables, and no number 3"):
        doc_tables.table("printed speed 3")
    assert doc_tables.stale() == {}
    assert not doc_results.is_missing_or_stale("speed")
    (folder / "speed_parts.py").write_text("FAST = 2\n")
    code_digest.read_source.cache_clear()
    assert doc_tables.stale() == {"speed": ["speed.py --quick"]}
    assert (
        "\n*The code has changed since this was measured: `./run python -m benchmarks.doc_figures --stale speed`"
        in (doc_tables.table("printed speed 1"))
    )
    assert doc_results.is_missing_or_stale("speed")
    assert doc_results.is_missing_or_stale("strength")
    script.write_text("print('nothing')\n")
    with pytest.raises(ConfigError, match="printed no table"):
        doc_tables.main(["keep", "speed", "speed.py"])


def test_a_digest_knows_what_is_found_by_name_and_not_how_figures_are_shown(folder: Path) -> None:
    script = folder / "speed.py"
    script.write_text("from scenthound.lab.report.tables import markdown_table\n")
    shown = doc_results.script_digest(script, doc_results.SHOWING)
    assert shown != doc_results.script_digest(script)
    script.write_text("from scenthound.lab.report.tables import markdown_table\nfrom scenthound import registry\n")
    code_digest.read_source.cache_clear()
    names = {path.stem for path in code_digest.code_files(tuple(sorted(doc_results.FOUND_BY_NAME)))}
    assert {"crf", "auto", "best_first", "keywords"} <= names
    assert doc_results.script_digest(script, doc_results.SHOWING) != shown


def test_of_a_run_that_was_ended_whole_topics_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two strategies on two topics, and an end after three crawls: the second topic has one, and is left out."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    links = [f"{HOME}{n}" for n in range(1, 9)]
    web = write_web(
        tmp_path / "web.warc", {HOME: web_page("start", *links), **{url: web_page("a hound") for url in links}}
    )
    (tmp_path / "topics.jsonl").write_text(
        "\n".join(
            f'{{"name": "{name}", "seeds": ["{HOME}"], "targets": ["{HOME}7"], "keywords": "hound", "pages": 4}}'
            for name in ("first", "second")
        )
    )
    plan = Experiment(
        strategies=["breadth-first", "depth-first"], web=[str(web)], topics=str(tmp_path / "topics.jsonl"), bounds=False
    )
    with pytest.raises(KeyboardInterrupt):
        run_experiment(plan, tmp_path / "kept", watch=EndsAfter(3))
    rows = doc_figures.crawled_so_far(plan, tmp_path / "kept")
    assert [(row.strategy, row.topic) for row in rows] == [("breadth-first", "first"), ("depth-first", "first")]
    assert [line.topics for line in doc_results.of_crawls(rows, "keywords")] == [["first"], ["first"]]


class EndsAfter(ExperimentWatch):
    """Somebody who has seen enough."""

    def __init__(self, crawls: int) -> None:
        self.left = crawls

    def ended(self, topic: str | None) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt
