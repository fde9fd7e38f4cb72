"""The commands of the how-to pages are run as they stand, in a folder that has the files they name.

Only what they ask of the live web is asked of a server on loopback: `--seed` gets its address, and what a crawl of a
private address needs. `pip install` is not run. The tutorial has a test of its own; so have pages whose commands take a
browser (`fetch/rendering`), a server (`web/test_server.py`) or a recorded web (`lab/`).
"""

from __future__ import annotations

import gzip
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scenthound.cli.main import app
from tests.fetch.recorded import http, record, write
from tests.pdf_files import pdf
from tests.served_pages import serving_pages

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
CALL = re.compile(r"(?:\$ )?(?:scenthound|\./run) (?!python|test)([a-z].*)")
REEF = (
    "Coral bleaching and dengue fever, aedes mosquito, ferns, rivers and their levels: meeting notes of a warm week. "
    * 5
)
PAGES: dict[str, str | bytes] = {
    "/": f"<title>Ferns</title><h1>Ferns</h1><p>{REEF}<a href=/levels.csv>levels</a> <a href=/coral-bleaching>reef</a>",
    "/levels.csv": "river,level\nElbe,3\n",
    "/coral-bleaching": f"<title>Coral bleaching</title><p>{REEF}",
}
LIVE = ("--allow-private", "--delay", "0", "--pages", "3")


def blocks(page: str, *languages: str) -> list[str]:
    return blocks_in((DOCS / page).read_text(encoding="utf-8"), *languages)


def blocks_in(text: str, *languages: str) -> list[str]:
    return [block for language, block in BLOCK.findall(text) if language in languages]


def lines_of(page: str) -> list[str]:
    """The calls of our program in the blocks of a page."""
    return calls_in((DOCS / page).read_text(encoding="utf-8"))


def calls_in(text: str) -> list[str]:
    """The calls in the blocks of a text, in order, lines joined that a backslash parts; what it answers is no call."""
    shown = [block.replace("\\\n", " ") for block in blocks_in(text, "", "sh", "console")]
    lines = [line.strip() for block in shown for line in block.splitlines()]
    calls = [re.sub(r"\s#.*", "", found[1]) for line in lines if (found := CALL.fullmatch(line))]
    return [f"scenthound {call}" for call in calls]


def run(line: str, address: str, typed: str = "") -> str:
    """What a line says to whoever types it; where it goes into a file, that is written."""
    call, _, file = line.partition(" > ")
    words = shlex.split(call)[1:]
    asks = words[0] in ("crawl", "sites") and "evaluate" not in words
    if asks and "--demo" not in words:
        for place in (number + 1 for number, word in enumerate(words) if word in ("--seed", "-s")):
            words[place] = f"{address}/"
        words += LIVE
    done = CliRunner().invoke(app, words, input=typed)
    assert done.exit_code == 0, f"{line}\n{done.output}\n{done.exception!r}"
    if file:
        Path(file).write_text(done.output)
    return str(done.output)


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Of the server; the folder where we are is empty, and has what is kept between runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    with serving_pages(PAGES) as served:
        yield served


def crawled(topic: str, address: str) -> None:
    run(f'scenthound crawl "{topic}" --seed here', address)


def test_exporting(address: str) -> None:
    crawled("dengue fever", address)
    lines = lines_of("exporting.md")
    assert len(lines) >= 6
    for line in lines:
        run(line, address)
    assert Path("pages.csv").read_text().startswith("url,")
    assert list(Path("notes").rglob("*.md"))
    assert all("chunk" in json.loads(line) for line in Path("pieces.jsonl").read_text().splitlines())
    assert Path("dengue.wacz").read_bytes()[:2] == b"PK"
    assert Path("public/index.html").is_file()
    assert Path("queue.csv").read_text().startswith("url,priority,")


def test_importing(address: str) -> None:
    page = http(f"<title>Ferns</title><p>{REEF}".encode())
    write(Path("old-crawl.warc.gz"), record("http://old.test/ferns", page))
    crawled("rivers", address)
    run("scenthound export crawls/rivers --output collection.wacz", address)
    Path("mirror/www.mirror.test").mkdir(parents=True)
    Path("mirror/www.mirror.test/a.html").write_text(f"<title>A</title><p>{REEF}")
    Path("spider-items.jsonl").write_text(json.dumps({"url": "http://items.test/", "body": f"<p>{REEF}"}) + "\n")
    Path("bookmarks.html").write_text('<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="http://b.test/">b</A></DL>')
    Path("feeds.opml").write_text('<opml version="2.0"><body><outline xmlUrl="http://f.test/a.xml"/></body></opml>')
    Path("sitemap.xml").write_text("<urlset><url><loc>http://s.test/1</loc></url></urlset>")
    Path("urls.txt").write_text("http://u.test/\n")
    capture = {"url": f"{address}/coral-bleaching", "mime": "text/html", "status": "200", "offset": "0", "length": "9"}
    index = f"test)/x 20240229120000 {json.dumps({**capture, 'filename': 'crawl-data/x.warc.gz'})}\n"
    Path("cdx-00123.gz").write_bytes(gzip.compress(index.encode()))
    said = [run(line, address) for line in lines_of("importing.md")]
    told = " ".join(" ".join(said).split())
    for each in ("3 pages taken in", "1 page taken in", "4 links wait for the next crawl", "1 link waits"):
        assert each in told
    assert "Coral bleaching" in run("scenthound search crawls/reefs coral", address)
    assert "1 link was known already" in run("scenthound import crawls/ferns urls.txt", address)
    assert "taken in from elsewhere" in run("scenthound status crawls/ferns", address)


