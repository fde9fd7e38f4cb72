"""RDF files as triples, whichever way they are written: Turtle, N-Triples or RDF/XML, plain or compressed by gzip.

Only what thesauri need is kept of a triple: subject, predicate and object as strings, and for an object that is a text
its language, "" where it has none. A node without a name is called `_:...`. Types of literals are of no interest here.

Readers of our own, because a general RDF store takes half a minute for a thesaurus of 50,000 concepts: it keeps every
triple in several indexes, and we look at each once.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable
from pathlib import Path

from scenthound.errors import OntologyError
from scenthound.ontology import rdfxml, turtle

Tell = Callable[[str, str, str, str | None], None]
"""subject, predicate, object, language of the object; None: the object is a node."""

_GZIP = b"\x1f\x8b"
_TURTLE_SUFFIXES = frozenset({".ttl", ".nt", ".n3", ".turtle"})
_xml = re.compile(rb"\s*(?:<\?xml|<!|<[\w.-]+:RDF\b|<RDF\b)|\xff\xfe|\xfe\xff").match  # the latter: UTF-16
_json = re.compile(rb"\s*[\[{]").match


def read(path: Path, tell: Tell) -> None:
    """Tells of every triple in the file, in order."""
    content = _content(path)
    if not content.strip():
        raise OntologyError(f"{path} is empty. Give a SKOS or OWL file (Turtle, N-Triples or RDF/XML).")
    named = Path(path.stem) if path.suffix.lower() == ".gz" else path
    try:
        if named.suffix.lower() not in _TURTLE_SUFFIXES and _xml(content):
            rdfxml.read(content, tell)
        elif named.suffix.lower() in _TURTLE_SUFFIXES or not _json(content):
            turtle.read(content.decode("utf-8"), tell)
        else:
            raise OntologyError(f"{path} looks like JSON. Convert it to Turtle or RDF/XML first.")
    except UnicodeDecodeError as error:
        raise OntologyError(
            f"{path} is not UTF-8, so it is no Turtle: {error.reason} at byte {error.start}."
        ) from error
    except (turtle.NotTurtle, rdfxml.NotRdf) as error:
        raise OntologyError(f"{path} cannot be read: {error}. Is it SKOS or OWL, as Turtle or RDF/XML?") from error


def _content(path: Path) -> bytes:
    try:
        content = path.read_bytes()
        if content.startswith(_GZIP):
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise OntologyError(f"{path} cannot be read: {error}.") from error
    return content.removeprefix(b"\xef\xbb\xbf")
