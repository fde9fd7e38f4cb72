from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from scenthound.errors import OntologyError
from scenthound.ontology import triples

TURTLE = b'<urn:a> <urn:b> "c"@en .'
RDFXML = (
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:">'
    b'<rdf:Description rdf:about="urn:a"><u:b xml:lang="en">c</u:b></rdf:Description></rdf:RDF>'
)


def read(path: Path, content: bytes) -> list[tuple[str, str, str, str | None]]:
    path.write_bytes(content)
    told: list[tuple[str, str, str, str | None]] = []
    triples.read(path, lambda *triple: told.append(triple))
    return told


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.ttl", TURTLE),
        ("x.nt", TURTLE),
        ("x", TURTLE),
        ("x.ttl", b"\xef\xbb\xbf" + TURTLE),
        ("x.ttl.gz", gzip.compress(TURTLE)),
        ("x.rdf", RDFXML),
        ("x.owl", b'<?xml version="1.0" encoding="utf-8"?>\n' + RDFXML),
        ("x.xml", b"\n <!-- hello -->" + RDFXML),
        ("x.rdf.gz", gzip.compress(RDFXML)),
        ("x.owl", TURTLE),  # endings say little
        ("x.rdf", '<?xml version="1.0" encoding="utf-16"?>'.encode("utf-16") + RDFXML.decode().encode("utf-16-le")),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_every_way_to_write_it(tmp_path: Path, name: str, content: bytes) -> None:
    assert read(tmp_path / name, content) == [("urn:a", "urn:b", "c", "en")]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.ttl", b"", "is empty"),
        ("x.ttl", b" \n", "is empty"),
        ("x.ttl.gz", gzip.compress(b""), "is empty"),
        ("x.ttl.gz", gzip.compress(TURTLE)[:-12], "cannot be read"),
        ("x.json", b'{"@context": {}}', "looks like JSON"),
        ("x.ttl", b"\xff\xfe\x00", "not UTF-8"),
        ("x.ttl", b"<urn:a> <urn:b>", "cannot be read: it ends too soon"),
        ("x.rdf", RDFXML[:-5], "cannot be read: line 1"),
        ("x.pdf", b"%PDF-1.4", "Is it SKOS or OWL"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    with pytest.raises(OntologyError, match=message):
        read(tmp_path / name, content)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match="cannot be read"):
        triples.read(tmp_path, lambda *triple: None)
