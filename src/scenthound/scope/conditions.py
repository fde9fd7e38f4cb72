"""Conditions that a link must meet to be followed. One that is not met says why.

A rule (see `rules`) says yes or no to a URL; a condition also sees the link's kind and the page it stands on. Whoever
needs one of their own derives it from `Condition` and hands it to a `Scope`.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from scenthound import urls
from scenthound.model import Link
from scenthound.scope.rules import Or, Rule, minds_depth


class Condition(Struct, frozen=True):
    """Says why a link is not followed, or None. `language` is that of the page it stands on."""

    by_url_alone: ClassVar[bool] = True
    """Whether links with one URL fare alike on all pages of one language, at one depth."""

    @property
    def minds_depth(self) -> bool:
        return False

    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        raise NotImplementedError


class DepthLimit(Condition, frozen=True):
    """So many hops from a seed at most."""

    hops: int

    @property
    def minds_depth(self) -> bool:
        return True

    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        return f"depth over {self.hops}" if depth > self.hops else None


class OnlyWebPages(Condition, frozen=True):
    """No file that is none by its ending, which saves asking for it. Feeds and sitemaps are read, too.

    `besides`: endings, or kinds of files, that are let through.
    """

    besides: frozenset[str] = frozenset()

    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        if (kind := urls.file_type(link.url)) == "html" or link.kind in ("feed", "sitemap") or kind in self.besides:
            return None
        ending = urls.extension(link.url)
        return None if ending in self.besides else f"scope: no web page but {kind} (.{ending})"


class InLanguages(Condition, frozen=True):
    """Only links to pages in these languages: by the URL where it names one, else by the page a link stands on."""

    languages: frozenset[str]

    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        if not link.source or (spoken := urls.language(link.url) or language.partition("-")[0]) in self.languages:
            return None
        return f"scope: in another language ({spoken or 'unknown'})"


class InAllowRule(Condition, frozen=True):
    rule: Rule

    @property
    def minds_depth(self) -> bool:
        return minds_depth(self.rule)

    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        return None if self.rule(link.url, depth, language) else "scope: not in allow rule"


class NotInDenyRule(Condition, frozen=True):
    rule: Rule

    @property
    def minds_depth(self) -> bool:
        return minds_depth(self.rule)

    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        for rule in self.rule.rules if isinstance(self.rule, Or) else (self.rule,):
            if rule(link.url, depth, language):
                return f"scope: deny rule {rule}"
        return None
