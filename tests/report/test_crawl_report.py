"""The report: complete, small, self-contained, and safe whatever the web has put into it."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound import urls
from scenthound.config import Config
from scenthound.errors import LibraryMissing
from scenthound.library import open_library
from scenthound.model import Link, Step, Waiting
from scenthound.report.crawl_page import render
from scenthound.report.crawl_report import gather, write_report
from scenthound.report.markup import el, safe_href
from scenthound.report.page_list import script, script_source
from tests.library.collection import collect, numbered, stored, zoo

OUR_SCRIPTS = [{"type": "application/json", "id": "pages"}, {}]
VOID = {"meta", "path", "rect", "line", "br"}


class Seen(HTMLParser):
    """Elements as a browser would see them, and whether they nest."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.texts)


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = write_report(zoo(tmp_path / "zoo"))
    assert path == tmp_path / "zoo" / "report.html"
    return path.read_text(encoding="utf-8")


def test_it_tells_everything(page: str) -> None:
    text = Seen(page).text
    for part in ("otters", "Harvest", "Relevance over time", "Hosts", "Failed", "Not asked for", "Pages"):
        assert part in text
    for fact in ("All about otters", "www.zoo.example", "404 not found", "robots", "topic.keywords", "otter, river"):
        assert fact in text
    assert "as many pages as were asked for" in text


def test_it_needs_nothing_else(page: str) -> None:
    seen = Seen(page)
    scripts = [attributes for tag, attributes in seen.tags if tag == "script"]
    assert scripts == OUR_SCRIPTS
    assert not {"link", "img", "iframe", "object", "base", "form"} & {tag for tag, _ in seen.tags}
    assert not any(name.startswith("on") or name == "src" for _, attributes in seen.tags for name in attributes)
    assert "url(" not in page
    assert "@import" not in page
    policies = [attributes for tag, attributes in seen.tags if attributes.get("http-equiv")]
    assert policies[0]["content"] == f"default-src 'none'; style-src 'unsafe-inline'; script-src {script_source()}"


def test_charts_can_be_read_aloud(page: str) -> None:
    drawings = re.findall(r"<svg[^>]*role=\"img\".*?</svg>", page, re.DOTALL)
    assert len(drawings) == 2
    for drawing in drawings:
        assert "<title " in drawing
        assert "<desc " in drawing
    assert all(
        attributes.get("aria-hidden") == "true" or attributes.get("role") == "img"
        for tag, attributes in Seen(page).tags
        if tag == "svg"
    )


def test_light_and_dark(page: str) -> None:
    assert "prefers-color-scheme: dark" in page
    assert "color-scheme: light dark" in page


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style><script>alert(1)</script>",
    "'-->]]><svg onload=alert(1)>",
    "&lt;script&gt; &amp; &#x3c;",
    "\x00\x1b[31m\u202egnp.exe",
]


def hostile_library(folder: Path) -> Path:
    config = Config()
    config.topic.name = HOSTILE[0]
    config.topic.keywords = HOSTILE[:3]
    config.crawl.seeds = [HOSTILE[1]]
    steps = [
        stored(f"http://h{n}.example/?q=%22%3E<b>'", f"text {n}", title=title, relevance=0.9)
        for n, title in enumerate(HOSTILE)
    ]
    steps.append(stored("javascript:alert(1)//http://x/", "js", title="a javascript page", relevance=0.9))
    return collect(folder, steps, config)


