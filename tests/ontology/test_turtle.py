"""Our reader of Turtle against rdflib's, on everything the grammar has."""

from __future__ import annotations

from contextlib import suppress

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from scenthound.ontology import turtle
from tests.watchdog import no_hang

Told = tuple[str, str, str, str | None]

EVERYTHING = r"""
@base <http://example.org/> .
@prefix : <http://example.org/x#> .
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
@prefix p.q-r: <urn:x:> .
# a comment <with> "things" in it
:dengue a skos:Concept ; skos:prefLabel "dengue"@en, "Dengue-Fieber"@DE-at , 'fièvre "dengue"'@fr ;
  skos:altLabel "break\"bone\tfever\u00e9\U0001F99F" ; ; skos:broader <fever> , <http://example.org/a%20b> ; .
<fever> skos:note '''long "text"
with 'lines' and a # sign''' , \"\"\"and "another" \\ one\"\"\" .
:n :int 5 ; :dec -1.5 ; :dbl 1e6, .5E-3 ; :yes true ; :no false .
:typed :date "2020-01-01"^^<http://www.w3.org/2001/XMLSchema#date> , "x"^^skos:type .
p.q-r:a.b :local skos:, :with\-escape , :a%20b , :1x , :x:y, :x.y .
<http://example.org/plain> <http://example.org/is> <http://example.org/triple> .
<http://example.org/plain> <http://example.org/is> "a text"@en-GB .
<http://example.org/plain> <http://example.org/is> "a text with \\ in it" .
<http://example.org/élan> :x "ünïcödé"@de .
""".replace('\\"\\"\\"', '"""')

NAMELESS = """
@prefix : <http://example.org/x#> .
:a :b [ :c "d" ; :e [ :f :g ] ] , [] .
[ :h :i ] .
[ :j :k ] :l :m .
:list :is ( 1 "two" :three ( ) ) .
_:x.1 :n _:y .
"""


def ours(text: str) -> list[Told]:
    told: list[Told] = []
    turtle.read(text, lambda *triple: told.append(triple))
    return told


def theirs(text: str) -> set[Told]:
    graph = rdflib.Graph()
    graph.parse(data=text, format="turtle")
    return {
        (str(s), str(p), str(o), (o.language or "").lower() if isinstance(o, rdflib.Literal) else None)
        for s, p, o in graph
    }


def test_everything_the_grammar_has() -> None:
    found = ours(EVERYTHING)
    assert len(found) == len(set(found)) == 27
    expected = theirs(EVERYTHING)
    numbers = {"1e6": "1000000.0", ".5E-3": "0.0005"}  # rdflib tells the value, we the spelling
    assert {(s, p, numbers.get(o, o), lang) for s, p, o, lang in found} == {
        (s, p, numbers.get(o, o), lang) for s, p, o, lang in expected
    }


def test_nameless_nodes() -> None:
    """Their names differ, so what is compared is everything else."""
    found, expected = ours(NAMELESS), theirs(NAMELESS)

    def shape(told: set[Told] | list[Told]) -> list[tuple[str, ...]]:
        nodes = {node for s, _, o, language in told for node in ((s,) if language is not None else (s, o))}
        nameless = {node for node in nodes if not node.startswith("http")}
        return sorted(tuple("_" if part in nameless else part for part in (s, p, o)) for s, p, o, _ in told)

    assert shape(found) == shape(expected)


def test_plain_statements_and_others_mix() -> None:
    text = (
        '<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> "c" . <urn:a> <urn:b> "c\\n", <urn:d> .\n<urn:a> <urn:b> <urn:e>.'
    )
    assert [(o, language) for _, _, o, language in ours(text)] == [
        ("urn:c", None),
        ("c", ""),
        ("c\n", ""),
        ("urn:d", None),
        ("urn:e", None),
    ]


@pytest.mark.parametrize("text", ["", "  \n", "# only a comment", "@prefix x: <urn:x> ."])
def test_nothing_to_tell(text: str) -> None:
    assert ours(text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x:a x:b x:c .", "line 1: the prefix 'x:' is not declared"),
        ("\n\n<urn:a> <urn:b> .", "line 3: a node expected"),
        ("<urn:a> <urn:b> <urn:c>", "it ends too soon: '.' expected"),
        ('<urn:a> <urn:b> "c', "unknown characters"),
        ('<urn:a> "b" <urn:c> .', "a predicate expected"),
        ("@prefix x <urn:x> .", "a prefix expected"),
        ("@keywords a .", "only @prefix and @base"),
        ("<urn:a> <urn:b> [ <urn:c> <urn:d> .", "']' expected"),
        ("<urn:a> <urn:b> ( <urn:c> .", "a node expected"),
        ("<html><body>no</body></html>", "line 1"),
        ("{'json': 1}", "unknown characters"),
        ("<urn:a> <urn:b> " + "[ <urn:b> " * 200, "too many nodes within nodes"),
    ],
)
def test_mistakes_are_shown_with_their_line(text: str, message: str) -> None:
    with pytest.raises(turtle.NotTurtle) as caught:
        ours(text)
    assert message in str(caught.value)


@given(st.text(alphabet="<>:@.\"'\\#;,[]()^ab1 \n_%é", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(turtle.NotTurtle):
        ours(text)


@given(st.text(min_size=1).filter(lambda text: not any(0xD800 <= ord(c) <= 0xDFFF for c in text)))
def test_any_label_comes_back(label: str) -> None:
    literal = rdflib.Literal(label, lang="en").n3()
    assert [told[2:] for told in ours(f"<urn:a> <urn:b> {literal} .")] == [(label, "en")]


@pytest.mark.parametrize("filler", [" ", "#", " \n", "# \n", "7", "a.", "\\"])
def test_nothing_is_read_in_more_ways_than_one(filler: str) -> None:
    """Sixty spaces before something unknown took years, and many digits the square of their number."""
    with no_hang(), suppress(turtle.NotTurtle):
        turtle.read(filler * 100_000 + "~", lambda *triple: None)
