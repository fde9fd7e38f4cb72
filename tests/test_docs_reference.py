"""Every command of the reference page and of larger how-to pages is run as it stands, in a small world (`doc_world`).

What would ask the live web reads a recording in its place (`--replay`), a search engine is one on loopback, webs that
are generated are small ones. What is not run is named here, with the test that does run it; that its line is understood
is a test of its own (`test_docs_blocks.py`).
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.doc_world import WEB, called, make_world
from tests.fetch.seed_sources.engines import engine, wiki_categories, wiki_search
from tests.served_pages import serving_pages
from tests.test_docs_commands import calls_in, lines_of

DOCS = Path(__file__).parents[1] / "docs"
ELSEWHERE = {
    "postgresql://": "library/postgres: a server",
    "--workers": "cluster/test_cluster_crawl.py: a server, and several processes",
    "--cluster": "cluster/test_ray_workers.py: Ray",
    "sites evaluate": "app/test_site_evaluation.py: takes many labelled sites, and minutes",
    "lab --sites": "lab/sites: takes many labelled sites, and minutes",
    "--at 2026-01-01": "cli/commands/test_show.py: takes a library that is a year old",
    "crawls/demo": "test_docs_commands.py",
    "s3://": "library/test_archive_move.py: somebody else's disks",
    "/mnt/large": "library/test_archive_move.py: another disk",
    "/backup/": "library/test_library_copy.py: another disk",
    "--every": "cli/commands/test_revisit.py: goes on until it is stopped",
    "scenthound serve": "cli/commands/test_serve.py: goes on until it is stopped",
    "--serve": "cli/commands/test_serve.py: goes on until it is stopped",
    "scenthound mcp": "mcp_server/test_serve.py: goes on until it is stopped",
    "trails record": "cli/commands/test_trails.py: goes on until it is stopped",
    "--from wikipedia": "training/test_backlink_sources.py: the live web",
    "--render": "fetch/rendering: a browser",
    "--strategy crf": "test_docs_commands.py, learning.md: takes a model that was trained",
    "--strategy memm": "test_docs_commands.py, learning.md: takes a model that was trained",
    "models crawls/ferns crf": "test_docs_commands.py, learning.md: takes a model that was trained",
}
"""What is not run here, and by which test it is."""

PAGES = (
    "../README.md",
    "auto.md",
    "lab.md",
    "learning.md",
    "relevance.md",
    "revisit.md",
    "scale.md",
    "sites.md",
    "sources.md",
)
TITLES = [f"Dengue {number}" for number in range(30)]


def sections() -> dict[str, list[str]]:
    """Lines by their place, each command of the reference and each how-to page; experiments, which take long, alone."""
    parts = re.split(r"^### (.+)$", (DOCS / "commands.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = {f"commands.md, {name}": calls_in(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    found |= {page: lines_of(page) for page in PAGES}
    alone: dict[str, list[str]] = {}
    for name, lines in found.items():
        for line in lines:
            if not is_elsewhere(line):
                alone.setdefault(f"{name}: {line[:80]}" if " lab " in line else name, []).append(line)
    return alone


def is_elsewhere(line: str) -> bool:
    return any(mark in line for mark in ELSEWHERE)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("world")
    make_world(folder)
    return folder


@pytest.fixture
def here(world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the world, which is home as well."""
    folder = tmp_path / "here"
    shutil.copytree(world, folder)
    for name, value in {"HOME": str(folder), "XDG_CACHE_HOME": str(tmp_path / "cache")}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(folder)
    return folder


def as_run(line: str, address: str, wiki: str) -> list[str]:
    """The words of a line, with what it reads in place of the live web."""
    words = [word.replace("~/", f"{Path.cwd()}/") for word in shlex.split(line)[1:]]
    words = ["https://example.org/health" if word == "URL" else word for word in words]
    command = words[0]
    if command in ("crawl", "sites") and words[1] != "evaluate" and "--list" not in words:
        words += ["--delay", "0", "--pages", "4"]
    if (
        command in ("crawl", "sites", "topic")
        and "--replay" not in words
        and {"-s", "--seed", "--like", "-p"} & {*words}
    ):
        words += ["--replay", WEB]
    if command == "seeds" and "--by" not in words:
        words = [word for word in words if not word.startswith("http://localhost")]
        words = [word for word in words if word not in ("--source", "--allow-private")]
        words += ["--source", wiki, "--allow-private"]
    if command == "look":
        words = [word.replace("https://example.org", address) for word in words]
        words += ["--allow-private"] if address in " ".join(words) else []
    if command == "lab":
        words += ["--jobs", "1", *(() if "--judges" in words else ("--pages", "15"))]  # the last one counts
    if "--generated" in words:
        words[words.index("--generated") + 1] = "300"
    return words


@pytest.mark.parametrize("name", sections())
def test_its_commands_work(name: str, here: Path) -> None:
    searched, listed = wiki_search(TITLES), wiki_categories({"Category:Mosquito-borne diseases": TITLES})
    routes = {"/api.php": lambda asked: (listed if "gcmtitle" in asked else searched)(asked)}
    with serving_pages({"/birds": "<title>Birds</title><p>Birds of the reef."}) as address, engine(routes) as wiki:
        for line in sections()[name]:
            call, _, file = line.partition(" > ")
            if "--topic " in call:  # one that is to be begun
                shutil.rmtree(shlex.split(call)[2])
            said = called("n\nq\n", *as_run(call, address, wiki.url("/api.php")))
            if file:
                Path(file).write_text(said)


def test_every_page_with_commands_is_run_somewhere() -> None:
    """A new page cannot be forgotten: it is one of these, or a test of `test_docs_commands.py` has its name."""
    tests = "".join(
        (Path(__file__).parent / name).read_text() for name in ("test_docs_commands.py", "test_tutorial.py")
    )
    for path in sorted(DOCS.glob("*.md")):
        lines = [line for line in lines_of(path.name) if not is_elsewhere(line)]
        assert not lines or path.name in (*PAGES, "commands.md") or path.name in tests, path.name
