"""A small world in which commands of the documents make sense: a recorded web, libraries, and the files they name."""

from __future__ import annotations

import gzip
import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from typer.testing import CliRunner

from scenthound.cli.main import app
from tests.fetch.recorded import http, record, write
from tests.pdf_files import pdf
from tests.training.browser_files import AT, C_LINK, C_TYPED, LINK, TYPED, chromium, chromium_bookmarks, firefox

WEB = "web.warc.gz"
TEXT = (
    "Dengue fever and its vaccine: an outbreak, an aedes mosquito, repellent. Ferns, birds, coral reefs in warm water; "
    "an orchid nursery sells house plants. Trams in the city, students and their course, solar power companies. "
) * 4
PATHS = (
    "",
    "health",
    "news",
    "ferns",
    "birds",
    "recipes",
    "shop",
    "spores",
    "reefs",
    "a",
    "a/tram",
    "b",
    "links",
    "news/es",
)
LIBRARIES = (
    "dengue-fever", "dengue-from-other-seeds", "dinosaurs", "ferns", "ferns-at-home", "ferns-from-home", "first-look",
    "plants", "students", "trams",
)  # fmt: skip
SITES = ("orchid-nursery", "nurseries")
TOPIC = {"keywords": "ferns birds", "pages": 6, "seeds": ["https://example.org/"]}
RDF = """<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
<Topic r:id="Top/Plants/House_Plants"><d:Description>Plants kept indoors.</d:Description></Topic>
<ExternalPage about="http://ferns.test/"><topic>Top/Plants/House_Plants</topic></ExternalPage>
<Topic r:id="Top/Shopping"/><ExternalPage about="http://shop.test/"><topic>Top/Shopping</topic></ExternalPage></RDF>"""


def make_world(folder: Path) -> None:
    """All files and libraries, in a folder; the documents name them as they are called here."""
    _recordings(folder)
    _lists(folder)
    _browsing(folder)
    _libraries(folder, ["crawl", "dengue fever", "--examples", "https://example.org/ferns"], LIBRARIES)
    _libraries(folder, ["sites", "orchid nursery"], SITES)


def _recordings(folder: Path) -> None:
    linked = (*(f"/{path}" for path in PATHS), "/login", "https://www.cs.example/~ada/")
    links = "".join(f'<li><a href="{link}">{link}, ferns</a>' for link in linked)
    form = '<form action="/search"><input name="q"></form>'
    answers = []
    for path in PATHS:
        language = "es" if path == "news/es" else "en"
        title = f"<html lang={language}><title>{path}: dengue vaccine and ferns</title>"
        page = f"{title}<h1>{path}</h1><p>{path} {TEXT}</p>{form}<ul>{links}</ul>"
        answers.append(record(f"https://example.org/{path}", http(page.encode())))
    hosts = (
        "https://intranet.example.org",
        "https://app.example.org",
        "http://nursery.example.com",
        "http://example.edu",
    )
    answers += [record(f"{host}/", http(f"<title>{host}</title><p>{TEXT}".encode())) for host in hosts]
    japanese = "<html lang=ja><title>サンゴの白化</title><p>" + "サンゴの白化は海水温の上昇によって起こります。" * 8
    answers.append(record("https://example.jp/", http(japanese.encode(), content_type="text/html; charset=utf-8")))
    web = write(folder / WEB, *answers)
    for name in ("old-crawl", "other", "recorded", "apache", "webkb", "schools-wikipedia"):
        shutil.copy(web, folder / f"{name}.warc.gz")
    (folder / "recordings").mkdir()
    shutil.copy(web, folder / "recordings" / "one.warc.gz")
    paper = http(pdf([["River levels of the Elbe", "are high in spring."]]), content_type="application/pdf")
    write(folder / "papers.warc.gz", record("http://papers.test/levels.pdf", paper))
    (folder / "mirror" / "www.mirror.test").mkdir(parents=True)
    (folder / "mirror" / "www.mirror.test" / "a.html").write_text(f"<title>Ferns</title><p>{TEXT}")
    (folder / "pages").mkdir()
    (folder / "pages" / "one.html").write_text(f"<title>Ferns</title><p>{TEXT}")
    (folder / "notes.html").write_text(f"<title>Ferns</title><p>{TEXT}")


