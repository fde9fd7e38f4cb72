"""`LinkList` against the plain telling of its rules."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound.model import Link
from scenthound.parse.links import CONTEXT, MAX_ANCHOR, NOWHERE, FoundLink, LinkList
from scenthound.parse.text_positions import Span
from scenthound.urls import Base, Malformed

PAGE = "http://h/a/b.html"
TEXT = ("The quick brown fox jumps over the lazy dog and thinks that dogs are odd. " * 12)[:-1]

FOUND = st.builds(
    FoundLink,
    kind=st.sampled_from(["a", "canonical", "refresh", "area"]),
    href=st.sampled_from(["x", "/x", "y.html", "b.html", "mailto:z", "http://[", "?q"]),
    title=st.sampled_from(["", "title"]),
    rel=st.sampled_from(["", "nofollow"]),
    anchor=st.sampled_from(["", "", "said"]),
)
SPAN = st.one_of(
    st.just(NOWHERE),
    st.builds(
        lambda start, length, block: Span(start, min(start + length, len(TEXT)), block),
        st.integers(0, len(TEXT)),
        st.sampled_from([0, 1, 4, 20, MAX_ANCHOR, MAX_ANCHOR + 1, len(TEXT)]),
        st.integers(0, 3),
    ),
)


def around(start: int, end: int) -> str:
    """From a word's beginning at most CONTEXT before the anchor to a word's end at most CONTEXT behind it."""
    begins = [place for place in range(max(0, start - CONTEXT), start) if place == 0 or TEXT[place - 1] == " "]
    ends = [place for place in range(end, min(len(TEXT), end + CONTEXT) + 1) if TEXT[place : place + 1] in (" ", "")]
    left = begins[0] if begins else max(0, start - CONTEXT)
    right = ends[-1] if ends else min(len(TEXT), end + CONTEXT)
    return TEXT[left:right].strip()


def plainly(given: list[tuple[FoundLink, Span]]) -> tuple[Link, ...]:
    links: dict[str, Link] = {}
    for found, span in given:
        url = Base(PAGE).resolve(found.href)
        if isinstance(url, Malformed) or url == PAGE:
            continue
        end = min(span.end, span.start + MAX_ANCHOR)
        anchor = found.anchor or TEXT[span.start : end].strip()
        context = "" if span is NOWHERE else around(span.start, end)
        if url not in links:
            links[url] = Link(url, PAGE, anchor, found.title, context, span.block, len(links), found.rel, found.kind)
        elif anchor and not links[url].anchor and links[url].kind not in ("canonical", "refresh"):
            title = " ".join(filter(None, (links[url].title, found.title)))
            links[url] = replace(links[url], anchor=anchor, title=title, context=context, block=span.block)
    return tuple(links.values())


@given(st.lists(st.tuples(FOUND, SPAN), max_size=8))
def test_links_are_as_the_rules_say(given):
    links = LinkList(PAGE, Base(PAGE), TEXT)
    for found, span in given:
        links.add(found, span)
    assert links.done() == plainly(given)
