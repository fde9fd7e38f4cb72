"""Blocks of pages without headings. Those by headings are tested with the page."""

from hypothesis import given
from hypothesis import strategies as st

from scenthound.model import Page, Response
from scenthound.parse.blocks import DENSE, SHORT, structural_blocks
from scenthound.parse.page import parse
from scenthound.parse.text_positions import Span

LONG = "some words of a section that says a lot " * (SHORT // 40 + 1)


def page(html: str) -> Page:
    return parse(Response("http://example.org/", 200, body=html.encode()), "en")


def opening_words(html: str) -> list[str]:
    return [" ".join(block.text.split()[:2]) for block in page(html).blocks]


def test_long_sections_stand_alone_and_short_ones_together():
    html = f"<section>first one {LONG}</section><section>second one {LONG}</section>"
    assert opening_words(html) == ["first one", "second one"]
    assert opening_words("<section>first one</section><section>second one</section>") == ["first one"]


def test_navigation_is_a_block_of_its_own_however_many_lists_it_has():
    menu = "".join(f"<ul><li><a href=/{n}>Menu entry {n}</a></ul>" for n in range(20))
    got = page(f"{menu}<div>the content {LONG}<a href=/in>inside</a></div><p><a href=/a>About</a> | <a href=/b>Us</a>")
    assert [block.text.split()[0] for block in got.blocks] == ["Menu", "the", "About"]
    assert {link.url[18:]: link.block for link in got.links} == {
        **{f"/{n}": 0 for n in range(20)},
        "/in": 1,
        "/a": 2,
        "/b": 2,
    }


def test_table_cells_and_rules_divide_old_pages():
    html = f"<table><tr><td>left cell {LONG}<td>right cell {LONG}</table>after that {LONG}<hr>last part {LONG}"
    assert opening_words(html) == ["left cell", "right cell", "after that", "last part"]


def test_one_heading_is_enough_for_blocks_by_headings():
    assert opening_words(f"<div>{LONG}</div><h1>The heading</h1><div>{LONG}</div><div>{LONG}</div>") == [
        "some words",
        "The heading",
    ]


def test_a_page_without_structure_is_one_block():
    got = page("<p>text <a href=/x>x</a>")
    assert [block.text for block in got.blocks] == ["text x"]
    assert got.links[0].block == 0
    assert [block.text for block in page("<div></div><hr>").blocks] == [""]


@given(st.lists(st.tuples(st.sampled_from("ab \u00e9"), st.integers(0, 400)), max_size=8), st.data())
def test_blocks_hold_the_whole_text_and_every_link_has_one(parts: list[tuple[str, int]], data: st.DataObject) -> None:
    text = "".join(letter * count for letter, count in parts)
    places = st.integers(0, len(text) + 3)
    breaks = data.draw(st.lists(places, min_size=1, max_size=20))
    ends = [sorted(data.draw(st.tuples(places, places))) for _ in range(5)]
    links = [Span(start, end, 0) for start, end in sorted(ends)]
    blocks = structural_blocks(text, breaks, links)
    assert "".join("".join(block.text for block in blocks).split()) == "".join(text.split())
    assert all(0 <= span.block < len(blocks) for span in links)
    assert [span.block for span in links] == sorted(span.block for span in links)


def test_link_density_is_what_makes_navigation():
    text = "x" * 100 + "y" * 100
    dense = int(100 * DENSE) + 1
    assert len(structural_blocks(text, [100], [Span(0, dense, 0)])) == 2
    assert len(structural_blocks(text, [100], [Span(0, dense - 1, 0)])) == 1
