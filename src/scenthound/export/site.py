from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import BinaryIO

import msgspec

from scenthound import urls
from scenthound.export import site_clusters
from scenthound.export.exporter import ChosenPages, exporter
from scenthound.export.fields import moment
from scenthound.export.file_tree import FileTree, zip_tree
from scenthound.export.plain_text import markdown_reader, text_of
from scenthound.export.site_markup import ListEntry, bars, cards, count, document, page_list, pages_of
from scenthound.model import Response
from scenthound.parse.charset import to_utf8
from scenthound.parse.file_format import file_format
from scenthound.protocols.records import StoredPage
from scenthound.text.analysis import analyzer
from scenthound.text.as_written import as_written
from scenthound.text.page_language import recognized_in

SEARCHED = 2_000
"""Characters of a page that the search of the site looks through."""

SHOWN = 220
"""Characters of a page in a list."""

ON_A_LIST = 200
"""Pages; what is more goes on the next."""

ON_THE_FRONT = 12
"""Groups of each kind, and pages, that the first page of the site names."""

DAYS = 60
"""A collection that was made in less goes by days, a longer one by months."""

# Nothing is loaded, whatever a page says.
_COPY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

Groups = Mapping[str, Sequence["SitePage"]]


class SitePage(msgspec.Struct, frozen=True):
    """What the lists of the site know of a page."""

    line: ListEntry
    searched: str
    terms: dict[str, int]
    written: dict[str, str]  # how the page spells them


@exporter("site")
@dataclass
class SiteExport:
    """A website of plain files, to be put on any server or opened from a disk: pages by site, by time, by content.

    Each page has its main text and a copy as it was archived, in a frame where no script of it runs and nothing is
    loaded. The search works without a server. `--output public` makes the folder, `--output public.site.zip` packs it.
    """

    extensions = (".site.zip",)
    memory_a_page = 16_000

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        with zip_tree(stream) as tree:
            self.write_tree(pages, tree)

    def write_tree(self, pages: ChosenPages, tree: FileTree) -> None:
        listed = [_write_page(pages, page, tree) for page in pages]
        by_site = _grouped(listed, lambda page: page.line.site)
        long = len({page.line.day for page in listed}) > DAYS
        by_time = _grouped(listed, lambda page: page.line.day[: len("2026-11") if long else len("2026-11-17")])
        by_time = dict(sorted(by_time.items(), reverse=True))
        by_content = _by_content(listed)
        _write_lists(tree, "sites", "By site", by_site)
        _write_lists(tree, "times", "By time", by_time)
        _write_lists(tree, "clusters", "By content", by_content)
        _write_search_data(tree, listed)
        for name in ("style.css", "search.js"):
            tree.add(name, files("scenthound.export").joinpath("site_files", name).read_bytes())
        title = pages.topic or "A collection of pages"
        tree.add("index.html", document(title, _front(listed, by_content, by_site, by_time), "", "index"))


# The first page


def _front(listed: Sequence[SitePage], by_content: Groups, by_site: Groups, by_time: Groups) -> str:
    days = sorted(page.line.day for page in listed)
    when = "" if not days else f", fetched {days[0]}" if days[0] == days[-1] else f", fetched {days[0]} to {days[-1]}"
    best = sorted((page.line for page in listed), key=lambda line: -line.relevance)[:ON_THE_FRONT]
    return (
        f'<p class="lead">{count(len(listed), "page")} of {count(len(by_site), "site")}{when}</p>'
        '<input id="q" type="search" placeholder="Search" aria-label="Search" autocomplete="off">'
        '<p id="said" role="status"></p><ul class="pages" id="found"></ul><div id="browse">'
        f"{_more('By content', 'clusters', by_content)}{cards(_lines(by_content, 'clusters'), ON_THE_FRONT)}"
        f"{_more('By site', 'sites', by_site)}{bars(_counts(by_site, 'sites'), ON_THE_FRONT)}"
        f"{_more('By time', 'times', by_time)}{bars(_counts(by_time, 'times'), ON_THE_FRONT)}"
        f"<h2>Most relevant</h2>{page_list(best, '')}</div>"
        '<script src="search-data.js"></script><script src="search.js"></script>'
    )


def _more(title: str, folder: str, groups: Groups) -> str:
    rest = f'<a href="{folder}.html">all {len(groups):,}</a>' if len(groups) > ON_THE_FRONT else ""
    return f"<h2>{title}{rest}</h2>"


def _write_search_data(tree: FileTree, listed: Iterable[SitePage]) -> None:
    found = [[page.line.name, page.line.title, page.line.site, page.line.day, page.searched] for page in listed]
    tree.add("search-data.js", b"const PAGES = " + msgspec.json.encode(found).replace(b"</", b"<\\/") + b";\n")


# Lists


def _by_content(listed: Sequence[SitePage]) -> dict[str, list[SitePage]]:
    """Groups of like pages, named by words as their pages write them."""
    found: dict[str, list[SitePage]] = {}
    for terms, members in site_clusters.clusters([page.terms for page in listed]):
        pages = [listed[number] for number in members]
        name = ", ".join(_usual(term, pages) for term in terms) or "without words"
        found.setdefault(name, []).extend(sorted(pages, key=lambda page: -page.line.relevance))
    return found