def test_documents(address: str) -> None:
    paper = http(pdf([["River levels of the Elbe", "are high in spring."]]), content_type="application/pdf")
    write(Path("papers.warc.gz"), record("http://papers.test/levels.pdf", paper))
    for line in lines_of("documents.md"):
        run(line, address)
    said = run("scenthound export crawls/river-levels --format urls", address)
    assert f"{address}/levels.csv" in said
    assert "http://papers.test/levels.pdf" in said


def test_good_citizen(address: str) -> None:
    pytest.importorskip("cryptography", reason="comes with scenthound[sign]")
    crawled("ferns", address)
    Path("cookies.txt").write_text("# Netscape HTTP Cookie File\nintranet.test\tFALSE\t/\tTRUE\t0\tsession\ts3cr3t\n")
    lines = lines_of("good-citizen.md")
    assert len(lines) >= 6
    for line in lines:
        run(line, address)
    assert Path("for-training.jsonl").read_text().count("\n") > 0
    assert Path("public_html/.well-known/http-message-signatures-directory").is_file()
    assert "s3cr3t" not in "".join(path.read_text() for path in Path("crawls").rglob("topic.toml"))


def test_labels(address: str) -> None:
    crawled("ferns", address)
    crawled("nurseries", address)
    Path("ask-model").write_text("#!/bin/sh\ncat >/dev/null\necho yes\n")
    Path("ask-model").chmod(0o755)
    lines = lines_of("labels.md")
    assert len(lines) >= 10
    for line in lines:
        run(line, address, typed="n\nq\n")
    told = Path("labels.csv").read_text()
    assert "example.org/cart" in told
    assert "program:" in told


def test_topics(address: str) -> None:
    lines = lines_of("topics.md")
    assert len(lines) >= 4
    for line in lines:
        said = run(line.replace(" URL ", f" {address}/ "), address)
        if "I am looking for" in line:
            assert "Understood: coral bleaching 0.40, reefs 0.37, warm water 0.23; language English." in said


def test_stopping(address: str) -> None:
    for name in ("dengue-from-other-seeds", "orchids"):
        run(f'scenthound crawl "dengue fever" --into crawls/{name} --seed here --until recall=0.9', address)
    for name in ("first", "second"):
        Path(f"{name}.txt").write_text(f"{address}/\n")
    lines = lines_of("stopping.md")
    assert len(lines) >= 8
    for line in lines:
        run(line, address)


def test_ontologies(address: str) -> None:
    Path("crawls/dengue").mkdir(parents=True)
    Path("diseases.ttl").write_bytes((ROOT / "tests" / "ontology" / "data" / "health.ttl").read_bytes())
    shown = (DOCS / "ontologies.md").read_text(encoding="utf-8")
    lines = [line for line in lines_of("ontologies.md") if " topic expand " in line]
    assert len(lines) >= 3
    for line in lines:
        said = run(line, address)
        if "--limit 6" in line:
            assert all(" ".join(each.split()) in " ".join(shown.split()) for each in said.splitlines())


def test_learning(address: str) -> None:
    pytest.importorskip("sklearn", reason="comes with scenthound[learn]")
    lines = [line for line in lines_of("learning.md") if "crawls/demo" in line]
    assert len(lines) == 4
    for line in lines:
        run(line, address)
    assert "crf" in run("scenthound models crawls/demo", address)


def test_plugins(address: str) -> None:
    new, listed, _ = lines_of("plugins.md")  # the last takes what pip has installed; tests/app/test_plugin.py does so
    assert "wrote scenthound-short-urls/pyproject.toml" in run(new, address)
    run(listed, address)


def test_the_settings_for_scrapy() -> None:
    pytest.importorskip("scrapy", reason="comes with scenthound[scrapy]")
    from scrapy.settings import Settings
    from scrapy.utils.misc import load_object

    from scenthound.scrapy_bridge.focused_scheduler import crawl_settings

    shown: dict[str, str] = {}
    [block] = blocks("scrapy.md", "python")
    exec(block, shown)
    assert load_object(shown["SCHEDULER"])
    assert crawl_settings(Settings(shown)).topic.name == "coral bleaching"


def test_the_entry_for_programs_that_speak_mcp() -> None:
    [block] = blocks("mcp.md", "json")
    [server] = json.loads(block)["mcpServers"].values()
    assert server["command"] == "scenthound"
    done = CliRunner().invoke(app, [*server["args"]])
    assert "There is no library" in done.output, "it is understood, and only the library is missing"
