"""Rules, each a value that says yes or no to a link."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from scenthound import urls
from scenthound.errors import ScopeError

MAX_PATTERN = 500
MAX_REPETITIONS = 3

_PLAIN = re.compile(r'[^\s()"]+')
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}


class Rule(Struct, frozen=True):
    """Says whether a link to `url`, `depth` hops from a seed, on a page in `language`, is meant."""

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        raise NotImplementedError


class Everything(Rule, frozen=True):
    """The empty rule."""

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        return True

    def __str__(self) -> str:
        return ""


class Site(Rule, frozen=True):
    name: str

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        return urls.site(url) == self.name

    def __str__(self) -> str:
        return f"site:{_quote(self.name)}"


class Host(Rule, frozen=True):
    pattern: str

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        host = urls.host(url)
        if ":" not in self.pattern and "]" not in host:
            host = host.partition(":")[0]
        return host == self.pattern or ("*" in self.pattern and _like(host, self.pattern))

    def __str__(self) -> str:
        return f"host:{_quote(self.pattern)}"


class Path(Rule, frozen=True):
    pattern: str

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        path = urls.path(url)
        return _like(path, self.pattern) if "*" in self.pattern else path.startswith(self.pattern)

    def __str__(self) -> str:
        return f"path:{_quote(self.pattern)}"


class Depth(Rule, frozen=True):
    sign: str
    hops: int

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        return _COMPARE[self.sign](depth, self.hops)

    def __str__(self) -> str:
        return f"depth:{self.sign}{self.hops}"


class Scheme(Rule, frozen=True):
    name: str

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        return url.startswith(f"{self.name}://")

    def __str__(self) -> str:
        return f"scheme:{self.name}"


class Match(Rule, frozen=True):
    pattern: str

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        return bool(regex(self.pattern).search(url))

    def __str__(self) -> str:
        return f"match:{_quote(self.pattern, always=True)}"


class Language(Rule, frozen=True):
    code: str

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        return (urls.language(url) or language.partition("-")[0]) == self.code

    def __str__(self) -> str:
        return f"language:{self.code}"


class Type(Rule, frozen=True):
    name: str  # a kind of file, or an ending

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        return self.name in (urls.file_type(url), urls.extension(url))

    def __str__(self) -> str:
        return f"type:{self.name}"


class Not(Rule, frozen=True):
    rule: Rule

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        return not self.rule(url, depth, language)

    def __str__(self) -> str:
        return f"not {_within(self.rule, And, Or)}"


class And(Rule, frozen=True):
    rules: tuple[Rule, ...]

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        return all(rule(url, depth, language) for rule in self.rules)

    def __str__(self) -> str:
        return " and ".join(_within(rule, And, Or) for rule in self.rules)


class Or(Rule, frozen=True):
    rules: tuple[Rule, ...]

    def __call__(self, url: str, depth: int, language: str = "") -> bool:
        return any(rule(url, depth, language) for rule in self.rules)

    def __str__(self) -> str:
        return " or ".join(_within(rule, Or) for rule in self.rules)


def minds_depth(rule: Rule | None) -> bool:
    if isinstance(rule, And | Or):
        return any(map(minds_depth, rule.rules))
    return minds_depth(rule.rule) if isinstance(rule, Not) else isinstance(rule, Depth)


def _like(text: str, pattern: str) -> bool:
    """Whether the whole text is as the pattern says, `*` standing for any characters. Linear, however many stars."""
    first, *middle, last = pattern.split("*")
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    place, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return True


@lru_cache(maxsize=1024)
def regex(pattern: str) -> re.Pattern[str]:
    """The compiled expression. Those that could take for ever on a hostile URL are refused."""
    if len(pattern) > MAX_PATTERN:
        raise ScopeError(f"a pattern may have {MAX_PATTERN} characters; split it with 'or'")
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ScopeError(f"not a regular expression ({error}); quote special characters with \\") from None
    bare = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", "x", pattern, flags=re.DOTALL)
    if len(re.findall(r"[*+]|\{\d*,\d*\}", bare)) > MAX_REPETITIONS:
        raise ScopeError(f"a pattern may repeat (*, +, {{n,}}) {MAX_REPETITIONS} times; leave out .* at its ends")
    while (inner := re.sub(r"\((?:\?[:=!]|\?<[=!])?[^()|*+{]*\)(?![*+{])", "x", bare)) != bare:
        bare = inner
    if re.search(r"\)(?:[*+]|\{)", re.sub(r"\([^()|*+{]*\)", "x", bare)):
        raise ScopeError("a repeated group may not hold a repetition or '|'; split the pattern with 'or'")
    return compiled


def _within(rule: Rule, *looser: type[Rule]) -> str:
    return f"({rule})" if isinstance(rule, looser) else str(rule)


def _quote(value: str, always: bool = False) -> str:
    if not always and _PLAIN.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
