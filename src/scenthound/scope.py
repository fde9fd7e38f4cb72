"""Which links may be followed: small rules, combined with `and`, `or`, `not` and parentheses.

    allow = "site:example.org or (host:*.edu and path:/health)"
    deny = "path:*/print/* or match:\\"[?&]sort=\\""

| rule | holds for |
|---|---|
| `site:example.org` | every host of that registrable domain |
| `host:www.example.org`, `host:*.edu` | that host; `*` stands for anything; without a port, for every port |
| `path:/health`, `path:*/print/*` | paths that begin so; with a `*`, paths that are so as a whole |
| `depth:<=3` | links so many hops from a seed; `<`, `<=`, `=`, `>=`, `>` |
| `scheme:https` | that scheme |
| `match:"/20[0-9]{2}/"` | URLs in which the regular expression is found |
| `language:de` | links to pages in that language, as far as one can tell before asking |
| `type:html`, `type:image`, `type:pdf` | that kind of file, or that ending, by the URL alone |

The language of a link is the one its URL names (`//de.example.org/`, `/de/`, `?lang=de`), else that of the page it
stands on. The types are html, image, audio, video, document, archive, program, data, style and font, by the ending of
the path; whatever has no ending that says otherwise is html, because that is what most such URLs turn out to be.

`and` binds tighter than `or`, `not` tighter than both. Values with spaces, parentheses or quotes stand in double
quotes, with `\\"` for a quote. A rule is a value: two that say the same in the same words are equal, and
`parse(str(rule)) == rule`.

A rule that fails refuses the link: a filter that lets through what it could not judge is no filter.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import lru_cache

from msgspec import Struct

from scenthound import urls
from scenthound.errors import ScopeError
from scenthound.model import Link

MAX_RULE = 10_000
MAX_NESTING = 50
MAX_PATTERN = 500
MAX_REPETITIONS = 3

_TOKEN = re.compile(r'\s*(?:([()])|(and|or|not)(?![\w:])|([a-z]+):("(?:[^"\\]|\\.)*"|[^\s()"]+))', re.DOTALL)
_PLAIN = re.compile(r'[^\s()"]+')
_DEPTH = re.compile(r"(<=|>=|<|>|=)(\d{1,6})")
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9-]+)?", re.IGNORECASE)
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
        return bool(_regex(self.pattern).search(url))

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


class Scope:
    """What a crawl may follow: all that `allow` holds for, `deny` does not, and that is not too deep.

    With `html_only`, files that are no web pages by their ending are refused besides, which saves asking for them.
    `language` is that of links found on no page, such as redirects, and of pages that do not say theirs.
    """

    by_url_alone = True
    """Whether links with one URL fare alike on pages of one language, at one depth. So they do in all but few scopes."""

    def __init__(
        self, allow: str = "", deny: str = "", depth: int = 0, language: str = "", html_only: bool = False
    ) -> None:
        self.allow = parse(allow)
        self.deny = parse(deny) if deny.strip() else None
        self.depth = depth  # hops from a seed at most; 0 = no limit
        self.language = language
        self.html_only = html_only
        self.minds_depth = bool(depth) or any(_minds_depth(rule) for rule in (self.allow, self.deny))

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


def _minds_depth(rule: Rule | None) -> bool:
    if isinstance(rule, And | Or):
        return any(map(_minds_depth, rule.rules))
    return _minds_depth(rule.rule) if isinstance(rule, Not) else isinstance(rule, Depth)


def parse(rule: str) -> Rule:
    """The rule a text describes; `ScopeError` says where it does not, and what to write instead."""
    if len(rule) > MAX_RULE:
        raise ScopeError(f"A scope rule of {len(rule):,} characters is too long; at most {MAX_RULE:,} are read.")
    return _Reader(rule).whole() if rule.strip() else Everything()


class _Reader:
    """Recursive descent over the tokens of one rule."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.place = 0
        self.nesting = 0
        self.token: re.Match[str] | None = None
        self._advance()

    def whole(self) -> Rule:
        rule = self._any()
        if self.token is not None:
            raise self._error("an 'and' or 'or' is missing here" if self.token[0].strip() != ")" else "too many ')'")
        return rule

    def _any(self) -> Rule:
        rules = [self._all()]
        while self._skip("or"):
            rules.append(self._all())
        return rules[0] if len(rules) == 1 else Or(tuple(rules))

    def _all(self) -> Rule:
        rules = [self._one()]
        while self._skip("and"):
            rules.append(self._one())
        return rules[0] if len(rules) == 1 else And(tuple(rules))

    def _one(self) -> Rule:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise self._error("nested too deeply; write the rule flatter")
        rule = self._enclosed()
        self.nesting -= 1
        return rule

    def _enclosed(self) -> Rule:
        if self._skip("not"):
            return Not(self._one())
        if self._skip("("):
            rule = self._any()
            if not self._skip(")"):
                raise self._error("a ')' is missing")
            return rule
        if self.token is None or not self.token[3]:
            raise self._error("a rule such as site:example.org is expected here")
        try:
            rule = _predicate(self.token[3], _unquote(self.token[4]))
        except ScopeError as error:
            raise self._error(str(error)) from None
        self._advance()
        return rule

    def _skip(self, word: str) -> bool:
        if self.token is None or word not in (self.token[1], self.token[2]):
            return False
        self._advance()
        return True

    def _advance(self) -> None:
        if self.token is not None:
            self.place = self.token.end()
        self.token = _TOKEN.match(self.source, self.place)
        if self.token is None and self.source[self.place :].strip():
            raise self._error('not understood; write name:value, with the value in "quotes" if it holds spaces')

    def _error(self, problem: str) -> ScopeError:
        rest = self.source[self.place :]
        column = self.place + len(rest) - len(rest.lstrip()) + 1
        return ScopeError(f"Scope rule, character {column}: {problem}.\n    {self.source}\n    {' ' * (column - 1)}^")


