"""The first hour with Scenthound, end to end: what people stumbled over once, a test a line.

One small web is served over loopback and crawled with the real program; each test is a command that a new user types.
What has a test of its own elsewhere: `./run` in hints (`cli/test_started_as.py`), looking at recordings
(`cli/commands/test_look.py`), a hundred pages without a relevant one (`app/test_first_pages.py`), what researchers need
(`cli/commands/test_lab_for_researchers.py`), archives that keep noindex pages and the live view on a terminal
(`cli/commands/test_crawl.py`), its keys (`cli/views/test_crawl_keys.py`), the report in a browser
(`report/test_page_list_browser.py`). Speed is measured by `benchmarks/reading.py`, memory by
`benchmarks/waiting_memory.py`.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound.cli.main import COMMANDS, app
from tests.served_pages import serving_pages

SPECIES = (
    "Orchid species grow in a greenhouse. Every greenhouse keeps its orchids warm; a species of orchid needs light. "
)
LINKS = '<a href="/care">Orchid care</a> <a href="/copy">Orchid care again</a> <a href="/gone">Lost orchids</a>'
PAGES: dict[str, str | bytes] = {
    "/guide.pdf": b"%PDF-1.4 nothing that is wanted",
    "/": f"<title>Orchids</title><h1>Orchids</h1><p>{SPECIES * 3}{LINKS} <a href='/secret'>Secret</a>",
    "/care": f"<title>Orchid care</title><p>Caring for orchids in a greenhouse. {SPECIES * 3}",
    "/copy": f"<title>Orchid care</title><p>Caring for orchids in a greenhouse. {SPECIES * 3}",
    "/secret": f"<title>Secret orchids</title><meta name=robots content=noindex><p>Rare orchids. {SPECIES * 3}",
}
STEMS = re.compile(r"\b(greenhous|speci|orchi)\b")
runner = CliRunner()


def typed(*arguments: str | Path) -> Result:
    return runner.invoke(app, list(map(str, arguments)))


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with serving_pages(PAGES) as address:
        yield address


@pytest.fixture(scope="module")
def first(web: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A first crawl: one seed that works, one that does not."""
    folder = tmp_path_factory.mktemp("hour") / "orchids"
    done = typed(
        "crawl", "orchid species greenhouse", "-s", f"{web}/", "-s", f"{web}/nowhere", "--allow-private",
        "--delay", "0", "--into", folder,
    )  # fmt: skip
    return folder, done


@pytest.fixture
def library(first: tuple[Path, Result]) -> Path:
    return first[0]


# Export


