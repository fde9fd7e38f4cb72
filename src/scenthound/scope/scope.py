"""What a crawl may follow: the rules of its settings, and what holds besides."""

from __future__ import annotations

from scenthound import urls
from scenthound.model import Link
from scenthound.scope.grammar import parse
from scenthound.scope.rules import Or, minds_depth


class Scope:
    """What a crawl may follow: all that `allow` holds for, `deny` does not, and that is not too deep.

    With `html_only`, files that are no web pages by their ending are refused besides, which saves asking for them.
    `language` is that of links found on no page, such as redirects, and of pages that do not say theirs.
    """

    by_url_alone = True
    """Whether links with one URL fare alike on all pages of one language, at one depth."""

    def __init__(
        self, allow: str = "", deny: str = "", depth: int = 0, language: str = "", html_only: bool = False
    ) -> None:
        self.allow = parse(allow)
        self.deny = parse(deny) if deny.strip() else None
        self.depth = depth  # hops from a seed at most; 0 = no limit
        self.language = language
        self.html_only = html_only
        self.minds_depth = bool(depth) or any(minds_depth(rule) for rule in (self.allow, self.deny))

    def refuses(self, link: Link, depth: int, language: str = "") -> str | None:
        """Why the link is not followed, or None. `language` is that of the page it stands on."""
        try:
            return self._refuses(link, depth, language or self.language)
        except Exception as error:  # fails closed, whatever it was
            return f"scope: a rule failed ({type(error).__name__}: {error})"

    def _refuses(self, link: Link, depth: int, language: str) -> str | None:
        url = link.url
        if self.depth and depth > self.depth:
            return f"depth over {self.depth}"
        if self.html_only and (kind := urls.file_type(url)) != "html" and link.kind not in ("feed", "sitemap"):
            return f"scope: no web page but {kind} (.{urls.extension(url)})"
        if not self.allow(url, depth, language):
            return "scope: not in allow rule"
        if self.deny is not None:
            for rule in self.deny.rules if isinstance(self.deny, Or) else (self.deny,):
                if rule(url, depth, language):
                    return f"scope: deny rule {rule}"
        return None
