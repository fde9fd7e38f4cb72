from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.revisit.detect.structure import MOST_TAGS, distance, structure, tag_names
from tests.watchdog import no_hang

EXAMPLE = b"<html><head><title>T</title></head><body><h1>H</h1><p>a</p><p>b</p><p>c</p></body></html>"


def test_the_published_example() -> None:
    found = structure(EXAMPLE)
    assert found.first == "hhtbhppp"
    assert found.last == "ldey1ppp"


def test_a_single_letter_stands_in_both_strings() -> None:
    found = structure(b"<p><b><a href=x>")
    assert (found.first, found.last) == ("pba", "pba")


def test_comments_scripts_and_closing_tags_open_nothing() -> None:
    source = b'<!-- <table> --><script>if (a <b) "<td>"</script></p><P class="<i">x<STYLE>a<b</style><br/>'
    assert tag_names(source) == ["script", "p", "i", "style", "br"]  # a tag within an attribute is read as one


def test_strings_may_agree_where_names_do_not() -> None:
    before, after = structure(b"<table><td>x"), structure(b"<table><thead>x")
    assert (before.first, before.last) == (after.first, after.last)
    assert before.digest != after.digest
    assert 0 < distance(before, after) < 0.5


def test_advertisements_are_not_part_of_the_calm_structure() -> None:
    before = structure(b"<body><p>a</p></body>")
    after = structure(b"<body><p>a</p><script src=ad></script><ins></ins><iframe></iframe></body>")
    assert before.digest != after.digest
    assert before.calm == after.calm


def test_distance_grows_with_what_changed() -> None:
    whole = structure(b"<p>" * 50)
    assert distance(whole, whole) == 0
    little = distance(whole, structure(b"<p>" * 50 + b"<b>"))
    assert 0 < little < distance(whole, structure(b"<p>" * 25 + b"<td>" * 25)) < 1
    assert distance(structure(b"<p>"), structure(b"")) == 1


@given(st.binary(max_size=300))
def test_nothing_raises_and_strings_are_of_one_length(source: bytes) -> None:
    found = structure(source)
    assert len(found.first) == len(found.last) == len(tag_names(source))


@pytest.mark.parametrize("source", [b"<script" * 800_000, b"<!--" * 1_200_000, b"<p " * 2_000_000, b"<" * 5_000_000])
def test_hostile_sources_cost_no_more_than_others(source: bytes) -> None:
    with no_hang():
        assert len(structure(source).first) <= MOST_TAGS
