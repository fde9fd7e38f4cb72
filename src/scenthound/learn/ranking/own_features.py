"""What a page says of its links, a row of numbers for each: the features that stay, whatever else is learned.

| column | what |
|---|---|
| anchor, context, heading, address | share of the keywords: in the anchor, around it, over its list, in its URL |
| inherited | for links in lists: keywords in title and heading, and in the anchors that led to the page |
| address alone, short address | keywords of URLs that say little else; fewer folders in the URL |
| another folder | whether the page is outside the link's folder: else the link is a part of something |
| near | fewer hops from a start page |
| kind | whether the anchor names a kind of what the topic is about, or a person where people are wanted |
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from math import exp

import numpy as np

from scenthound import urls
from scenthound.learn.ranking.link_evidence import Values
from scenthound.learn.ranking.link_texts import Coverage, LinkReader, LinkTexts
from scenthound.learn.ranking.page_parts import lead_out
from scenthound.learn.ranking.people_links import PeopleLinks
from scenthound.learn.relevance.link_words import Words
from scenthound.model import Link, Page
from scenthound.text.analysis import analyzer

COLUMNS = (
    "anchor", "context", "heading", "address", "inherited", "address alone", "short address", "another folder", "near",
    "kind",
)  # fmt: skip

OF_ADDRESS = [COLUMNS.index(name) for name in ("address", "address alone", "short address")]
"""Columns that a link has from its URL alone, whichever page shows it."""

DENSE, STEEPNESS = 0.5, 8.0
"""From which share of link text on a block is a list, and how sharply."""

DEEPEST, FARTHEST = 6, 3


class OwnFeatures:
    def __init__(
        self,
        language: str,
        keywords: Mapping[str, float],
        kinds: Callable[[Words], float] | None = None,
        *,
        of_people: bool = False,
    ) -> None:
        """`keywords`: terms of the topic and their weights; `kinds`: whether words name a kind of these; `of_people`:
        whether people are wanted."""
        self.read = LinkReader(language)
        self._cover = Coverage(keywords)
        self._kinds = kinds
        self._people = PeopleLinks(language) if of_people else None

    def __call__(
        self,
        page: Page,
        links: Sequence[Link],
        texts: LinkTexts,
        depth: int,
        led: float,
        met: Container[int] = frozenset(),
    ) -> Values:
        """Of some of the page's links. `depth`: theirs; `led`: share of the keywords in the anchors that led here.

        `met`: numbers of links that were met before. What their addresses say is known, and stands as the least.
        """
        cover, silent = self._cover, self._is_silent(page)
        values = np.zeros((len(links), len(COLUMNS)), np.float32)
        if read := [number for number, link in enumerate(links) if not silent or not link.context]:
            values[read, 0] = [cover(words) for words in texts.anchors(read)]
            values[read, 1] = [cover(words) for words in texts.contexts(read)]
        if led or not silent:
            last = max(len(page.blocks) - 1, 0)
            blocks = [min(link.block, last) for link in links]
            headings = {
                block: 0.0 if silent else cover(self.read.words(_heading(page, block))) for block in set(blocks)
            }
            inherited = self._inherited(page, headings, led, silent)
            values[:, 2] = [headings[block] for block in blocks]
            values[:, 4] = [inherited[block] for block in blocks]
        values[:, OF_ADDRESS] = -np.inf
        if new := [number for number in range(len(links)) if number not in met]:
            addresses = texts.addresses(new)
            values[new, 3] = [cover(words) for words in addresses]
            values[new, 5] = [cover.closeness(words) for words in addresses]
            values[new, 6] = [-min(urls.path(links[number].url).count("/"), DEEPEST) for number in new]
        values[:, 7] = _lead_out(page, links)
        values[:, 8] = -min(depth, FARTHEST)
        if self._kinds is not None:
            values[:, 9] = list(map(self._kinds, texts.anchors(range(len(links)))))
        if self._people is not None:
            values[:, 9] = np.maximum(values[:, 9], self._people(page.links, links))
            # Neither a person nor a list of them is a part of the page, though it may lie in its folder.
            values[:, 7] = np.maximum(values[:, 7], (values[:, 9] > 0) | (values[:, 0] > 0))
        return values

    def kind_in_words(self, anchor: str, kind: float) -> str:
        """What a link with this text has its `kind` from."""
        if self._people is None or not kind or (self._kinds is not None and self._kinds(self.read.words(anchor))):
            return "its text names a kind of what the topic is about"
        return self._people.in_words(anchor, kind)

    def _is_silent(self, page: Page) -> bool:
        """Whether nothing that a reader sees on the page names the topic, so that its parts need not be read."""
        reader = self.read.analyzer
        return bool(page.terms) and self._cover.names_none(page.terms) and analyzer(page.language) is reader

    def _inherited(self, page: Page, headings: Mapping[int, float], led: float, silent: bool) -> dict[int, float]:
        """Of each of these blocks, what its links have from it: the more its words are those of links, the more."""
        title = 0.0 if silent else self._cover(self.read.words(page.title))
        about = {block: title + led + heading for block, heading in headings.items()}
        last = max(len(page.blocks) - 1, 0)
        words_in_links = {block: 0 for block, said in about.items() if said}  # of the others nothing is inherited
        for link in page.links if words_in_links else ():
            if (block := min(link.block, last)) in words_in_links:
                words_in_links[block] += len(link.anchor.split())
        found = dict.fromkeys(headings, 0.0)
        for block, in_links in words_in_links.items():
            text = page.blocks[block].text if page.blocks else page.text
            density = min(1.0, in_links / (text.count(" ") + 1)) if in_links else 0.0
            found[block] = about[block] / 3 / (1.0 + exp(-STEEPNESS * (density - DENSE)))
        return found


def _lead_out(page: Page, links: Sequence[Link]) -> list[bool]:
    """Of some of a page's links, as all of them together say whether the page has parts."""
    if not links:
        return []
    shown = [link.url for link in page.links]
    out = dict(zip(shown, lead_out(page.url, shown), strict=True))
    return [out.get(link.url, True) for link in links]


def _heading(page: Page, block: int) -> str:
    return page.blocks[block].heading if page.blocks else ""
