"""RDF/XML, as OWL editors write it (W3C, RDF 1.1 XML Syntax).

Elements are nodes and properties in turn: a node holds properties, and a property holds a node, a text, or a reference.
Entities that the document itself declares are expanded, since OWL files live on them; expat sees to it that a kilobyte
does not become a gigabyte. Nothing outside the document is fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from urllib.parse import urljoin
from xml.parsers import expat

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XML = "http://www.w3.org/XML/1998/namespace"
DEEPEST = 200  # elements within elements

Tell = Callable[[str, str, str, str | None], None]


class NotRdf(ValueError):
    """The document is no XML, or no RDF."""


def read(content: bytes, tell: Tell) -> None:
    reading = _RdfReading(tell)
    parser = expat.ParserCreate(namespace_separator="")
    parser.buffer_text = True
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.text
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise NotRdf(f"line {error.lineno}: {expat.errors.messages[error.code]}") from error


class _Element:
    """What is open. A node has a subject; a property has a subject and a predicate; the document has neither."""

    __slots__ = ("base", "collected", "done", "language", "last", "literal", "members", "predicate", "subject", "texts")

    def __init__(self, base: str, language: str, subject: str = "", predicate: str = "") -> None:
        self.base, self.language = base, language
        self.subject, self.predicate = subject, predicate
        self.texts: list[str] = []
        self.done = False  # the property has its object
        self.literal = False  # what is inside is text, whatever it looks like
        self.collected = False  # the property's nodes are a list
        self.last = ""  # node of that list
        self.members = 0  # rdf:li so far

    @property
    def is_node(self) -> bool:
        return bool(self.subject) and not self.predicate


class _RdfReading:
    def __init__(self, tell: Tell) -> None:
        self.tell = tell
        self.open: list[_Element] = [_Element("", "")]
        self.inside = 0  # elements deep within a literal
        self.blanks = map("_:anonymous-{}".format, count())

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) > DEEPEST:
            raise NotRdf("too many elements within elements")
        outer = self.open[-1]
        if outer.literal:
            self.inside += 1
            return
        base = attributes.get(XML + "base", outer.base)
        language = attributes.get(XML + "lang", outer.language).lower()
        if name == RDF + "RDF":
            self.open.append(_Element(base, language))
        elif outer.is_node:
            self.open.append(self._property(name, attributes, _Element(base, language, outer.subject, name), outer))
        else:
            self.open.append(self._node(name, attributes, _Element(base, language), outer))

    def text(self, text: str) -> None:
        if self.open[-1].predicate:
            self.open[-1].texts.append(text)

    def end(self, name: str) -> None:
        if self.inside:
            self.inside -= 1
            return
        closed = self.open.pop()
        if closed.collected:
            nil = RDF + "nil"
            self.tell(*((closed.last, RDF + "rest") if closed.last else (closed.subject, closed.predicate)), nil, None)
        elif closed.predicate and not closed.done:
            self.tell(closed.subject, closed.predicate, "".join(closed.texts), closed.language)

    def _node(self, name: str, attributes: dict[str, str], element: _Element, outer: _Element) -> _Element:
        element.subject = self._named(attributes, element.base) or next(self.blanks)
        if outer.predicate:
            self._object(outer, element.subject)
        if name != RDF + "Description":
            self.tell(element.subject, RDF + "type", name, None)
        self._texts(element.subject, attributes, element)
        return element

    def _property(self, name: str, attributes: dict[str, str], element: _Element, outer: _Element) -> _Element:
        if name == RDF + "li":
            outer.members += 1
            element.predicate = f"{RDF}_{outer.members}"
        kind = attributes.get(RDF + "parseType")
        target = self._reference(attributes, element.base)
        if target is None and (kind == "Resource" or (kind is None and any(map(_is_text, attributes)))):
            target = next(self.blanks)
        if target is not None:
            self._object(element, target)
            self._texts(target, attributes, element)
        if kind == "Resource" and target is not None:
            return _Element(element.base, element.language, target)
        element.collected = kind == "Collection"
        element.literal = kind not in (None, "Collection", "Resource")
        return element

    def _object(self, within: _Element, node: str) -> None:
        if within.collected:
            cell = next(self.blanks)
            self.tell(*((within.last, RDF + "rest") if within.last else (within.subject, within.predicate)), cell, None)
            self.tell(cell, RDF + "first", node, None)
            within.last = cell
        else:
            self.tell(within.subject, within.predicate, node, None)
        within.done = True

    def _texts(self, subject: str, attributes: dict[str, str], element: _Element) -> None:
        """Properties written as attributes."""
        for name, value in attributes.items():
            if name == RDF + "type":
                self.tell(subject, name, urljoin(element.base, value), None)
            elif _is_text(name):
                self.tell(subject, name, value, element.language)

    def _named(self, attributes: dict[str, str], base: str) -> str | None:
        if (about := attributes.get(RDF + "about")) is not None:
            return urljoin(base, about) or base or "#"
        if (name := attributes.get(RDF + "ID")) is not None:
            return urljoin(base, f"#{name}")
        return self._blank(attributes)

    def _reference(self, attributes: dict[str, str], base: str) -> str | None:
        if (resource := attributes.get(RDF + "resource")) is not None:
            return urljoin(base, resource) or base or "#"
        return self._blank(attributes)

    def _blank(self, attributes: dict[str, str]) -> str | None:
        name = attributes.get(RDF + "nodeID")
        return None if name is None else f"_:{name}"


def _is_text(attribute: str) -> bool:
    return not attribute.startswith((RDF, XML)) and attribute != "xmlns" and ":" in attribute
