"""Everything the documents describe has its place in docs/sources.md; the tables of docs/ are what their files give."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from scenthound import registry
from scenthound.lab.measures.registry import measure

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "sources.md").read_text()

DESCRIBED = [
    # orders of links
    *("`breadth-first`", "`backlink`", "`pagerank`", "`hits`", "`fish-search`", "`shark-search`", "`best-first-page`"),
    *(
        "`best-first-anchor`",
        "`best-first`",
        "`best-n-first`",
        "`best-first-targets`",
        "`infospiders`",
        "`intelligent`",
    ),
    *("`ehrig`", "`ssrm`", "`mihalcea`", "`synset`", "`classifier`", "`apprentice`", "`context-graph`"),
    *("`reinforcement`", "`hmm`", "`hmm-xmeans`", "`hybrid-hmm`", "`hybrid-hmm-anchor`", "`genetic-hybrid`", "`memm`"),
    *("`memm-viterbi`", "`crf`", "`crf-viterbi`", "`link-value`", "`url-rules`", "`blocks`", "`tunnelling`"),
    # what an audit found forgotten
    *("`url-depth`", "`outlinks`", "`variant-a`", "`variant-b`", "shortest path in the graph", "live recording"),
    *("Table 1", "`pseudocode`", "`flow-chart`", "`apr`", "`F - B`", "`fica`", "hidden web", "pages made by scripts"),
    *("mirrors and duplicate hosts", "4.6.1", "norm over the table's terms", "T2 on anchors", "entire relevant set"),
    *(
        "by link analysis",
        "`enough` relevant sites",
        "directory subtree",
        "comparison partners",
        "distributed crawling",
    ),
    # topics, sites, revisits, measures, all else
    *("topic keywords generating", "topics from a directory", "seed pages fetching", "data collection by backlinks"),
    *("frontier limit", "error correction", "transversal links", "spider-trap guards", "change detection"),
    *("broken-link reports", "path-ascending", "restricting followed links", "revisit order", "evaluator application"),
    *("`harvest-ratio`", "`average-similarity`", "`precision-0.5`", "`maximum-average-similarity`", "`harvest-rate`"),
    *("`target-recall`", "`target-length`", "`pprs-rate`", "`website-harvest-rate`", "freshness, age"),
    *("pages arrive", "search over what was collected"),
]


@pytest.mark.parametrize("what", DESCRIBED)
def test_what_the_documents_describe_has_its_place(what: str) -> None:
    assert what in PAGE


def test_every_strategy_judge_and_published_form_is_told() -> None:
    for kind in (registry.strategy, registry.judge):
        for name in kind.names():
            assert f"`{name}`" in PAGE, f"the {kind.noun} {name} is not in docs/sources.md"
            presets = kind.presets(name)
            if len(presets) > 1:
                assert all(f"`{form}`" in PAGE for form in presets), name


def test_names_of_measures_exist() -> None:
    section = PAGE.partition("### Measures")[2].partition("### All else")[0]
    for name in ("harvest-ratio", "informed-harvest-rate", "pprs-rate-window", "website-harvest-rate", "target-length"):
        assert f"`{name}`" in section
        assert measure.get(name)


def doc_tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("doc_tables", ROOT / "scripts" / "doc_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pages() -> list[Path]:
    return sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.name)
def test_tables_are_what_their_result_files_give(page: Path) -> None:
    text = page.read_text()
    assert doc_tables().rewritten(text) == text, "run: ./run python scripts/doc_tables.py"


def test_tables_whose_code_changed_are_named() -> None:
    """No failure: code changes every day, and a run takes an hour. But nobody can say it was not said."""
    tables = doc_tables()
    old = {path.stem: found for path in sorted(tables.RESULTS.glob("*.jsonl")) if (found := tables.stale(path.stem))}
    if old:
        pytest.xfail(f"measured with other code than there is now: {old}")


def test_a_table_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = doc_tables()
    monkeypatch.setattr(tables, "RESULTS", tmp_path)
    facts = {"web": "w", "budget": 9, "code": "c", "at": ""}
    rows = [
        json.dumps(
            facts
            | {"topic": topic, "strategy": name, "name": name, "baseline": name == "best-first"}
            | {"final": {"recall-area": value}}
        )
        for topic, base, other in (("x", 0.2, 0.4), ("y", 0.4, 0.8))
        for name, value in (("best-first", base), ("fica", other))
    ]
    (tmp_path / "small.jsonl").write_text("\n".join(rows))
    begin, end = tables.BEGIN.format(name="small"), tables.END.format(name="small")
    made = tables.rewritten(f"before\n{begin}\nold\n{end}\nafter\n")
    assert "| `fica` | 0.600 [-1.941, 3.141] | – | +0.300 [-0.971, +1.571] | 0.500 | no |" in made
    assert made.startswith("before\n")
    assert made.endswith("after\n")
    assert tables.rewritten(made) == made
    assert tables.stale("small") == ["best-first", "fica"]
