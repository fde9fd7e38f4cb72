"""Turtle, and N-Triples, which is a part of it (W3C, RDF 1.1 Turtle).

One regular expression cuts the text into tokens; the grammar is the one of the recommendation, with two liberties:
numbers and booleans are told as texts, and a relative name stays as it is where the file gives no base.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import NoReturn
from urllib.parse import urljoin

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
DEEPEST = 100  # nodes within nodes

# What stands between tokens is never read in two ways (`++`): a hundred spaces or # in a row would be read in 2^100.
_TOKEN = re.compile(
    r"""(?:\s++|\#[^\n\r]*+)*+(?:
      <(?P<iri>(?:[^\x00-\x20<>"{}|^`\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*)>
    | (?P<long>\"\"\"(?:\"{0,2}(?:[^"\\]|\\.))*\"\"\"|'''(?:'{0,2}(?:[^'\\]|\\.))*''')
    | (?P<short>"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
    | (?P<blank>_:\w(?:[\w.\-·]*[\w\-·])?)
    | (?P<name>(?:[^\W\d_](?:[\w.\-·]*[\w\-·])?)?:
        (?:(?:[\w:]|%[0-9A-Fa-f]{2}|\\.)(?:(?:[\w:.\-·]|%[0-9A-Fa-f]{2}|\\.)*(?:[\w:\-·]|%[0-9A-Fa-f]{2}|\\.))?)?)
    | @(?P<at>[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    | (?P<number>[+-]?(?:\d++(?:\.\d*+)?[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|\d*+\.\d+|\d+))
    | (?P<word>[A-Za-z]+)
    | (?P<mark>\^\^|[.;,\[\]()])
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_NAME = r"""<([A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>"{}|^`\\]*)>[ \t]*"""
_PLAIN = re.compile(  # a whole statement without escapes, as N-Triples has one a line
    rf"""{_NAME}{_NAME}(?:{_NAME}|"([^"\\\n\r]*)"(?:@([A-Za-z]+(?:-[A-Za-z0-9]+)*))?[ \t]*)\.(?=\s|\Z)"""
).match
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:").match

Tell = Callable[[str, str, str, str | None], None]


class NotTurtle(ValueError):
    """The text is not as the grammar has it."""


def read(text: str, tell: Tell) -> None:
    _TurtleReading(text, tell).document()


class _TurtleReading:
    """Walks over the tokens; `kind` and `value` are of the one that comes next."""

    def __init__(self, text: str, tell: Tell) -> None:
        self.text, self.tell = text, tell
        self.place = self.begin = 0
        self.prefixes: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.base = ""
        self.depth = 0
        self.blanks = map("_:anonymous-{}".format, count())
        self.advance()

    def advance(self) -> None:
        match = _TOKEN.match(self.text, self.place)
        if match is None or match.lastgroup is None:
            self.begin = self.place
            self.fail("unknown characters")
        self.kind = match.lastgroup
        self.value: str = match[self.kind]
        self.begin, self.place = match.start(self.kind), match.end()

    def fail(self, what: str) -> NoReturn:
        line = self.text.count("\n", 0, self.begin) + 1
        shown = self.text[self.begin : self.begin + 30].strip().partition("\n")[0]
        raise NotTurtle(f"line {line}: {what} at {shown!r}" if shown else f"it ends too soon: {what}")

    def take(self, mark: str) -> None:
        if self.kind != "mark" or self.value != mark:
            self.fail(f"{mark!r} expected")
        self.advance()

    def at(self, *marks: str) -> bool:
        return self.kind == "mark" and self.value in marks

    # Statements

    def document(self) -> None:
        while self.kind != "end":
            if self.kind == "at":
                self.directive(self.value)
                self.take(".")
            elif self.kind == "word" and self.value.lower() in ("prefix", "base"):
                self.directive(self.value.lower())
            else:
                self.statement()

    def directive(self, which: str) -> None:
        self.advance()
        if which == "prefix":
            if self.kind != "name" or not self.value.endswith(":"):
                self.fail("a prefix expected")
            prefix = self.value[:-1]
            self.advance()
            self.prefixes[prefix] = self.iri()
            self.names.clear()
        elif which == "base":
            self.base = self.iri()
        else:
            self.fail("only @prefix and @base may stand here; the fault is before")

    def statement(self) -> None:
        plain = _PLAIN(self.text, self.begin - 1) if self.kind == "iri" else None
        if plain is not None:
            subject, predicate, node, text, language = plain.groups()
            self.tell(subject, predicate, *((text, (language or "").lower()) if node is None else (node, None)))
            self.place = plain.end()
            self.advance()
            return
        alone = self.at("[")
        subject = self.node()
        if not (alone and self.at(".")):
            self.predicates(subject)
        self.take(".")

    def predicates(self, subject: str) -> None:
        while True:
            predicate = self.predicate()
            self.object(subject, predicate)
            while self.at(","):
                self.advance()
                self.object(subject, predicate)
            if not self.at(";"):
                return
            while self.at(";"):
                self.advance()
            if self.at(".", "]"):
                return

    def predicate(self) -> str:
        if self.kind == "word" and self.value == "a":
            self.advance()
            return RDF + "type"
        if self.kind not in ("iri", "name"):
            self.fail("a predicate expected")
        return self.node()

    def object(self, subject: str, predicate: str) -> None:
        if self.kind in ("short", "long"):
            self.tell(subject, predicate, *self.literal())
        elif self.kind == "number" or (self.kind == "word" and self.value in ("true", "false")):
            self.tell(subject, predicate, self.value, "")
            self.advance()
        else:
            self.tell(subject, predicate, self.node(), None)

    def literal(self) -> tuple[str, str]:
        quotes = 3 if self.kind == "long" else 1
        text = _unescaped(self.value[quotes:-quotes])
        self.advance()
        language = ""
        if self.kind == "at":
            language = self.value.lower()
            self.advance()
        elif self.at("^^"):
            self.advance()
            self.node()
        return text, language

    # Nodes

    def node(self) -> str:
        if self.kind == "iri":
            return self.iri()
        if self.kind == "name":
            return self.name()
        if self.kind == "blank":
            name = self.value
            self.advance()
            return name
        if not self.at("[", "("):
            self.fail("a node expected")
        return self.nested()

    def iri(self) -> str:
        if self.kind != "iri":
            self.fail("a <name> expected")
        iri = _unescaped(self.value)
        self.advance()
        return iri if _SCHEME(iri) else urljoin(self.base, iri)

    def name(self) -> str:
        known = self.names.get(self.value)
        if known is None:
            prefix, _, local = self.value.partition(":")
            if prefix not in self.prefixes:
                self.fail(f"the prefix {prefix + ':'!r} is not declared")
            known = self.names[self.value] = self.prefixes[prefix] + re.sub(r"\\(.)", r"\1", local)
        self.advance()
        return known

    def nested(self) -> str:
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail("too many nodes within nodes")
        node = self.collection() if self.at("(") else self.anonymous()
        self.depth -= 1
        return node

    def anonymous(self) -> str:
        node = next(self.blanks)
        self.advance()
        if not self.at("]"):
            self.predicates(node)
        self.take("]")
        return node

    def collection(self) -> str:
        self.advance()
        first = last = ""
        while not self.at(")"):
            node = next(self.blanks)
            if last:
                self.tell(last, RDF + "rest", node, None)
            self.object(node, RDF + "first")
            first, last = first or node, node
        self.advance()
        if last:
            self.tell(last, RDF + "rest", RDF + "nil", None)
        return first or RDF + "nil"


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_meant, text) if "\\" in text else text


def _meant(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    if code is None:
        return _ESCAPES.get(escape[3], escape[3])
    number = int(code, 16)
    return chr(number) if number <= 0x10FFFF else "\ufffd"
