"""A stored page back as the crawl saw it: a `Page`, or a `Visit` with the way to it. The one place that does this.

What was kept decides how much comes back:

    the answer            parsed anew: everything
    the text and links    title, description, text and terms, links without their surroundings
    neither               the page said `noindex`: title and links
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from scenthound.errors import LibraryError
from scenthound.model import Link, MainText, Page, Response, Visit
from scenthound.parse.document_text import document_text
from scenthound.parse.file_format import file_format
from scenthound.parse.main_text import main_text, plain_main_text
from scenthound.parse.safe_parse import parse_safely
from scenthound.protocols.library import Decisions, Library, StoredPages
from scenthound.protocols.records import StoredPage
from scenthound.text.analysis import analyzer

MOST_HOPS = 10
"""Redirects followed from one stored URL to the next."""


class PageCopy(Struct, frozen=True):
    """A stored page, as whole as what was kept allows."""

    page: Page
    response: Response | None = None  # the answer it was parsed from; None: put together from what else there is
    has_text: bool = True  # False: it asked not to be kept


class StoredVisit(Struct, frozen=True):
    """A visit as a strategy saw it, and what the library knows of the page."""

    stored: StoredPage
    visit: Visit
    hops: int = 0  # redirects and frames on the way to it


def read_page(library: Library, url: str, language: str) -> Page | None:
    """The page at a URL, or where that has moved to; None where there is none, or its text was not kept."""
    stored = library.page(where_it_is(library, url))
    if stored is None:
        return None
    copy = copy_of(library, stored, language)
    return copy.page if copy.has_text else None


def where_it_is(library: Decisions, url: str) -> str:
    """The URL, or the one its redirects led to."""
    for _ in range(MOST_HOPS + 1):
        row = library.url_row(url)
        if row is None or row.state != "moved":
            break
        url = row.reason
    return url


def redirects_to(library: Decisions, link: Link) -> list[tuple[Link, str]]:
    """The links whose redirects led to this one, the first of them first, each with its target."""
    found: list[tuple[Link, str]] = []
    while link.kind == "redirect" and len(found) <= MOST_HOPS:
        row = library.url_row(link.source)
        if row is None or row.state != "moved":
            break
        found.append((row.link, link.url))
        link = row.link
    return found[::-1]


def copy_of(
    library: StoredPages,
    stored: StoredPage,
    language: str,
    *,
    parse: Callable[[Response, str], Page] = parse_safely,
    damaged_too: bool = False,
) -> PageCopy:
    """A stored page. `damaged_too`: also where its WARC file was taken away or is damaged, from its text."""
    response = answer_of(library, stored.url, damaged_too=damaged_too)
    if response is not None and not (page := parse(response, language)).problem:
        return PageCopy(page, response)
    return text_copy(library, stored, language)


def text_copy(library: StoredPages, stored: StoredPage, language: str = "") -> PageCopy:
    """A stored page from its text and links alone: the answer is not read, and nothing parsed."""
    text = library.text(stored.url)
    spoken = stored.language or language
    page = Page(
        url=stored.url,
        title=stored.title,
        description=stored.description,
        text=text or "",
        terms=analyzer(spoken).counts(f"{stored.title}\n{text or ''}"),
        links=tuple(library.outlinks(stored.url)),
        language=spoken,
        canonical=stored.canonical,
        simhash=stored.simhash,
        noindex=stored.noindex,
    )
    return PageCopy(page, has_text=text is not None)


def main_text_of(library: StoredPages, stored: StoredPage) -> MainText | None:
    """What a stored page says: read off its answer, else all of its text; None where it asked not to be kept."""
    text = library.text(stored.url)
    if text is None:
        return None
    response = answer_of(library, stored.url, damaged_too=True)
    if response is None:
        return plain_main_text(text)
    if name := file_format(response):  # a document is read where it can do no harm, and only there
        return document_text(parse_safely(response, stored.language), name)
    return main_text(response)


def answer_of(library: StoredPages, url: str, *, damaged_too: bool = False) -> Response | None:
    """What the server sent, if it was kept. `damaged_too`: None also where it was, and cannot be read."""
    try:
        return library.body(url)
    except LibraryError:
        if damaged_too:
            return None
        raise


def visits(library: Library, language: str, after: int = 0, *, whole: bool = False) -> Iterator[StoredVisit]:
    """Every page stored, in the order of the first visits, from the one after the `after`-th on.

    `whole`: only those whose answers were kept and can be read, so that they are to a strategy what they were the
    first time. A crawl goes on without what a power cut took from an archive; `library check` names it.
    """
    for stored in library.pages(after=after):
        if (found := visit_of(library, stored, language, whole=whole)) is not None:
            yield found


def visit_of(library: Library, stored: StoredPage, language: str, *, whole: bool = False) -> StoredVisit | None:
    """The visit that brought a stored page; None where it is not `whole` and should be."""
    row, response = library.url_row(stored.url), answer_of(library, stored.url, damaged_too=whole)
    if row is None or (whole and response is None):
        return None
    page = parse_safely(response, language) if response is not None else None
    if page is None or page.problem:
        page = text_copy(library, stored, language).page
    visit = Visit(row.link, page, stored.relevance, stored.relevant, stored.depth, row.memory)
    return StoredVisit(stored, visit, row.hops)


def words_visit(library: StoredPages, stored: StoredPage, language: str) -> Visit:
    """A visit for those who go by figures and words: from the text that was kept, and without links."""
    text, spoken = library.text(stored.url), stored.language or language
    terms = analyzer(spoken).counts(f"{stored.title}\n{text}") if text is not None else {}
    page = Page(url=stored.url, title=stored.title, text=text or "", terms=terms, language=spoken)
    return Visit(Link(url=stored.url), page, stored.relevance, stored.relevant, stored.depth)


def unread_visit(stored: StoredPage) -> Visit:
    """A visit for those who go by its figures alone: the page is not read back."""
    return Visit(Link(url=stored.url), Page(url=stored.url), stored.relevance, stored.relevant, stored.depth)
