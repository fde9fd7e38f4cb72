"""What a crawl may follow: the rules of its settings, and what holds besides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scenthound.model import Link
from scenthound.scope.conditions import Condition, DepthLimit, InAllowRule, InLanguages, NotInDenyRule, OnlyWebPages
from scenthound.scope.grammar import parse


class Scope:
    """A link is followed if it meets all conditions; the first that it does not meet gives the reason.

    `allow`, `deny`, `depth` (0 = no limit), `html_only`, `want` and `languages` are as in the settings. Conditions of
    another kind of crawl come before these or after: `first`, `also`. `language` is that of links found on no page,
    such as redirects, and of pages that do not say theirs.
    """

    def __init__(
        self,
        allow: str = "",
        deny: str = "",
        depth: int = 0,
        language: str = "",
        html_only: bool = False,
        *,
        first: Sequence[Condition] = (),
        also: Sequence[Condition] = (),
        want: frozenset[str] = frozenset(),
        languages: Sequence[str] = (),
    ) -> None:
        self.language = language
        self.conditions = (*first, *_of_settings(allow, deny, depth, html_only, want, languages), *also)
        self.by_url_alone = all(condition.by_url_alone for condition in self.conditions)
        self.minds_depth = any(condition.minds_depth for condition in self.conditions)

    def refuses(self, link: Link, depth: int, language: str = "") -> str | None:
        """Why the link is not followed, or None. `language` is that of the page it stands on."""
        try:
            for condition in self.conditions:
                if (reason := condition(link, depth, language or self.language)) is not None:
                    return reason
        except Exception as error:  # fails closed, whatever it was
            return f"scope: a rule failed ({type(error).__name__}: {error})"
        return None


def _of_settings(
    allow: str, deny: str, depth: int, html_only: bool, want: frozenset[str], languages: Sequence[str]
) -> Iterator[Condition]:
    if depth:
        yield DepthLimit(depth)
    if html_only:
        yield OnlyWebPages(want)
    if languages:
        yield InLanguages(frozenset(language.lower().partition("-")[0] for language in languages))
    if allow.strip():
        yield InAllowRule(parse(allow))
    if deny.strip():
        yield NotInDenyRule(parse(deny))
