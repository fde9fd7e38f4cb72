"""Documents as targets of a crawl: followed, read, judged, searched and exported as pages are."""

import asyncio
import json
import zipfile
from pathlib import Path

import pytest

from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions, plan_crawl
from scenthound.app.export import export
from scenthound.errors import ConfigError
from scenthound.export.exporter import ExportChoice
from scenthound.library import open_library
from scenthound.web.replay import replayed
from tests.pdf_files import pdf
from tests.served_pages import serving_pages

OTTERS = ["River otters swim in rivers.", "The river otter eats fish and other otters do, too.", "An otter has a den."]
WEB = {
    "/": """<title>Otters</title><p>The river otter lives in rivers.
        <a href=/otters.pdf>otters</a> <a href=/counts.csv>otter counts</a> <a href=/notes.txt>otter notes</a>
        <a href=/all.zip>everything</a> <a href=/download>river otter, a paper</a>""",
    "/otters.pdf": pdf([OTTERS], title="On river otters", link="/found-in-pdf"),
    "/counts.csv": "river,otters\nInn,7\n",
    "/notes.txt": "Notes on the river otter\n",
    "/all.zip": b"PK\x03\x04",
    "/found-in-pdf": "<title>Deep</title><p>More about the river otter.",
}


def crawled(folder: Path, address: str, *want: str) -> dict[str, str]:
    """Path -> title of the pages that a crawl brought home."""
    options = CrawlOptions(seeds=[address], into=folder, want=list(want), allow_private=True, delay=0)
    asyncio.run(CrawlSession(plan_crawl("river otter", options)).run())
    with open_library(folder, write=False) as library:
        return {page.url.removeprefix(address): page.title for page in library.pages()}


def test_files_that_are_wanted_are_taken_in(tmp_path: Path) -> None:
    with serving_pages(WEB) as address:
        found = crawled(tmp_path / "otters", address, "pdf,csv")
    assert found == {"/": "Otters", "/otters.pdf": "On river otters", "/counts.csv": "counts", "/found-in-pdf": "Deep"}
    assert 'want = [\n    "pdf",\n    "csv",\n]' in (tmp_path / "otters" / "topic.toml").read_text()
    with open_library(tmp_path / "otters") as library:
        paper = library.page(f"{address}/otters.pdf")
        table = library.page(f"{address}/counts.csv")
        assert paper is not None
        assert table is not None
        assert (paper.media_type, paper.relevant) == ("application/pdf", True)
        assert paper.relevance > table.relevance
        library.update_search()
        assert [hit.url for hit in library.search(["den"]).hits] == [paper.url]
        main = library.main_text(paper.url)
        assert main is not None
        assert "An otter has a den." in main.markdown
        shown = bytes(replayed(library, "otters", paper.url).body).decode()
        assert "<pre>" in shown
        assert "An otter has a den." in shown, "the dashboard shows what was read"


def test_they_are_exported_as_text_and_as_they_came(tmp_path: Path) -> None:
    with serving_pages(WEB) as address:
        crawled(tmp_path / "otters", address, "document", "data")
    choice = ExportChoice(fields=("url", "markdown"))
    export(tmp_path / "otters", tmp_path / "out.jsonl", choice)
    rows = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    texts = {row["url"].removeprefix(address): row["markdown"] for row in rows}
    assert "An otter has a den." in texts["/otters.pdf"]
    assert texts["/counts.csv"] == "```\nriver,otters\nInn,7\n```\n"
    assert texts["/notes.txt"] == "Notes on the river otter\n"
    export(tmp_path / "otters", tmp_path / "site.zip", form="site")
    with zipfile.ZipFile(tmp_path / "site.zip") as site:
        [copy] = [name for name in site.namelist() if name.endswith(".pdf")]
        assert site.read(copy) == WEB["/otters.pdf"]


def test_without_want_there_are_web_pages_alone(tmp_path: Path) -> None:
    asked: list[str] = []
    with serving_pages(WEB, asked) as address:
        assert crawled(tmp_path / "otters", address) == {"/": "Otters"}
    assert set(asked) == {"/", "/download", "/robots.txt"}


def test_a_file_that_nobody_reads_is_kept_by_its_name(tmp_path: Path) -> None:
    with serving_pages(WEB) as address:
        assert crawled(tmp_path / "otters", address, "zip") == {"/": "Otters", "/all.zip": "all"}


def test_a_slip_is_noticed_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Did you mean 'pdf'"):
        crawled(tmp_path / "otters", "http://127.0.0.1:9", "ppdf")
    assert not (tmp_path / "otters").exists()
