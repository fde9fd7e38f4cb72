"""Answers that follow from others, for every library: written once, whatever it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from heapq import nlargest

from scenthound import urls
from scenthound.library.stored_pages import main_text_of
from scenthound.model import Link, MainText
from scenthound.protocols.library import Library
from scenthound.protocols.records import CutFile, StoredPage, Version, WayStep

MOST_COMPARED = 2000


class DerivedAnswers:
    """A part of a library that has all the others: see the protocols for what each answer is."""

    # Answers

    def mend_archive(self) -> list[CutFile]:
        return []  # of a library without files

    # Texts

    def main_text(self: Library, url: str) -> MainText | None:
        stored = self.page(url)
        return main_text_of(self, stored) if stored is not None else None

    # Links

    def backlinks(self: Library, url: str) -> Iterator[Link]:
        for source in self.linking(url):
            yield from (link for link in self.outlinks(source) if link.url == url)

    def holders(self: Library, url: str) -> list[Link]:
        return list({link.source: link for link in self.backlinks(url)}.values())

    # Decisions

    def way(self: Library, url: str) -> list[WayStep]:
        steps: list[WayStep] = []
        met: set[str] = set()
        while url and url not in met and (row := self.url_row(url)) is not None:
            met.add(url)
            page = self.page(url)
            steps.append(
                WayStep(
                    link=row.link,
                    state=row.state,
                    reason=row.reason,
                    priority=row.priority,
                    depth=row.depth,
                    title=page.title if page else "",
                    relevance=page.relevance if page else None,
                    first_relevance=page.first_relevance if page else None,
                )
            )
            url = row.link.source
        return steps[::-1]

    def near(self: Library, url: str, n: int = 3) -> list[str]:
        known = self.urls_of_host(urls.host(url), MOST_COMPARED)
        spelled = [twin for twin in _twins(url) if self.url_row(twin) is not None]
        matcher = SequenceMatcher(b=url, autojunk=False)

        def likeness(other: str) -> float:
            matcher.set_seq1(other)
            return matcher.quick_ratio()

        return list(dict.fromkeys([*spelled, *nlargest(n, known, key=likeness)]))[:n]

    # Time

    def version_at(self: Library, url: str, at: float) -> Version | None:
        return next((version for version in reversed(self.versions(url)) if version.content and version.at <= at), None)

    def before(self: Library, url: str, version: Version) -> Version | None:
        return next(
            (older for older in reversed(self.versions(url)) if older.content and older.seq < version.seq), None
        )

    def new_pages(
        self: Library, since: float, *, relevant: bool = False, best: bool = False, limit: int = 0
    ) -> Iterator[StoredPage]:
        found = [page for page in self.pages(relevant=relevant, since=since) if page.first_at >= since]
        found.sort(key=lambda page: -page.relevance if best else -page.first_at)
        yield from found[: limit or None]

    def count_new_pages(self: Library, since: float, *, relevant: bool = False) -> int:
        return sum(page.first_at >= since for page in self.pages(relevant=relevant, since=since))

    # Figures

    def harvest_curve(self: Library, cells: int) -> list[float]:
        counted = [each for _, each in self.harvest()]
        width = max(1, -(-len(counted) // cells))
        stretches = (counted[start : start + width] for start in range(0, len(counted), width))
        return [round(sum(stretch) / len(stretch), 4) for stretch in stretches]


def _twins(url: str) -> list[str]:
    """The same address as people mistype it: other scheme, with or without www, with or without the last slash."""
    scheme, _, rest = url.partition("://")
    schemes = (scheme, "http" if scheme == "https" else "https")
    names = (rest, rest.removeprefix("www.") if rest.startswith("www.") else f"www.{rest}")
    spellings = [f"{s}://{n}" for s in schemes for n in names]
    spellings += [each.rstrip("/") if each.endswith("/") else f"{each}/" for each in spellings]
    return [each for each in spellings if each != url and urls.canonical(each) == each]
