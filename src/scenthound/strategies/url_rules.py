from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from math import isfinite
from typing import ClassVar
from urllib.parse import quote

from scenthound.errors import ConfigError, ScopeError
from scenthound.model import Link, Ranked, Topic, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy
from scenthound.scope.grammar import parse

Test = Callable[[str, int, str], object]
"""Does it fit a URL, so many hops from a seed, on a page in this language?"""

_SCOPE_RULE = re.compile(r"\(|not\s|[a-z]+:(?!//)")


@strategy("url-rules")
@dataclass
class UrlRules:
    """URL patterns decide (Mali 5, the URL-based crawler).

    Believes that sites are tidy: that where a page lies says what it is about.

        priority = weight of the first rule that fits the URL, or else default

    | symbol | parameter |
    |---|---|
    | rules | `rules`: a list of `"pattern -> weight"`, tried in order |
    | default | `default`: the weight of a URL that no rule fits |

    A pattern is the whole URL, `*` standing for anything, in upper or lower case; or a rule as in `[scope]`, with
    `site:`, `host:`, `path:`, `depth:` ..., and `match:` for regular expressions, combined with `and`, `or`, `not`:

        strategy = { name = "url-rules", rules = [
            "*/print/* -> -1",
            "*dengue* -> 1",
            "host:*.edu and path:/medicine -> 0.5",
            'match:"/article/[0-9]+" -> 0.3',
        ] }

    Without rules the topic's keywords are the rules: a URL that holds all words of a keyword, in their order, has the
    weight of the keyword, the heaviest first.
    """

    published: ClassVar[Presets] = {"mali": {}}

    rules: Sequence[str] = ()
    default: float = 0.0
    tests_: list[tuple[Test, float]] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        if isinstance(self.rules, str) or not all(isinstance(rule, str) for rule in self.rules):
            raise ValueError('rules must be a list, such as ["*/health/* -> 1", "*/shop/* -> -1"]')
        if not isfinite(self.default):
            raise ValueError("default must be a number")
        self.tests_ = [_read(rule) for rule in self.rules]

    def begin(self, context: Context) -> None:
        if not self.rules:
            self.tests_ = _of_keywords(context.topic)
        if not self.tests_:
            raise ConfigError(
                'The strategy "url-rules" has neither rules nor keywords to make them of. Give it some: '
                'strategy = { name = "url-rules", rules = ["*/health/* -> 1"] }.'
            )

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        depth, language = visit.depth + 1, visit.page.language
        return [Ranked(link=link, priority=self._weigh(link, depth, language)) for link in visit.page.links]

    def _weigh(self, link: Link, depth: int, language: str) -> float:
        return next((weight for fits, weight in self.tests_ if fits(link.url, depth, language)), float(self.default))


def _read(rule: str) -> tuple[Test, float]:
    """`pattern -> weight`, ready to be asked."""
    pattern, arrow, number = (part.strip() for part in rule.rpartition("->"))
    try:
        weight = float(number)
    except ValueError:
        weight = float("nan")
    if not arrow or not pattern or not isfinite(weight):
        raise ValueError(f'the rule {rule!r} is not understood; write it as "*/health/* -> 1"')
    if not _SCOPE_RULE.match(pattern):
        return _glob(pattern), weight
    try:
        return parse(pattern), weight
    except ScopeError as error:
        raise ValueError(f"in the rule {rule!r}: {error}") from error


def _glob(pattern: str) -> Test:
    """Only `*` is special: `?` and `[` stand in URLs as themselves."""
    plain = pattern.replace("[", "[[]").replace("?", "[?]")
    fits = re.compile(translate(plain), re.IGNORECASE).match
    return lambda url, depth, language: fits(url)


def _of_keywords(topic: Topic) -> list[tuple[Test, float]]:
    words = [(keyword.term.split(), keyword.weight) for keyword in topic.keywords]
    heaviest = sorted((found for found in words if found[0]), key=lambda found: -found[1])
    return [(_glob(f"*{'*'.join(quote(word) for word in parts)}*"), weight) for parts, weight in heaviest]
