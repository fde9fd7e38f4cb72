import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from scenthound.parse.content_tree import content_tree
from scenthound.parse.markdown import markdown, plain_markdown

URL = "http://a.example/b/c.html"


def written(html: str) -> str:
    """All of a page, whatever the rules for main content say."""
    tree = content_tree(html.encode())
    tree.kept[:] = [True] * len(tree.kept)
    return markdown(tree, URL)


def rendered(text: str) -> str:
    """What a reader of CommonMark sees."""
    html = MarkdownIt("commonmark").enable("table").render(text)
    return re.sub(r"<[^>]+>", " ", html)


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<h1>A</h1><p>One  two\n three</p><h3>B <em>c</em></h3>", "# A\n\nOne two three\n\n### B c\n"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n\n- b\n\n  - c\n"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b\n"),
        ("<dl><dt>Otter<dd>swims</dl>", "Otter\n\n- swims\n"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b\n"),
        ("<p>a<br>b", "a\nb\n"),
        ("<p>run <code>rm  -rf `x`</code> now", "run `` rm -rf `x` `` now\n"),
        ('<pre class="language-sql">SELECT 1\n  FROM t\n</pre>', "```sql\nSELECT 1\n  FROM t\n```\n"),
        ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````\n"),
        ('<p>see <a href="../d">this [1]</a>.', "see [this \\[1\\]](http://a.example/d).\n"),
        ('<p><a href="javascript:alert(1)">x</a> <a href="#top">y</a>', "x y\n"),
        ('<p><a href="/x(1)">y</a>', "[y](http://a.example/x%281%29)\n"),
        (
            "<table><caption>T</caption><tr><th>a<th>b|c<tr><td>1<td></table>",
            "T\n\n| a | b\\|c |\n| --- | --- |\n| 1 |  |\n",
        ),
        ("<table><tr><td><h2>Left</h2><p>x</td><td><ul><li>y</ul></td></table>", "## Left\n\nx\n\n- y\n"),
        ("<p>1. not a list<p># nor a heading<p>- nor that", "1\\. not a list\n\n\\# nor a heading\n\n\\- nor that\n"),
        ("<p>&lt;script&gt;alert(1)&lt;/script&gt;", "\\<script>alert(1)\\</script>\n"),
        ("<p>&amp;lt; *x* my_name", "\\&lt; \\*x\\* my_name\n"),
        ("<b>a</b> <i>b</i>", "a b\n"),
        ("<a href='/x'><h2>Title</h2></a>", "## Title\n"),
        ("<h2>Title<p>One.<p>Two.<h2>Next</h2>x", "## Title\n\nOne.\n\nTwo.\n\n## Next\n\nx\n"),
        ("<h2>Title<ul><li>a<li>b</ul><p>c", "## Title\n\n- a\n- b\n\nc\n"),
        ("<h2><font><b>Title<p>Text", "## Title\n\nText\n"),
        ("<h2><code>Title<p>Text", "## `Title`\n\nText\n"),
        ("<h2><a href='/x'><div>A</div></a> </h2>", "## [A](http://a.example/x)\n"),
        ("<h2><div>A</div><div>B <b>c</b></div></h2>", "## A\n\nB c\n"),
        ("<h2><div><p>A<p>B</div>C", "## A\n\nB\n\nC\n"),
        ("<h2><ul><li>a<li>b</ul></h2>", "- a\n- b\n"),
        ("<h2>A<br>B</h2>", "## A B\n"),
        ("", "\n"),
    ],
)  # fmt: skip
def test_structure(html: str, wanted: str) -> None:
    assert written(html) == wanted


@given(st.lists(st.text(alphabet="ab1 .#*_-+>`[]()|\\<&;!~=:\n", max_size=20), max_size=5))
def test_text_stays_text(texts: list[str]) -> None:
    escaped = [text.replace("&", "&amp;").replace("<", "&lt;") for text in texts]
    html = "".join(f"<p>{text}</p>" for text in escaped)
    seen = rendered(written(html)).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert seen.split() == " ".join(texts).split()


TAGS = ("h2", "/h2", "p", "div", "/div", "b", "/b", "a href=/", "/a", "ul><li", "li", "/ul", "code", "/code", "br")


@given(st.lists(st.sampled_from(TAGS), max_size=12))
def test_of_headings_that_do_not_end_nothing_is_lost_and_nothing_said_twice(tags: list[str]) -> None:
    html = "<h2>" + "".join(f"<{tag}> w{number} " for number, tag in enumerate(tags))
    assert re.findall(r"w\d+", rendered(written(html))) == [f"w{number}" for number in range(len(tags))]


@given(st.text(alphabet="ab1 .#*_-+>`[]()|\\<&;!~=:\n", max_size=60))
def test_plain_text_stays_text(text: str) -> None:
    seen = rendered(plain_markdown(text)).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert seen.split() == text.split()


@pytest.mark.parametrize("tag", ["div", "ul><li", "blockquote", "b", "table><tr><td", "h2><div", "h2><b><p"])
def test_nesting_without_end(tag: str) -> None:
    assert "deep" in written(f"<{tag}>" * 3000 + "deep")
