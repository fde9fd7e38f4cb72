"""A response in, a page out. The package's docstring tells the way."""

from __future__ import annotations

import re

from selectolax.lexbor import SelectolaxError

from scenthound.model import Image, Link, Page, Response
from scenthound.parse import text_positions
from scenthound.parse.blocks import blocks_of
from scenthound.parse.charset import to_utf8
from scenthound.parse.document_page import document_page
from scenthound.parse.file_format import file_format
from scenthound.parse.head import MAX_TITLE, language_of
from scenthound.parse.links import NOWHERE, FoundLink, LinkList
from scenthound.parse.made_by_scripts import shows_nothing
from scenthound.parse.page_limits import MAX_TEXT
from scenthound.parse.publication import publication
from scenthound.parse.robots import directives
from scenthound.parse.tree import PageNodes, gather
from scenthound.text.analysis import analyzer
from scenthound.text.page_language import page_language
from scenthound.text.simhash import simhash
from scenthound.text.term_digests import term_digests
from scenthound.urls import Base, Malformed

MOST_PROBLEM = 200
"""Characters that say why a page could not be read."""

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})

_LOOKS_LIKE_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|title|body|h1|p|a|table|div)[\s>]",
    re.IGNORECASE | re.DOTALL,
)


def is_html(response: Response) -> bool:
    """Whether the response is a page: by its type or, where it has none, by its first bytes."""
    media_type = response.media_type
    return media_type in HTML_TYPES or (not media_type and bool(_LOOKS_LIKE_HTML.match(response.body[:512])))


def parse(response: Response, language: str = "") -> Page:
    """All that the crawl wants to know of a page. `language` is the topic's, for pages that do not say theirs."""
    if name := file_format(response):
        try:
            return document_page(response, name, language)
        except Exception as error:  # its reader may be anybody's, and may raise
            return unread(response.url, f"{name}: {error}")
    source, charset = to_utf8(response.body, response.header("content-type"))
    try:
        gathered = gather(source)
    except SelectolaxError:
        return unread(response.url, "no memory for its tree")
    head = gathered.head
    layout = _layout_of(gathered)
    text = layout.text[:MAX_TEXT].strip()
    title = head.title or ""
    stated = head.language or language_of(response.header("content-language"))
    spoken = page_language(f"{title}\n{text}", stated, language)
    base = _base_of(response.url, head.base)
    blocks = blocks_of(layout, gathered.levels, MAX_TEXT)
    terms = analyzer(spoken).counts(f"{title}\n{text}")
    noindex, nofollow = directives(
        head.robots, (value for name, value in response.headers if name.lower() == "x-robots-tag")
    )
    return Page(
        url=response.url,
        title=title,
        description=head.description,
        keywords=head.keywords,
        headings=tuple(block.heading for block in blocks if block.heading),
        text=text,
        terms=terms,
        blocks=blocks,
        links=_links_of(response.url, base, gathered, layout),
        images=_images_of(base, gathered.images),
        language=spoken,
        canonical=_canonical_of(response.url, base, head.canonical),
        charset=charset,
        simhash=simhash(terms),
        term_digests=term_digests(terms),
        noindex=noindex,
        nofollow=nofollow,
        needs_scripts=shows_nothing(gathered, layout.text),
        published=publication(response, head.dates),
    )


def parse_guarded(response: Response, language: str = "") -> Page:
    """The same, for what nobody foresaw: a page on which the parser fails has a `problem`, and nothing else."""
    try:
        return parse(response, language)
    except Exception as error:
        return unread(response.url, f"{type(error).__name__}: {error}")


def unread(url: str, problem: str) -> Page:
    """What is left of a page that could not be read."""
    return Page(url=url, problem=problem[:MOST_PROBLEM])


def _layout_of(gathered: PageNodes) -> text_positions.TextLayout:
    """Where things stand. Should marks have been lost in the tree, nobody knows, and the links go without a place."""
    layout = text_positions.read(gathered.text)
    if (len(layout.links), len(layout.headings)) != (len(gathered.links), len(gathered.levels)):
        gathered.levels.clear()
        return text_positions.TextLayout(layout.text, [NOWHERE] * len(gathered.links), [])
    return layout


def _base_of(url: str, href: str) -> Base:
    """What links are relative to: `<base href>`, itself relative to the page."""
    base = Base(url)
    if href and not isinstance(resolved := base.resolve(href), Malformed):
        return Base(resolved)
    return base


def _canonical_of(url: str, base: Base, href: str) -> str:
    resolved = base.resolve(href) if href else url
    return "" if isinstance(resolved, Malformed) or resolved == url else resolved


def _links_of(url: str, base: Base, gathered: PageNodes, layout: text_positions.TextLayout) -> tuple[Link, ...]:
    links = LinkList(url, base, layout.text)
    head = gathered.head
    if head.canonical:
        links.add(FoundLink("canonical", head.canonical))
    if head.refresh:
        links.add(FoundLink("refresh", head.refresh))
    for found, span in zip(gathered.links, layout.links, strict=True):
        if span.inside:
            alts = (gathered.images[number][1] for number in span.inside)
            found.title = " ".join(filter(None, (found.title, *alts)))[:MAX_TITLE]
        links.add(found, span)
    for found in gathered.loose:
        links.add(found)
    for href, title in head.feeds:
        links.add(FoundLink("feed", href, title))
    return links.done()


def _images_of(base: Base, images: list[tuple[str, str]]) -> tuple[Image, ...]:
    """Images with a URL one could ask for, each once, with the first alt text that says something."""
    alts: dict[str, str] = {}
    for src, alt in images:
        if src and isinstance(url := base.resolve(src), str):
            alts[url] = alts.get(url) or alt
    return tuple(Image(url, alt) for url, alt in alts.items())
