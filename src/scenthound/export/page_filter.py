"""Which pages of a library are taken: by what is known of a page first, by its main text last, which costs more."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from scenthound import urls
from scenthound.errors import UsageError
from scenthound.model import Label, MainText
from scenthound.parse.usage_preferences import USES, UsagePreferences
from scenthound.protocols.records import StoredPage
from scenthound.registry import nearest
from scenthound.text.text_quality import repetition, words_per_link

YES, NO = "yes", "no"
"""How a label is written, as `scenthound label --to` writes it. A page without one has an empty text."""


class PageFilter(Struct, frozen=True):
    """What a page must be to be taken; as it is, all are."""

    relevant: bool = False  # counts as found: over the threshold, and no repetition of another
    relevance: float = 0.0  # at least
    since: float = 0.0  # unix times of the last fetch
    until: float = 0.0
    languages: tuple[str, ...] = ()  # codes: en, de
    hosts: tuple[str, ...] = ()  # or sites: www.example.org, example.org
    label: str = ""  # yes or no
    unique: bool = False  # of pages that repeat each other the first
    words: int = 0  # of the main text, at least
    most_words: int = 0
    repetition: float = 1.0  # at most: see text.text_quality
    boilerplate: float = 1.0  # share of the page that is not main text, at most
    words_per_link: float = 0.0  # at least
    respect: tuple[str, ...] = ()  # uses that the owner of a page must not have refused: see parse.usage_preferences

    def check(self) -> PageFilter:
        """The same filter; a person's slip is answered with what is meant."""
        if self.label not in ("", YES, NO):
            raise UsageError(f"A label is yes or no, not {self.label!r}. Write --label yes.")
        for use in self.respect:
            if use not in USES:
                raise UsageError(f"There is no use {use!r} to respect. {nearest(use, USES, 'There are')}")
        for name in ("relevance", "repetition", "boilerplate"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise UsageError(f"{name} is a share between 0 and 1, not {getattr(self, name):g}.")
        return self

    def takes(
        self,
        page: StoredPage,
        label: Callable[[StoredPage], Label | None],
        text: Callable[[StoredPage], MainText],
        usage: Callable[[StoredPage], UsagePreferences],
    ) -> bool:
        return (
            self._takes_page(page)
            and self._takes_label(label, page)
            and not (self.respect and any(map(usage(page).refuses, self.respect)))
            and self._takes_text(text, page)
        )

    def _takes_page(self, page: StoredPage) -> bool:
        return (
            (page.counts or not self.relevant)
            and page.relevance >= self.relevance
            and page.fetched_at >= self.since
            and (not self.until or page.fetched_at <= self.until)
            and (not self.languages or _language(page.language) in map(_language, self.languages))
            and (not self.hosts or any(_on(page, host.lower()) for host in self.hosts))
        )

    def _takes_label(self, label: Callable[[StoredPage], Label | None], page: StoredPage) -> bool:
        if not self.label:
            return True
        said = label(page)
        return said is not None and said.relevant == (self.label == YES)

    def _takes_text(self, text: Callable[[StoredPage], MainText], page: StoredPage) -> bool:
        if not (self.words or self.most_words or self.words_per_link or min(self.repetition, self.boilerplate) < 1):
            return True
        main = text(page)
        return (
            main.words >= self.words
            and (not self.most_words or main.words <= self.most_words)
            and (self.boilerplate >= 1 or main.boilerplate <= self.boilerplate)
            and (not self.words_per_link or words_per_link(main.markdown, main.words) >= self.words_per_link)
            and (self.repetition >= 1 or repetition(main.markdown) <= self.repetition)
        )


def _language(code: str) -> str:
    return code.lower().replace("_", "-").partition("-")[0]


def _on(page: StoredPage, host: str) -> bool:
    return page.host == host or page.host.endswith(f".{host}") or urls.site(page.url) == host
