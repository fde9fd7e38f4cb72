"""The pages found, in groups of like content, each named by the words that tell it from the others.

Groups are made of the best pages that count as relevant, a few thousand at most: what a library is for. They follow
from these pages alone, so that a copy of a library has the same groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from scenthound.export import site_clusters
from scenthound.library.best_pages import best_pages
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage
from scenthound.text.analysis import analyzer
from scenthound.text.as_written import as_written

MOST_PAGES = 2_000
READ = 20_000  # characters of a page
SHOWN = 4
NAMED_AFTER = 40
"""Pages of a group whose spelling its name follows."""


class GroupPage(Struct, frozen=True):
    url: str
    title: str
    relevance: float


class PageGroup(Struct, frozen=True):
    name: str
    pages: int
    hosts: dict[str, int]  # those with most of its pages
    best: list[GroupPage]
    members: frozenset[str]  # URLs


class PageGroups(Struct, frozen=True):
    groups: list[PageGroup]  # the largest first
    grouped: int  # pages that were looked at
    whole: int  # pages that count as relevant

    def named(self, name: str) -> frozenset[str] | None:
        """The URLs of a group; None: there is no such group."""
        return next((group.members for group in self.groups if group.name == name), None)

    def group_of(self, url: str) -> str:
        return next((group.name for group in self.groups if url in group.members), "")


def page_groups(library: Library) -> PageGroups:
    pages = [page for page in best_pages(library, MOST_PAGES) if not page.noindex]
    texts = [f"{page.title}\n{(library.text(page.url) or '')[:READ]}" for page in pages]
    terms = [_terms(text, page.language) for text, page in zip(texts, pages, strict=True)]
    groups = []
    for telling, members in site_clusters.clusters(terms):
        written = "\n".join(texts[number] for number in members[:NAMED_AFTER])
        groups.append(_group(telling, [pages[number] for number in members], written))
    return PageGroups(groups, len(pages), library.page_totals().relevant)


def _terms(text: str, language: str) -> dict[str, int]:
    counted = analyzer(language).counts(text)
    return dict(sorted(counted.items(), key=lambda term: (-term[1], term[0]))[: site_clusters.TERMS])


def _group(terms: Sequence[str], pages: list[StoredPage], written: str) -> PageGroup:
    spelt = as_written(terms, written, pages[0].language)
    return PageGroup(
        name=", ".join(dict.fromkeys(spelt[term] for term in terms)) or "others",
        pages=len(pages),
        hosts=dict(Counter(page.host for page in pages).most_common(SHOWN)),
        best=[GroupPage(page.url, page.title, page.relevance) for page in pages[:SHOWN]],
        members=frozenset(page.url for page in pages),
    )
