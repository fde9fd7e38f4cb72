"""Everything the documents describe has its place in docs/sources.md; the tables of docs/ are what their files give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripts import doc_results, doc_tables
from scripts.doc_table_kinds import NOT_YET

from scenthound import registry
from scenthound.lab.measures.registry import measure

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "sources.md").read_text()
SPEC = ROOT.parent / "shared" / "SPEC.md"

PLACES: dict[str, list[tuple[str, str]]] = {
    "1": [
        ("Only `text/html`", "`html_only`"), ("Text: tokens", "Porter stems"), ("idf sources", "where idf comes from"),
        ("Liu keeps the best 500", "`frontier_limit`"), ("Robots exclusion", "robots exclusion"),
    ],
    "2": [
        ("Keywords, optionally", "weighted keywords"), ("Example pages", "`counterexamples`"),
        ("*Seed pages fetching*", "seed pages fetching"), ("*Topic keywords", "topic keywords generating"),
        ("Topics from a directory", "topics from a directory"),
    ],
    "4": [
        ("Ehrig:", "shortest path in the graph"), ("Li:", "Li's product"), ("WordNet is the default", "`ontology`"),
        ("Word senses", "all senses of a word"),
    ],
    "5": [
        ("Training data", "live recording of browsing"), ("K-Means variant", "X-Means by BIC"),
        ("pi, A, B", "Laplace smoothing"), ("A new page goes", "nearest neighbours"),
    ],
    "6": [
        ("*Data collection*", "data collection by backlinks"), ("The services", "`trails collect`"),
        ("*Sequences*", "sequences of 2 to 10"), ("*Features*", "Table 1's features"), ("MEMM eq.", "L-BFGS"),
        ("Inference per link", "marginals or Viterbi"), ("Documents' own cost", "836 s"), ("Evaluation:", "`apr`"),
    ],
    "7": [
        ("A heading", "a heading opens a block"), ("Block relevance", "norm over the table's terms"),
        ("`score(u)", "mean over parents"), ("Tunnelling:", "`tunnelling`"),
    ],
    "8": [
        ("Site =", "transversal links"), ("*External crawler*", "external and internal crawler"),
        ("*Page classifier*", "page classifier"), ("*Error correction*", "error correction"),
        ("*Internal crawler*", "external and internal crawler"), ("*Transversal links*", "transversal links"),
        ("Several internal", "several internal crawlers"), ("*Comparison partners*", "comparison partners"),
        ("*Measures*", "`website-harvest-rate`"),
    ],
    "9": [
        ("Layer 1", "`F - B`"), ("Layer 2", "structure, text code, image code"), ("Layer 3", "repository update"),
        ("When to look", "when to look again"),
    ],
    "12": [
        ("URL depth", "`url-depth`"), ("URL depth", "`outlinks`"), ("URL depth", "`variant-a`"),
        ("URL depth", "`variant-b`"), ("URL depth", "live recording"), ("Liu's Table 1", "`pseudocode`"),
        ("Liu's Table 1", "`flow-chart`"), ("Liu's Table 1", "`--baseline best-first-targets`"), ("Mali:", "`fica`"),
        ("Mali:", "hidden web"), ("Mali:", "pages made by scripts"), ("Mali:", "mirrors and duplicate hosts"),
        ("Aastha:", "4.6.1"), ("Aastha:", "T2 on anchors"), ("Aastha:", "entire relevant set"),
        ("Aastha:", "by link analysis"), ("Ester:", "`enough` relevant sites"), ("Ester:", "directory subtree"),
        ("Parallel and", "distributed crawling"),
    ],
}  # fmt: skip
"""By section of SPEC.md: how each of its points begins, and where it is found in docs/sources.md."""

PROSE = {
    "10": ["`harvest-ratio`", "`average-similarity`", "`precision-0.5`", "`maximum-average-similarity`",
           "`mean-maximum-similarity`", "`apr`", "`harvest-rate`", "`target-recall`", "`target-length`", "`pprs-rate`",
           "`website-harvest-rate`", "`freshness`", "`age`"],
    "11": ["distributed crawling", "restricting followed links", "path-ascending", "broken-link reports",
           "spider-trap guards", "pages arrive", "evaluator application", "search over what was collected"],
}  # fmt: skip
"""Sections that are a sentence: what it names."""


def spec_sections() -> dict[str, str]:
    if not SPEC.is_file():
        pytest.skip("SPEC.md is not beside the project")
    parts = re.split(r"^## (\d+)\. ", SPEC.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


PHRASES = sorted(
    {phrase for places in PLACES.values() for _, phrase in places} | {each for some in PROSE.values() for each in some}
)


@pytest.mark.parametrize("phrase", PHRASES)
def test_what_the_documents_describe_has_its_place(phrase: str) -> None:
    assert phrase in PAGE


def test_every_row_of_the_specification_has_its_place() -> None:
    """Rows of tables by their names in code; points of lists by what they are called in docs/sources.md."""
    sections = spec_sections()
    assert set(sections) == {*PLACES, *PROSE, "3"}
    for section, text in sections.items():
        for line in text.splitlines():
            if line.startswith("| `"):
                for name in re.findall(r"`([a-z-]+)`", line.split("|")[1]):
                    assert f"`{name}`" in PAGE, f"section {section}: {name}"
            if line.startswith("- "):
                known = [start for start, _ in PLACES.get(section, []) if line[2:].startswith(start)]
                assert known, f"section {section} has a point without a place in docs/sources.md: {line}"


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


def pages() -> list[Path]:
    return sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.name)
def test_tables_are_what_their_result_files_give(page: Path) -> None:
    """A change of code that figures depend on is no failure, but the tables must say so: the command adds a line to
    them, in a second, and nothing has to be measured."""
    text = page.read_text()
    assert doc_tables.rewritten(text) == text, "run: ./run python -m scripts.doc_tables"


NOT_MEASURED = {
    "commands.md": "options, and what they are when nothing is said",
    "labels.md": "| rank | `by` | who |",
    "licences.md": "versions of packages",
    "promises.md": "| behaviour | the web | the crawl | its page | requests | memory | disk |",
    "relevance.md": "| judge | the number is | it needs | threshold |",
    "revisit.md": "| what the server does | the page is |",
    "settings.md": "settings, and what they are when nothing is said",
    "sites.md": "| setting | default | |",
}
"""Tables with numbers that nobody measured: ranks, status codes, defaults; limits that tests/hostile reads from their
table and holds a crawl to. By page the head of such a table, or what all tables of a page that a script writes have."""

FIGURE = re.compile(r"[~<>*]*[-+]?\d[\d,]*(\.\d+)?(/\d+)?( ?(%|ms|s|µs|kB|KB|MB|GB|times))?\**( ?[\[(,].*)?")


def tables_by_hand(text: str) -> list[str]:
    """The heads of tables with three cells or more that are a number, outside the marks of a command."""
    for pattern in (
        doc_tables.TABLE,
        re.compile(r"<!-- Leaderboard of judges.*<!-- End of the leaderboard", re.DOTALL),
    ):
        text = pattern.sub("", text)
    return [
        head
        for head, _, *rows in doc_results.printed_in(text)
        if sum(FIGURE.fullmatch(cell.strip()) is not None for row in rows for cell in row.split("|")) >= 3
    ]


def test_what_a_table_of_figures_is() -> None:
    table = "| crawler | pages/s |\n|---|---:|\n| a | 68 |\n| b | **1,572** |\n| c | 0.36 [0.32, 0.42] |\n"
    assert tables_by_hand(table) == ["| crawler | pages/s |"]
    assert tables_by_hand(doc_tables.BEGIN.format(name="x") + f"\n{table}" + doc_tables.END.format(name="x")) == []
    assert (
        tables_by_hand("| option | takes |\n|---|---|\n| `--relevance 0.7` | 3 of `1.25` | \n| 2 words | a |\n") == []
    )


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.name)
def test_every_table_of_figures_is_written_by_a_command(page: Path) -> None:
    """From a result file, between marks (`scripts/doc_tables.py`; `keep` takes what a benchmark prints)."""
    known = NOT_MEASURED.get(page.name, "")
    by_hand = [head for head in tables_by_hand(page.read_text()) if head != known]
    assert not by_hand or (known and not known.startswith("|"))


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.name)
def test_a_table_without_a_result_file_says_so(page: Path) -> None:
    for name, content in doc_tables.tables_of(page.read_text()):
        assert doc_tables.is_measured(name) or content.strip().startswith(doc_tables.EARLIER), name


def test_every_published_form_has_a_row_of_figures_on_both_webs() -> None:
    """Each in the table of its kind; what a web has no figure of yet, its row says is not measured. A table without any
    result file says that as a whole."""
    told = {name: table for name, table in doc_tables.tables_of(PAGE) if doc_tables.is_measured(name)}
    assert {"forms untaught", "forms taught"} <= set(told)
    for kind, tables in ((registry.strategy, ("forms untaught", "forms taught")), (registry.judge, ("forms judges",))):
        for name in kind.names():
            for form in kind.presets(name):
                rows = [
                    line.split("|")[3:]
                    for table in tables
                    for line in told.get(table, "").splitlines()
                    if line.startswith(f"| `{name}` | `{form}` |")
                ]
                assert rows or not set(tables) & set(told), f"{name}, {form}"
                for published, ours, _, *others in rows:
                    assert NOT_YET in published or re.search(r"\d\.\d", published + ours), f"{name}, {form}"
                    assert NOT_YET in others[0] or re.search(r"\d\.\d", others[0] + others[1]), f"{name}, {form}"


def test_every_published_form_has_figures_on_both_webs() -> None:
    """Nothing is left out: forms come from the strategies themselves."""
    missing = [
        f"{label} on {web}"
        for web in doc_tables.WEBS
        for told in [{row.label for name in ("forms", "taught") for row in doc_results.read(f"{name}-{web}")}]
        for name in registry.strategy.names()
        for form, params in registry.strategy.presets(name).items()
        for label in (name, f"{name}(published={form})" if params else name)
        if label not in told
    ]
    assert not missing, f"run benchmarks.doc_figures --stale: {', '.join(dict.fromkeys(missing))}"
