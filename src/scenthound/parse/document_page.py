"""A document as a page that is judged, searched and exported like any other."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from scenthound import urls
from scenthound.model import Block, Link, Page, Response
from scenthound.parse.document import Document, reader_for
from scenthound.parse.head import collapse, language_of
from scenthound.parse.links import FoundLink, LinkList
from scenthound.parse.page_limits import MAX_TEXT
from scenthound.parse.publication import publication
from scenthound.parse.robots import directives
from scenthound.parse.text_positions import Span
from scenthound.text.analysis import analyzer
from scenthound.text.page_language import page_language
from scenthound.text.simhash import simhash

_DESCRIPTION = 500  # characters


def document_page(response: Response, name: str, language: str = "") -> Page:
    """The page of a document in the format `name`."""
    document = read_document(response, name)
    title = collapse(document.title) or file_title(response.url)
    blocks = tuple(_blocks(document))
    text = "\n\n".join(block.text for block in blocks)[:MAX_TEXT]
    stated = document.language or language_of(response.header("content-language"))
    spoken = page_language(f"{title}\n{text}", stated, language)
    terms = analyzer(spoken).counts(f"{title}\n{text}")
    noindex, nofollow = directives(
        (), (value for header, value in response.headers if header.lower() == "x-robots-tag")
    )
    return Page(
        url=response.url,
        title=title,
        description=collapse(document.description[:_DESCRIPTION]),
        headings=tuple(block.heading for block in blocks if block.heading),
        text=text,
        terms=terms,
        blocks=blocks,
        links=_links(response.url, document, blocks, text),
        language=spoken,
        charset=document.charset,
        simhash=simhash(terms),
        noindex=noindex,
        nofollow=nofollow,
        published=publication(response),
    )


def read_document(response: Response, name: str) -> Document:
    """What a reader finds in it; nothing where the format has no reader."""
    reader = reader_for(name)
    return reader.read(response) if reader is not None else Document()


def file_title(url: str) -> str:
    """What a file is called, in words: `fern counts 2024` of `/data/fern_counts-2024.csv`."""
    name = unquote(urls.path(url).rpartition("/")[2]).removesuffix(f".{urls.extension(url)}")
    return collapse(name.replace("_", " ").replace("-", " ").replace("+", " ")) or urls.host(url)


def _blocks(document: Document) -> Iterator[Block]:
    room = MAX_TEXT
    for part in document.parts:
        heading = collapse(part.heading)
        text = (f"{heading}\n{part.text}" if heading else part.text).strip()[:room]
        room -= len(text)
        yield Block(heading, part.level if heading else 0, text)
        if room <= 0:
            return


def _links(url: str, document: Document, blocks: tuple[Block, ...], text: str) -> tuple[Link, ...]:
    """Each with the words around it, where its anchor is found in its part."""
    starts, place = [], 0
    for block in blocks:
        starts.append(place)
        place += len(block.text) + 2
    links, reached = LinkList(url, urls.Base(url), text), 0
    for link in document.links:
        if link.part >= len(blocks):
            continue
        start, end = starts[link.part], starts[link.part] + len(blocks[link.part].text)
        found = text.find(link.anchor, max(start, reached), end) if link.anchor else -1
        if found >= 0:
            reached = found
            links.add(FoundLink("a", link.href), Span(found, found + len(link.anchor), link.part))
        else:
            links.add(FoundLink("a", link.href, anchor=link.anchor))
    return links.done()