def _lists(folder: Path) -> None:
    some = "https://example.org/ferns\nhttps://example.org/birds\n"
    for name in ("relevant", "order", "wanted", "urls", "good", "good-pages", "targets", "first", "second"):
        (folder / f"{name}.txt").write_text(some)
    (folder / "bad.txt").write_text("https://app.example.org/\n")
    (folder / "trails.txt").write_text("https://example.org/\nhttps://example.org/a\n+ https://example.org/a/tram\n")
    (folder / "spider-items.jsonl").write_text(json.dumps({"url": "http://items.test/", "body": f"<p>{TEXT}"}) + "\n")
    bookmarks = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="http://b.test/">b</A></DL>'
    (folder / "bookmarks.html").write_text(bookmarks)
    (folder / "feeds.opml").write_text('<opml version="2.0"><body><outline xmlUrl="http://f.test/a"/></body></opml>')
    (folder / "cookies.txt").write_text("# Netscape HTTP Cookie File\nintranet.test\tFALSE\t/\tTRUE\t0\ts\ts3cr3t\n")
    (folder / "apache-sites.tsv").write_text("host\tpages\tcategories\nexample.org\t9\tbig-data\nexample.jp\t1\tweb\n")
    topics = [
        TOPIC | {"name": f"ferns-{web}", "web": f"{web}.warc.gz"}
        for web in ("web", "apache", "webkb", "schools-wikipedia")
    ]
    targets = [f"https://example.org/{path}" for path in ("ferns", "spores", "birds", "news")]
    lines = [json.dumps(topic | {"targets": targets, "relevant_examples": targets[:1]}) for topic in topics]
    (folder / "topics.jsonl").write_text("\n".join(lines))
    (folder / "topics-apache.jsonl").write_text(lines[1])
    experiment = 'strategies = ["best-first"]\nweb = ["web.warc.gz"]\ntopics = "topics.jsonl"\n'
    (folder / "experiment.toml").write_text(experiment)
    packed = gzip.compress(RDF.encode())
    for name in ("content.rdf.gz", "content.rdf.u8.gz"):
        (folder / name).write_bytes(packed)
    shutil.copy(Path(__file__).parent / "ontology" / "data" / "health.ttl", folder / "plants.ttl")
    (folder / "ask-model").write_text("#!/bin/sh\ncat >/dev/null\necho yes\n")
    (folder / "ask-model").chmod(0o755)


def _browsing(folder: Path) -> None:
    steps = ("https://example.org/", "https://example.org/a", "https://example.org/a/tram")
    ago = time.time() - AT - 3600
    profile = folder / ".mozilla" / "firefox" / "abc.default"
    profile.mkdir(parents=True)
    firefox(
        profile / "places.sqlite",
        [(n, url, ago + n, n - 1, LINK if n > 1 else TYPED) for n, url in enumerate(steps, 1)],
    )
    shutil.copy(profile / "places.sqlite", folder / "places.sqlite")
    chromium(
        folder / "History", [(n, url, ago + n, n - 1, C_LINK if n > 1 else C_TYPED) for n, url in enumerate(steps, 1)]
    )
    chromium_bookmarks(folder / "Bookmarks", {"ferns": [steps[-1]]})
    entries = [
        {
            "startedDateTime": f"2026-09-21T14:13:{20 + n}.000Z",
            "request": {"method": "GET", "url": url, "headers": [{"name": "Referer", "value": steps[max(0, n - 1)]}]},
            "response": {"status": 200, "content": {"mimeType": "text/html"}},
        }
        for n, url in enumerate(steps)
    ]
    (folder / "session.har").write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))


def _libraries(folder: Path, command: list[str], names: Sequence[str]) -> None:
    """Of a crawl of the recorded web, whose settings name the recording: what goes on with one asks nobody."""
    first, *others = (folder / "crawls" / name for name in names)
    words = [*command, "-s", "https://example.org/", "--into", str(first), "--replay", str(folder / WEB)]
    called("", *words, "--delay", "0", "--pages", "20", "--quiet")
    if command[0] == "crawl":
        called("", "trails", "import", str(first), str(folder / "trails.txt"))
        called("", "trails", "collect", str(first))
        called("", "export", str(first), "-o", str(folder / "collection.wacz"))
    for other in others:
        shutil.copytree(first, other)


def called(typed: str, *words: str) -> str:
    """What a command says; it must end well."""
    done = CliRunner().invoke(app, list(words), input=typed)
    assert done.exit_code == 0, f"{' '.join(words)}\n{done.output}\n{done.exception!r}"
    return str(done.output)