def test_nothing_a_page_says_becomes_markup(tmp_path: Path) -> None:
    html = write_report(hostile_library(tmp_path)).read_text(encoding="utf-8")
    seen = Seen(html)
    assert {tag for tag, _ in seen.tags} <= {
        "html", "head", "meta", "title", "style", "body", "main", "header", "p", "h1", "h2", "section", "dl", "div",
        "dt", "dd", "svg", "desc", "path", "rect", "span", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "b",
        "a", "footer", "input", "select", "option", "label", "output", "button", "script",
    }  # fmt: skip
    assert [attributes for tag, attributes in seen.tags if tag == "script"] == OUR_SCRIPTS
    assert script() in html
    (data,) = re.findall(r'id="pages">(.*?)</script>', html, re.DOTALL)
    assert "<" not in data
    rows = json.loads(data)
    assert {row[3] for row in rows} <= {"", *(row[4] for row in rows)}
    assert all(row[3].startswith("http") or not row[3] for row in rows)
    assert not any(name.startswith("on") for _, attributes in seen.tags for name in attributes)
    assert all(str(attributes["href"]).startswith("http") for tag, attributes in seen.tags if tag == "a")
    titles = {row[2] for row in rows}
    assert {"a javascript page", "<script>alert(1)</script>"} <= titles
    assert not re.search("[\x00-\x08\x1b\u202e]", html)


@pytest.mark.parametrize("url", ["javascript:alert(1)", " javascript:x", "data:text/html,x", "vbscript:x", "//x", ""])
def test_addresses_one_must_not_click(url: str) -> None:
    assert safe_href(url) is None


@given(st.text(), st.text())
def test_an_element_holds_what_it_is_given(text: str, value: str) -> None:
    seen = Seen(el("p", text, title=value))
    assert [tag for tag, _ in seen.tags] == ["p"]
    assert set(seen.tags[0][1]) == {"title"}


def test_a_long_crawl_makes_a_small_report(tmp_path: Path) -> None:
    collect(tmp_path, numbered(3000, size=1), warc=False)
    facts = gather(tmp_path)
    long = msgspec.structs.replace(facts, harvest=facts.harvest * 34)
    assert len(long.harvest) > 100_000
    without = len(render(msgspec.structs.replace(long, pages=())).encode())
    assert without < 150_000
    assert len(render(long).encode()) - without < 200 * 3000, "a list of pages costs what it says of each"


def test_figures_of_one_are_of_one(tmp_path: Path) -> None:
    folder = collect(tmp_path, [stored("http://one.example/", "otters", relevance=0.9)])
    html = write_report(folder).read_text(encoding="utf-8")
    names = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", html)
    assert ("relevant page", "1") in names
    assert ("page fetched", "1") in names
    assert ("host", "1") in names
    assert ("links waiting", "0") in names


def test_a_crawl_of_which_nothing_came_says_where_to_look(tmp_path: Path) -> None:
    url = "http://gone.example/"
    lease = Waiting(urls.fingerprint(url), Link(url, kind="seed"), urls.host(url), 1.0, 0)
    text = Seen(
        write_report(collect(tmp_path, [Step(lease, "failed", 1.0, "status: 404")])).read_text(encoding="utf-8")
    ).text
    assert "What the addresses answered that were asked for is told under Failed." in text
    assert "404 not found" in text
    assert "No host has given a page yet." in text  # one was asked


def test_a_long_title_shows_that_it_goes_on(tmp_path: Path) -> None:
    folder = collect(tmp_path, [stored("http://one.example/", "otters", title="Otters " * 50, relevance=0.9)])
    (title,) = (line.title for line in gather(folder).pages)
    assert title.endswith("Otters Otter…")


def test_an_empty_library(tmp_path: Path) -> None:
    open_library(tmp_path, create=True).close()
    text = Seen(write_report(tmp_path).read_text(encoding="utf-8")).text
    assert "No page was fetched yet." in text


def test_while_a_crawl_writes(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.start_run("{}")
        for step in numbered(20):
            library.record(step)
        library.flush()
        assert "going on" in write_report(tmp_path).read_text(encoding="utf-8")


def test_elsewhere(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    assert write_report(folder, tmp_path / "x.html") == tmp_path / "x.html"
    assert not (folder / "report.html").exists()


def test_no_library_there(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing):
        write_report(tmp_path)
    assert list(tmp_path.iterdir()) == []
