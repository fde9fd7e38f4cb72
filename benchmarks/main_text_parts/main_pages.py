"""Pages of a recorded web as they would be if their main text were all of them: what judge and search could go by."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin

from msgspec import Struct
from msgspec.structs import replace

from scenthound import urls
from scenthound.fetch.fetcher_for import recording
from scenthound.lab.judges.web_pages import WebPages
from scenthound.lab.webs import Web
from scenthound.learn.relevance.page_words import LEAD_BLOCK
from scenthound.model import Block, Link, Page, Response
from scenthound.parse.charset import to_utf8
from scenthound.parse.content_tree import ContentTree, Element
from scenthound.parse.main_content import main_content
from scenthound.parse.main_text import MAX_SOURCE
from scenthound.text.analysis import analyzer

_heading = re.compile(r"h[1-6]").fullmatch
_spaces = re.compile(r"\s+")


class MainParts(Struct, frozen=True):
    """What of a page is main text."""

    text: str
    headings: tuple[str, ...]
    linked: frozenset[str]  # URLs that links in it lead to


class MainTexts:
    """Of the pages of one recording, each made once."""

    def __init__(self, warc: Path) -> None:
        self._answers = recording([warc])
        self._made: dict[str, MainParts] = {}

    def of(self, url: str) -> MainParts:
        if url not in self._made:
            answer = self._answers.answer(Link(url))
            self._made[url] = parts_of(answer) if isinstance(answer, Response) else MainParts("", (), frozenset())
        return self._made[url]


def parts_of(response: Response) -> MainParts:
    tree = main_content(to_utf8(response.body[:MAX_SOURCE], response.header("content-type"))[0])
    elements = [element for element in tree.elements() if tree.keeps(element)]
    linked = (urls.canonical(_joined(response.url, each.value)) for each in elements if each.tag == "a" and each.value)
    return MainParts(
        text=_text(tree, tree.root),
        headings=tuple(_text(tree, each) for each in elements if _heading(each.tag)),
        linked=frozenset(url for url in linked if isinstance(url, str)),
    )


def _text(tree: ContentTree, element: Element) -> str:
    inside = range(element.first, element.end)
    return _spaces.sub(" ", " ".join(tree.texts[number] for number in inside if tree.kept[number])).strip()


def _joined(base: str, link: str) -> str:
    try:
        return urljoin(base, link.strip())
    except ValueError:
        return ""


class PagesOfMainText(WebPages):
    """`lead_alone`: a page stays whole, but what it begins with is the beginning of its main text."""

    def __init__(self, web: Web, main: MainTexts, lead_alone: bool = False) -> None:
        super().__init__(web)
        self._main = main
        self._lead_alone = lead_alone
        self._changed: dict[tuple[str, str], Page] = {}

    def page(self, url: str, language: str) -> Page | None:
        whole = super().page(url, language)
        if whole is None:
            return None
        key = whole.url, language
        if key not in self._changed:
            self._changed[key] = self._from_main_text(whole, language)
        return self._changed[key]

    def _from_main_text(self, page: Page, language: str) -> Page:
        main = self._main.of(page.url)
        if self._lead_alone:
            return replace(page, blocks=(Block("", 0, main.text),)) if len(main.text) > LEAD_BLOCK else page
        return replace(
            page,
            text=main.text,
            terms=analyzer(page.language or language).counts(f"{page.title}\n{main.text}"),
            headings=main.headings,
            blocks=(),
            links=tuple(link for link in page.links if link.url in main.linked),
        )