@pytest.mark.parametrize(("name", "start"), [("x.parquet", b"PAR1"), ("x.csv", b"url,"), ("x.jsonl", b"{")])
def test_the_format_follows_the_name(library: Path, tmp_path: Path, name: str, start: bytes) -> None:
    assert typed("export", library, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_an_unknown_format_is_refused_with_the_list(library: Path, tmp_path: Path) -> None:
    done = typed("export", library, "-o", tmp_path / "x.md")
    assert done.exit_code != 0
    for part in ("'.md'", "markdown", "jsonl", "parquet", "wacz"):
        assert part in done.output
    assert not list(tmp_path.iterdir())


# Where to begin


def test_without_a_seed_the_command_that_finds_some_is_named(tmp_path: Path) -> None:
    done = typed("crawl", "blue whales", "--into", tmp_path / "whales")
    assert done.exit_code != 0
    assert "scenthound seeds 'blue whales' --into" in done.output


def test_a_seed_that_fails_is_named_with_its_cause(first: tuple[Path, Result], web: str) -> None:
    folder, done = first
    assert done.exit_code == 9
    assert "1 of 2 seeds brought no page." in done.output
    assert f"{web}/nowhere  404 not found" in done.output
    marked = (folder / "topic.toml").read_text()
    assert f'"{web}/nowhere",  # brought no page: 404 not found' in marked


@pytest.mark.parametrize(
    ("seed", "cause"),
    [
        ("/nowhere", "404 not found"),
        ("/guide.pdf", "not a web page: application/pdf"),
        ("http://127.0.0.1:9/", "no connection"),
    ],
)
def test_a_crawl_of_which_nothing_came_says_why_and_what_to_do(web: str, tmp_path: Path, seed: str, cause: str) -> None:
    address = seed if "://" in seed else f"{web}{seed}"
    done = typed("crawl", "orchid", "-s", address, "--allow-private", "--delay", "0", "--into", tmp_path / "none")
    assert done.exit_code == 7
    assert f"{address}  {cause}" in done.output
    assert f"scenthound crawl {tmp_path}/none" in done.output.replace("\n", " ")
    assert "No page was fetched yet." in (tmp_path / "none/report.html").read_text()


# topic.toml


def test_the_settings_are_the_crawl_that_was_made_also_later(library: Path, web: str, tmp_path: Path) -> None:
    copied = tmp_path / "elsewhere"
    shutil.copytree(library, copied)
    text = (copied / "topic.toml").read_text()
    assert "private_addresses = true" in text
    assert "delay = 0.0" in text
    typed("crawl", copied, "--delay", "0.01", "-s", f"{web}/care", "--quiet")
    later = (copied / "topic.toml").read_text()
    assert "delay = 0.01" in later
    assert f'"{web}/care"' in later
    assert f'"{web}/"' in later


def test_a_copy_elsewhere_still_knows_its_recording(
    library: Path, web: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (recording,) = (library / "warc").glob("*.warc.gz")
    shutil.copy(recording, "recorded.warc.gz")
    first = typed("crawl", "orchid", "--replay", "recorded.warc.gz", "-s", f"{web}/", "--pages", "1", "--into", "lib")
    assert first.exit_code == 0, first.output
    (tmp_path / "elsewhere").mkdir()
    shutil.copytree("lib", "elsewhere/lib")
    monkeypatch.chdir(tmp_path / "elsewhere")
    on = typed("crawl", "lib", "--pages", "2", "--json", "--quiet")
    assert on.exit_code == 0, on.output
    assert json.loads(on.stdout.splitlines()[-1])["pages"] == 2


# noindex


def test_pages_that_ask_not_to_be_indexed_are_counted(library: Path) -> None:
    told = "1 page asked not to be indexed"
    assert told in " ".join(typed("status", library).output.split())
    assert told in (library / "report.html").read_text()
    assert "keep_noindex" in (library / "report.html").read_text()


# revisit and changes


def test_what_would_be_asked_when_and_why(library: Path) -> None:
    due = typed("revisit", library, "--dry-run", "--now")
    assert due.exit_code == 0, due.output
    assert "/care" in due.output
    nothing = typed("revisit", library)
    assert "Nothing was due" in nothing.output or "nothing was due" in nothing.output
    assert re.search(r"\d{4}-\d\d-\d\d", nothing.output), "it says when the next one is"


def test_a_page_is_looked_at_again_now(first: tuple[Path, Result], web: str, tmp_path: Path) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(first[0], copied)
    one = typed("revisit", copied, f"{web}/care")
    assert "1 request" in one.output
    whole = json.loads(typed("revisit", copied, "--now", "--json").stdout)
    assert (whole["due"], whole["looks"]) == (4, {"same": 4})


def test_the_first_crawl_is_no_news(library: Path) -> None:
    assert "/care" not in typed("changes", library, "--since", "1m").output
    both = typed("changes", library, "--since", "1m", "--first", "--limit", "1", "--order", "relevance")
    assert both.exit_code == 0
    assert "more; for all of them: -n 0" in both.output


# Strategies


def test_the_default_is_explained_where_strategies_are_listed() -> None:
    told = " ".join(typed("strategies").output.split())
    assert "auto is the default: it finds out during the crawl" in told
    assert "blocks and embedding do well where" in told


# Small things


def test_an_address_without_its_scheme(library: Path, web: str) -> None:
    done = typed("explain", library, f"{web.removeprefix('http://')}/care")
    assert done.exit_code == 0
    assert "Fetched" in done.output


@pytest.mark.parametrize("name", ["gone.toml", "gone/topic.toml"])
def test_a_file_that_is_not_there_is_what_is_wrong(name: str, tmp_path: Path) -> None:
    done = typed("crawl", tmp_path / name)
    assert done.exit_code != 0
    assert "does not exist" in done.output


def test_a_month_is_1m(library: Path) -> None:
    assert typed("changes", library, "--since", "1m").exit_code == 0
    assert typed("changes", library, "--since", "1x").exit_code != 0


@pytest.mark.parametrize("command", ["", *(command.name for command in COMMANDS)])
def test_help_names_no_type_of_python(command: str) -> None:
    text = typed(*command.split(), "--help").output
    assert "--help" in text
    assert "<bool>" not in text


def test_one_of_something_is_one(web: str, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    typed("crawl", "orchid", "-s", f"{web}/", "--pages", "1", "--allow-private", "--delay", "0", "--into", folder)
    texts = [typed("status", folder).output, (folder / "report.html").read_text()]
    for text in texts:
        assert "1 page" in text
        assert not re.search(r"(?<![\d,.])1 (pages|hosts|links|requests|sites|looks)\b", text)


def test_failures_are_told_by_their_true_kind(library: Path, web: str) -> None:
    assert "× 404 not found" in typed("status", library).output
    assert "Failed: 404 not found, 1 request" in typed("explain", library, f"{web}/gone").output
    report = (library / "report.html").read_text()
    assert "404 not found" in report
    assert f'href="{web}/gone"' in report  # an example
    assert "nothing to do" in report


def test_the_best_pages_list_no_copies(library: Path) -> None:
    best = json.loads(typed("status", library, "--json").output)["best"]
    titles = [page["title"] for page in best]
    assert titles.count("Orchid care") == 1


def test_the_demo_of_sites_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = typed("sites", "--demo", "--pages", "20", "--quiet")
    assert done.exit_code == 0, done.output
    assert [path.name for path in (tmp_path / "crawls").iterdir()] == ["sites-demo"]


# The report, and words


def test_the_report_is_the_collection(library: Path, web: str) -> None:
    report = (library / "report.html").read_text()
    pages = json.loads(re.search(r'id="pages">(.*?)</script>', report)[1])  # type: ignore[index]
    by_address = {page[4]: page for page in pages}
    care = by_address[f"{web}/care"]
    assert care[2] == "Orchid care"
    assert "greenhouse" in care[7]  # the snippet
    assert "greenhouse" in care[8]  # the words of the topic in it
    assert care[10].endswith(".warc.gz")
    assert sum(bool(page[11]) for page in pages) == 1  # one is a copy


def test_words_are_words(library: Path, web: str) -> None:
    shown = [
        typed("explain", library, f"{web}/care").output,
        typed("status", library).output,
        typed("search", library, "greenhouses").output,
        (library / "report.html").read_text(),
    ]
    assert "greenhouse" in shown[0]
    for text in shown:
        assert not STEMS.search(text)
