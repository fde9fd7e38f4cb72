from __future__ import annotations

from xxhash import xxh3_64_digest

from scenthound.model import Response
from scenthound.parse.page import parse
from scenthound.text.term_digests import term_digests


def test_each_term_has_eight_bytes_in_their_order() -> None:
    assert term_digests(["fern", "\ud800", "moss"]) == b"".join(
        xxh3_64_digest(term) for term in (b"fern", b"\xed\xa0\x80", b"moss")
    )
    assert term_digests([]) == b""


def test_a_page_that_was_parsed_has_those_of_its_terms() -> None:
    page = parse(Response("http://a.test/", 200, (("Content-Type", "text/html"),), b"<p>Ferns grow beside moss"), "en")
    assert page.terms
    assert page.term_digests == term_digests(page.terms)