def _predicate(name: str, value: str) -> Rule:
    if name not in _RULES:
        *names, last = _RULES
        raise ScopeError(f"there is no rule {name!r}; there are {', '.join(names)} and {last}")
    if not value:
        raise ScopeError(f"{name}: needs a value")
    return _RULES[name](value)


def _path(value: str) -> Path:
    return Path(value if value[0] in "/*" else f"/{value}")


def _depth(value: str) -> Depth:
    if not (match := _DEPTH.fullmatch(value)):
        raise ScopeError("write a depth as depth:<=3")
    return Depth(match[1], int(match[2]))


def _scheme(value: str) -> Scheme:
    if value.lower() not in ("http", "https"):
        raise ScopeError("only scheme:http and scheme:https are crawled")
    return Scheme(value.lower())


def _match(value: str) -> Match:
    _regex(value)
    return Match(value)


def _language(value: str) -> Language:
    if not (match := _LANGUAGE.fullmatch(value)):
        raise ScopeError("write a language by its code, as language:en")
    return Language(match[1].lower())


def _type(value: str) -> Type:
    name = value.lower().removeprefix(".")
    kinds = ["html", *dict.fromkeys(urls.FILE_TYPES.values())]
    if name not in kinds and name not in urls.FILE_TYPES:
        near = get_close_matches(name, [*kinds, *urls.FILE_TYPES], n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(kinds)}, and endings such as pdf."
        raise ScopeError(f'there is no type {value!r}; {hint} For other endings write match:"\\.xyz$"')
    return Type(name)


def _site(value: str) -> Site:
    name = _host_name(value)
    registrable = urls.site(f"http://{name}/")
    if registrable != name:
        raise ScopeError(f"{value} is not a whole site; write site:{registrable}, or host:{name} for this host alone")
    return Site(name)


def _host(value: str) -> Host:
    return Host(_host_name(value))


def _host_name(value: str) -> str:
    """As canonical URLs spell it; a pattern with stars only in lower case."""
    if "*" in value:
        return value.lower()
    url = urls.canonical(f"http://{value}/")
    if isinstance(url, urls.Malformed) or urls.path(url) != "/" or "?" in url:
        raise ScopeError(f"{value} is not a host name; write it as www.example.org, without http:// and path")
    return urls.host(url)


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
def _regex(pattern: str) -> re.Pattern[str]:
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


_RULES: dict[str, Callable[[str], Rule]] = {
    "site": _site,
    "host": _host,
    "path": _path,
    "depth": _depth,
    "scheme": _scheme,
    "match": _match,
    "language": _language,
    "type": _type,
}


def _within(rule: Rule, *looser: type[Rule]) -> str:
    return f"({rule})" if isinstance(rule, looser) else str(rule)


def _quote(value: str, always: bool = False) -> str:
    if not always and _PLAIN.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unquote(value: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", value[1:-1]) if value.startswith('"') else value
