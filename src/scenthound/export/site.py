from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import BinaryIO

import msgspec
from markdown_it import MarkdownIt

from scenthound import urls
from scenthound.export import site_clusters
from scenthound.export.exporter import ChosenPages, exporter
from scenthound.export.fields import moment
from scenthound.export.file_tree import FileTree, zip_tree
from scenthound.model import Response
from scenthound.parse.charset import to_utf8
from scenthound.parse.file_format import file_format
from scenthound.protocols.records import StoredPage
from scenthound.text.analysis import analyzer
from scenthound.text.text_quality import without_targets

SEARCHED = 2_000
"""Characters of a page that the search of the site looks through."""

# Nothing is loaded from anywhere else, whatever a page says; scripts are the site's own.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'self' 'unsafe-inline'; img-src data:; frame-src 'self'"
)
_COPY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "nav a{margin-right:1rem}li{margin:.3rem 0}small{color:#666}pre{overflow:auto;background:#f4f4f4;padding:.5rem}"
    "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2rem .5rem}iframe{width:100%;height:80vh}"
)
_SEARCH = """
const box = document.getElementById("q"), list = document.getElementById("found");
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const hits = words.length ? PAGES.filter(p => words.every(w => p[2].includes(w))).slice(0, 50) : [];
  list.replaceChildren(...hits.map(p => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = "pages/" + p[0] + ".html"; link.textContent = p[1]; item.append(link); return item;
  }));
});
"""


class SitePage(msgspec.Struct, frozen=True):
    """What the lists of the site know of a page."""

    name: str
    title: str
    site: str
    month: str
    searched: str
    terms: dict[str, int]


@exporter("site")
@dataclass
class SiteExport:
    """A website of plain files, to be put on any server or opened from a disk: pages by site, by time, by content.

    Each page has its main text and a copy as it was archived, in a frame where no script of it runs and nothing is
    loaded. The search works without a server. `--output public` makes the folder, `--output public.site.zip` packs it.
    """

    extensions = (".site.zip",)
    memory_a_page = 12_000

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        with zip_tree(stream) as tree:
            self.write_tree(pages, tree)

    def write_tree(self, pages: ChosenPages, tree: FileTree) -> None:
        render = MarkdownIt("commonmark", {"html": False}).enable("table").render
        listed = [_write_page(pages, page, tree, render) for page in pages]
        by_site = _grouped(listed, lambda page: page.site)
        by_month = _grouped(listed, lambda page: page.month)
        clusters = site_clusters.clusters([page.terms for page in listed])
        by_content = {name: [listed[number] for number in members] for name, members in clusters}
        _write_lists(tree, "sites", "By site", by_site)
        _write_lists(tree, "months", "By time", dict(sorted(by_month.items(), reverse=True)))
        _write_lists(tree, "clusters", "By content", by_content)
        found = [[page.name, page.title, f"{page.title} {page.searched}".lower()] for page in listed]
        tree.add("search-data.js", b"const PAGES = " + msgspec.json.encode(found).replace(b"</", b"<\\/") + b";\n")
        tree.add("search.js", _SEARCH.encode())
        search = '<p><input id="q" type="search" placeholder="Search" autofocus></p><ul id="found"></ul>'
        scripts = '<script src="search-data.js"></script><script src="search.js"></script>'
        tree.add("index.html", _document(f"{len(listed):,} pages", search + scripts, ""))


def _write_page(pages: ChosenPages, page: StoredPage, tree: FileTree, render: Callable[[str], str]) -> SitePage:
    name = hashlib.sha256(page.url.encode()).hexdigest()[:16]
    text = pages.main_text(page).markdown
    title = page.title or page.url
    copy = _write_copy(pages, page, tree, name)
    about = (
        f'<p><small><a href="{escape(page.url)}" rel="noopener noreferrer nofollow">{escape(page.url)}</a><br>'
        f"fetched {moment(page.fetched_at)}, relevance {page.relevance:.2f}{copy}</small></p>"
    )
    tree.add(f"pages/{name}.html", _document(title, about + render(text), "../"))
    plain = without_targets(text)
    terms = sorted(analyzer(page.language).counts(f"{title} {plain}").items(), key=lambda term: (-term[1], term[0]))
    month = moment(page.fetched_at)[:7]
    return SitePage(name, title, urls.site(page.url), month, plain[:SEARCHED], dict(terms[: site_clusters.TERMS]))


def _write_copy(pages: ChosenPages, page: StoredPage, tree: FileTree, name: str) -> str:
    """The page as it was answered, for a frame that runs nothing and loads nothing; a link to it."""
    response = pages.library.body(page.url)
    if response is None or not response.body:
        return ""
    if name_of_format := file_format(response):
        return _write_document(response, tree, name, name_of_format)
    source = to_utf8(response.body, response.header("content-type"))[0].decode("utf-8", "replace")
    inside = f'<meta http-equiv="Content-Security-Policy" content="{_COPY_POLICY}">{source}'
    frame = f'<iframe sandbox srcdoc="{escape(inside)}"></iframe>'
    tree.add(f"copies/{name}.html", _document(page.title or page.url, frame, "../"))
    return f', <a href="../copies/{name}.html">archived copy</a>'


def _write_document(response: Response, tree: FileTree, name: str, name_of_format: str) -> str:
    """A PDF as it came: browsers show it, and let it do nothing. Of other documents their text has to do."""
    if name_of_format != "pdf":
        return ""
    tree.add(f"copies/{name}.pdf", response.body)
    return f', <a href="../copies/{name}.pdf" rel="noopener">archived copy</a>'


def _grouped(pages: Sequence[SitePage], key: Callable[[SitePage], str]) -> dict[str, list[SitePage]]:
    groups: dict[str, list[SitePage]] = defaultdict(list)
    for page in pages:
        groups[key(page)].append(page)
    return dict(sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))


def _write_lists(tree: FileTree, folder: str, title: str, groups: dict[str, list[SitePage]]) -> None:
    """A list of the groups, and a list of the pages of each. Files are numbered: groups are named by strangers."""
    items = []
    for number, (name, members) in enumerate(groups.items()):
        shown = "".join(f'<li><a href="../pages/{page.name}.html">{escape(page.title)}</a></li>' for page in members)
        tree.add(f"{folder}/{number}.html", _document(name, f"<ul>{shown}</ul>", "../"))
        items.append(f'<li><a href="{folder}/{number}.html">{escape(name)}</a> <small>{len(members):,}</small></li>')
    tree.add(f"{folder}.html", _document(title, f"<ul>{''.join(items)}</ul>", ""))


def _document(title: str, content: str, up: str) -> bytes:
    links = {"index": "Search", "sites": "By site", "months": "By time", "clusters": "By content"}
    menu = "".join(f'<a href="{up}{name}.html">{words}</a>' for name, words in links.items())
    return (
        f'<!doctype html><html><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><nav>{menu}</nav><h1>{escape(title)}</h1>{content}</body></html>\n"
    ).encode("utf-8", "replace")
