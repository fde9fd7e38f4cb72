"""Pages in other languages than those that a crawl stays in are not what it looks for."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from scenthound.model import Page
from scenthound.protocols.crawl import Judge


class InLanguageJudge:
    """A judge around another one: 0 for a page in a language that is not wanted. Hooks and attributes are its own."""

    def __init__(self, judge: Judge, languages: Collection[str]) -> None:
        self.judge = judge
        self.languages = languages

    def __call__(self, page: Page) -> float:
        return self.judge(page) if page.language.partition("-")[0] in self.languages else 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.judge, name)


def in_languages(judge: Judge, languages: Collection[str]) -> Judge:
    """The judge, kept to some languages; as it is where none are named."""
    return InLanguageJudge(judge, frozenset(languages)) if languages else judge
