"""From text to rule: recursive descent, with a word on what is wrong and where."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from scenthound import urls
from scenthound.errors import ScopeError
from scenthound.scope.rules import (
    And,
    Depth,
    Everything,
    Host,
    Language,
    Match,
    Not,
    Or,
    Path,
    Rule,
    Scheme,
    Site,
    Type,
    regex,
)

MAX_RULE = 10_000
MAX_NESTING = 50
SHOWN = 200
"""Characters of a rule or its mistake in a message."""

_TOKEN = re.compile(r'\s*(?:([()])|(and|or|not)(?![\w:])|([a-z]+):("(?:[^"\\]|\\.)*"|[^\s()"]+))', re.DOTALL)
_DEPTH = re.compile(r"(<=|>=|<|>|=)(\d{1,6})")
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9-]+)?", re.IGNORECASE)


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
        first = max(0, column - SHOWN // 2)  # of a long rule, what stands around the mistake
        shown, mark = self.source[first : first + SHOWN], " " * (column - 1 - first)
        return ScopeError(f"Scope rule, character {column}: {problem[:SHOWN]}.\n    {shown}\n    {mark}^")


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
    regex(value)
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


def _unquote(value: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", value[1:-1]) if value.startswith('"') else value


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