def _usual(term: str, pages: Iterable[SitePage]) -> str:
    spellings = Counter(page.written[term] for page in pages if term in page.written)
    return min(spellings, key=lambda word: (-spellings[word], word), default=term)


def _grouped(pages: Sequence[SitePage], key: Callable[[SitePage], str]) -> dict[str, list[SitePage]]:
    groups: dict[str, list[SitePage]] = defaultdict(list)
    for page in pages:
        groups[key(page)].append(page)
    return dict(sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))


def _list_file(folder: str, name: str) -> str:
    """Groups are named by strangers, their files are not."""
    return f"{folder}/{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:12]}"


def _lines(groups: Groups, folder: str) -> list[tuple[str, str, list[ListEntry]]]:
    return [(name, f"{_list_file(folder, name)}.html", [page.line for page in some]) for name, some in groups.items()]


def _counts(groups: Groups, folder: str) -> list[tuple[str, str, int]]:
    return [(name, target, len(lines)) for name, target, lines in _lines(groups, folder)]


def _write_lists(tree: FileTree, folder: str, title: str, groups: Groups) -> None:
    """A page that names the groups, and lists of the pages of each."""
    for name, target, lines in _lines(groups, folder):
        for number, content in enumerate(pages_of(lines, target, ON_A_LIST)):
            place = target if not number else target.replace(".html", f"-{number + 1}.html")
            tree.add(place, document(name, content, "../", folder))
    lead = f'<p class="lead">{count(sum(map(len, groups.values())), "page")} in {count(len(groups), "group")}</p>'
    shown = cards(_lines(groups, folder)) if folder == "clusters" else bars(_counts(groups, folder))
    tree.add(f"{folder}.html", document(title, f"{lead}<h2></h2>{shown}", "", folder))


# Pages


def _write_page(pages: ChosenPages, page: StoredPage, tree: FileTree) -> SitePage:
    name = hashlib.sha256(page.url.encode()).hexdigest()[:16]
    reader = markdown_reader()
    tokens = reader.parse(pages.main_text(page).markdown)
    plain = " ".join(text_of(tokens).split())
    line = ListEntry(
        name=name,
        title=page.title or page.url,
        site=urls.site(page.url),
        day=moment(page.fetched_at)[: len("2026-11-17")],
        relevance=page.relevance,
        text=(page.description or plain)[:SHOWN],
    )
    _write_shown(pages, page, line, tree, reader.renderer.render(tokens, reader.options, {}))
    # What a template says of every page is often wrong, and stop words of the true language would name a group.
    language = recognized_in(plain, page.language) or page.language
    counted = analyzer(language).counts(f"{line.title} {plain}").items()
    terms = dict(sorted(counted, key=lambda term: (-term[1], term[0]))[: site_clusters.TERMS])
    return SitePage(line, plain[:SEARCHED], terms, as_written(terms, f"{line.title} {plain}", language))


def _write_shown(pages: ChosenPages, page: StoredPage, line: ListEntry, tree: FileTree, content: str) -> None:
    """The page of a page: where it is from, and its main text."""
    of_site = f"../{_list_file('sites', line.site)}.html"
    about = (
        f'<p class="facts"><a href="{escape(page.url)}" rel="noopener noreferrer nofollow">{escape(page.url)}</a></p>'
        f'<p class="facts">fetched {line.day} · relevance {page.relevance:.2f} · '
        f'<a href="{of_site}">all of {escape(line.site)}</a>{_write_copy(pages, page, tree, line.name)}</p>'
    )
    shown = f"<article>{content}</article>" if content.strip() else '<p class="lead">It has no main text.</p>'
    tree.add(f"pages/{line.name}.html", document(line.title, about + shown, "../"))


def _write_copy(pages: ChosenPages, page: StoredPage, tree: FileTree, name: str) -> str:
    """The page as it was answered, for a frame that runs nothing and loads nothing; a link to it."""
    response = pages.library.body(page.url)
    if response is None or not response.body:
        return ""
    if name_of_format := file_format(response):
        return _write_document(response, tree, name, name_of_format)
    source = to_utf8(response.body, response.header("content-type"))[0].decode("utf-8", "replace")
    inside = f'<meta http-equiv="Content-Security-Policy" content="{_COPY_POLICY}">{source}'
    back = f'<p class="facts"><a href="../pages/{name}.html">its main text</a></p>'
    frame = f'<iframe sandbox title="archived copy" srcdoc="{escape(inside)}"></iframe>'
    tree.add(f"copies/{name}.html", document(page.title or page.url, back + frame, "../"))
    return f' · <a href="../copies/{name}.html">archived copy</a>'


def _write_document(response: Response, tree: FileTree, name: str, name_of_format: str) -> str:
    """A PDF as it came: browsers show it, and let it do nothing. Of other documents their text has to do."""
    if name_of_format != "pdf":
        return ""
    tree.add(f"copies/{name}.pdf", response.body)
    return f' · <a href="../copies/{name}.pdf" rel="noopener">archived copy</a>'
