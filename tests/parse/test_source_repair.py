import re

from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.source_repair import repair

PLAIN = re.compile(
    rb"<(?<=\S<)(?=/?(?:p(?:[\s/>]|re)|d[idtl]|l[ie]|t[dhra]|b[rl]|h[1-6re]|[uo][lp]|c[ea]|f(?:o[ro]|i)|ad)|/?(?-i:sec|art|asi|nav|main|det|sum))",
    re.IGNORECASE,
)
"""Block tags without a space before them, and nothing said about those that are none."""

NAMES = """
a abbr address article aside b br blockquote caption center code col dd details div dl dt em embed fieldset figure font
footer form h1 h6 header hr i img label li legend link main nav ol option p param pre q s section small span strong sub
summary table tbody td th title tr tt u ul var
"""
TAGS = st.builds(
    lambda start, name, end: (start + name + end).encode(),
    st.sampled_from(["<", "</", "< ", "x<", " <", "\n<", "\v<", "<<"]),
    st.sampled_from(NAMES.split()).flatmap(lambda name: st.sampled_from([name, name.upper(), name.title()])),
    st.sampled_from([">", " ", "\n", "\t>", "/>", "", " class=x>"]),
)


@given(st.lists(st.one_of(TAGS, st.binary(max_size=4)), max_size=30).map(b"".join))
def test_a_space_before_every_block_tag_that_has_none(source):
    if b"<!--" not in source and b"<frameset" not in source.lower():
        assert repair(source) == PLAIN.sub(b" <", source)


def test_words_of_neighbouring_blocks_and_of_inline_elements():
    assert repair(b"<li>one</li><LI>two<p>x</p>") == b"<li>one </li> <LI>two <p>x </p>"
    assert repair(b"<b>W</b>ord<span>s</span><code>c</code><em>e</em><a>f</a><A >") == (
        b"<b>W</b>ord<span>s</span><code>c</code><em>e</em><a>f</a><A >"
    )
    assert repair(b"x<address>y<article>z<center>") == b"x <address>y <article>z <center>"
