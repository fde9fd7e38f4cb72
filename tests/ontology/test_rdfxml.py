"""Our reader of RDF/XML against rdflib's."""

from __future__ import annotations

from contextlib import suppress

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from scenthound.ontology import rdfxml

Told = tuple[str, str, str, str | None]

EVERYTHING = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY owl "http://www.w3.org/2002/07/owl#"> <!ENTITY x "http://example.org/x#"> ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
  xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:x="http://example.org/x#"
  xml:base="http://example.org/x" xml:lang="en">
  <owl:Class rdf:about="#Dengue">
    <rdfs:label>dengue &amp; fever</rdfs:label>
    <rdfs:label xml:lang="de">Denguefieber</rdfs:label>
    <rdfs:subClassOf rdf:resource="&x;Fever"/>
    <rdfs:subClassOf>
      <owl:Class rdf:ID="Illness"><rdfs:label xml:lang="">illness</rdfs:label></owl:Class>
    </rdfs:subClassOf>
    <x:typed rdf:datatype="&x;number">5</x:typed>
    <x:empty/>
  </owl:Class>
  <rdf:Description rdf:about="http://example.org/other" x:note="as an attribute" rdf:type="&owl;Class">
    <x:both rdf:resource="#there" x:note="of the other"/>
  </rdf:Description>
</rdf:RDF>"""

NAMELESS = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://example.org/x#">
  <x:Thing rdf:about="http://example.org/a">
    <x:part rdf:parseType="Resource"><x:size>5</x:size><x:of rdf:resource="http://example.org/b"/></x:part>
    <x:list rdf:parseType="Collection">
      <x:Item rdf:about="http://example.org/1"/><rdf:Description rdf:about="http://example.org/2"/>
    </x:list>
    <x:none rdf:parseType="Collection"/>
    <x:ref rdf:nodeID="n1"/>
    <x:note x:size="7"/>
  </x:Thing>
  <rdf:Description rdf:nodeID="n1"><x:size>6</x:size></rdf:Description>
  <rdf:Seq rdf:about="http://example.org/seq"><rdf:li>one</rdf:li><rdf:li rdf:resource="http://example.org/two"/></rdf:Seq>
</rdf:RDF>"""


def ours(text: str) -> list[Told]:
    told: list[Told] = []
    rdfxml.read(text.encode(), lambda *triple: told.append(triple))
    return told


def theirs(text: str) -> set[Told]:
    graph = rdflib.Graph()
    graph.parse(data=text, format="xml")
    return {
        (str(s), str(p), str(o), (o.language or "") if isinstance(o, rdflib.Literal) else None) for s, p, o in graph
    }


def test_what_owl_editors_write() -> None:
    found = {(s, p, o, "" if p.endswith("typed") else lang) for s, p, o, lang in ours(EVERYTHING)}
    assert len(ours(EVERYTHING)) == len(found) == 13
    assert found == theirs(EVERYTHING)


def test_nameless_nodes() -> None:
    found, expected = ours(NAMELESS), theirs(NAMELESS)

    def shape(told: set[Told] | list[Told]) -> list[tuple[str, str, str]]:
        names = {s for s, *_ in told if not s.startswith("http")}
        return sorted(("_" if s in names else s, p, "_" if o in names else o) for s, p, o, _ in told)

    assert shape(found) == shape(expected)


def test_markup_in_a_text_is_text() -> None:
    inside = '<x:note rdf:parseType="Literal">some <b>bold</b> text</x:note>'
    text = EVERYTHING.replace("<x:empty/>", inside)
    assert ("some bold text", "en") in {(o, language) for _, p, o, language in ours(text) if p.endswith("#note")}


@pytest.mark.parametrize(
    "text",
    ["<rdf:RDF", "<a><b></a>", "no XML at all", "", '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">'],
)
def test_what_is_no_xml_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(rdfxml.NotRdf, match="line 1"):
        ours(text)


def test_deep_nests_and_bombs_are_refused() -> None:
    with pytest.raises(rdfxml.NotRdf, match="within"):
        ours('<a xmlns="urn:x">' * 1000)
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "x" * 100}">' for n in range(9))
    with pytest.raises(rdfxml.NotRdf):
        ours(f'<!DOCTYPE r [{levels}]><r xmlns="urn:x"><p>&a8;</p></r>')


def test_nothing_is_fetched() -> None:
    text = '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/hostname">]><r xmlns="urn:x"><p>&a;</p></r>'
    assert [o for _, p, o, _ in ours(text) if p == "urn:xp"] == [""]


@given(
    st.lists(
        st.sampled_from(["<rdf:RDF>", "<x:a>", "</x:a>", "<x:b/>", "text", '<x:c rdf:parseType="Resource">', "</x:c>"])
    )
)
def test_any_sequence_of_tags_is_read_or_refused(parts: list[str]) -> None:
    head = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="urn:x">'
    with suppress(rdfxml.NotRdf):
        ours(head + "".join(parts) + "</rdf:RDF>")
