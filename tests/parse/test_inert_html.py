"""What is left of a hostile page: words, and tags that were written here."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.inert_html import DROPPED, KEPT, MOST_NODES, inert_html

TAG = re.compile(r"<[^>]*>")
OURS = re.compile(
    r'</?(?:[a-z][a-z0-9]*(?: (?:colspan|rowspan)="\d+")*|a href="/x" target="_top"|span class="picture")>'
)


def here(href: str) -> str:
    return "/x" if href else ""


def test_words_and_structure_stay() -> None:
    shown = inert_html("<h1 id=x onclick=evil()>Otters</h1><p>in <b>rivers</b>", here)
    assert shown == "<h1>Otters</h1><p>in <b>rivers</b></p>"


@pytest.mark.parametrize(
    "source",
    [
        "<script>evil()</script>",
        "<img src=x onerror=evil()>",
        "<svg><script>evil()</script></svg>",
        "<iframe srcdoc='<script>evil()</script>'></iframe>",
        "<math><mtext><style><img src=x onerror=evil()></style></mtext></math>",
        "<noscript><p title='</noscript><img src=x onerror=evil()>'></noscript>",
        "<style>body{background:url(http://evil.example/)}</style>",
        "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
        "<link rel=preconnect href=http://evil.example/><base href=http://evil.example/>",
        "<form action=http://evil.example/><input autofocus onfocus=evil()></form>",
        "<object data=evil></object><embed src=evil><video src=evil autoplay></video>",
        "<template><script>evil()</script></template>",
    ],
)
def test_nothing_runs_or_loads(source: str) -> None:
    shown = inert_html(source, here)
    assert "evil" not in shown


def test_links_lead_where_we_say_and_pictures_are_their_words() -> None:
    shown = inert_html(
        "<a href='javascript:evil()' ping=http://evil.example/>go</a><a>no</a><img alt='an <otter>'>", here
    )
    assert shown == '<a href="/x" target="_top">go</a>no<span class="picture">an &lt;otter&gt;</span>'


def test_spans_of_cells_are_small_numbers() -> None:
    shown = inert_html("<table><tr><td colspan=2 rowspan='9&quot; onclick=evil()'>x<td colspan=99999>y</table>", here)
    assert 'colspan="2"' in shown
    assert "evil" not in shown
    assert "99999" not in shown


def test_a_nest_without_end_ends() -> None:
    shown = inert_html("<div>" * 200_000 + "x", here)
    assert shown.count("<div>") <= MOST_NODES
    assert shown.count("<div>") == shown.count("</div>")


@given(st.text(st.sampled_from("<>/\"'= abdivscriptonload&;:-!`\x00"), max_size=200) | st.text(max_size=60))
def test_every_tag_is_ours(source: str) -> None:
    for tag in TAG.findall(inert_html(source, here)):
        assert OURS.fullmatch(tag), tag


def test_what_is_kept_is_not_dropped() -> None:
    assert not KEPT & DROPPED
