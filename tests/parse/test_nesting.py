import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from scenthound.parse import nesting as module
from scenthound.parse.hostile_html import _FORMATTING
from scenthound.parse.nesting import flatten

NAMES = (
    *("div", "p", "span", "li", "dd", "dt", "ul", "table", "tr", "td", "th", "tbody", "caption", "a", "h1", "form"),
    *("select", "option", "optgroup", "button", "object", "template", "svg", "g", "path", "foreignObject", "title"),
    *("math", "mi", "script", "style", "textarea", "noscript", "iframe", "section", "x", "input", "br", "hr", "body"),
)
TAGS = st.one_of(
    st.sampled_from([f"<{name}>" for name in NAMES]),
    st.sampled_from([f"</{name}>" for name in NAMES]),
    st.builds(
        "<{0}{1}>".format,
        st.sampled_from(NAMES),
        st.sampled_from(["/", " a='<'", ' a=">"', ' title="</div>"', " a=b'", ' ="<p>"', " x=1 y='2'"]),
    ),
    st.sampled_from(["<!-- x -->", "<!--", "-->", "<!-->", "<![CDATA[", "]]>", "<?x ", "</ ", "text", "<", ">", '"']),
)
SOURCES = st.lists(TAGS, max_size=60).map(lambda tags: "".join(tags).encode())
# As a page does it that wants to be deeper than it looks: some tags over and over.
REPEATED = st.builds(
    lambda tags, times: "".join(tags * times).encode(), st.lists(TAGS, min_size=1, max_size=6), st.just(30)
)


def depth_taken_for(source: bytes) -> int:
    """The least limit at which all of the source is kept."""
    steps = [module._step_of(name) for name in module._TOKEN.findall(source)]
    with pytest.MonkeyPatch.context() as patch:
        for limit in range(len(steps) + 1):
            patch.setattr(module, "MAX_DEPTH", limit)
            if not module._excess(steps):
                return limit
    raise AssertionError("no limit is enough")


def depth_in_tree(source: bytes) -> int:
    """How deep elements stand inside each other in the body, as the parser has it."""
    deepest, level = 0, [LexborHTMLParser(source, options=1).body]
    while level := [child for node in level if node is not None for child in node.iter(include_text=False)]:
        deepest += 1
    return deepest


@settings(deadline=None, max_examples=300)
@given(SOURCES | REPEATED, st.integers(3, 100))
@example(b"<div></span>" * 30, 100)
@example(b"<li><dd>" * 30, 100)
@example(b"<div><!--</div>-->" * 30, 100)
@example(b'<p title="</div>"><div>' * 30, 100)
@example(b"<div><script></div></script>" * 30, 100)
@example(b"<select><div><input><span></div></select>" * 30, 100)
@example(b"<svg><script><div></script></svg>" * 30, 100)
@example(b"<svg><input>" * 30, 4)
@example(b"<div>" * 4 + b"<table><td>" + b"</div>" * 4, 100)
def test_nothing_is_deeper_than_it_is_taken_for(source, allowed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_DEPTH", allowed)
        flat = flatten(_FORMATTING.sub(b" ", source))
    # A table's rows and bodies come in by themselves; and see the module about the quarter.
    assert depth_in_tree(flat) <= 4 * allowed + 3


@settings(deadline=None)
@given(SOURCES)
def test_nothing_is_taken_out_in_vain(source):
    source = flatten(source)  # no drawings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_DEPTH", depth_taken_for(source))
        assert flatten(source) == source


@pytest.mark.parametrize(
    ("source", "depth"),
    [
        (b"<!doctype html><html><head><title>x</title></head><body><!-- nothing --><p>x</p></body></html>", 1),
        (b"<ul><li>one<li>two<ul><li>deeper</ul><li>three</ul>", 4),
        (b"<dl><dt>a<dd>b<dt>c<dd>d</dl>", 2),
        (b"<table><tr><td>1<td>2<tr><td>3<td>4</table><table><tr><th>5</table>", 3),
        (b"<p>one<p>two<div>three</div><p>four", 1),
        (b"<div><span>left open</div><div><span>once more</div>", 2),
        (b'<div class="a" id=b data-x=\'c\'><img alt="x"><br/></div><DIV><hr></Div>', 1),
        (b"<p><a href=x>one<a href=y>two</a><x>three</x>", 2),
    ],
)
def test_pages_as_people_make_them_are_as_deep_as_they_are(source, depth):
    assert depth_taken_for(source) == depth
    assert flatten(source) == source


def test_start_tags_below_the_limit_are_taken_out(monkeypatch):
    monkeypatch.setattr(module, "MAX_DEPTH", 2)
    assert flatten(b"<x><x>y</x></x>" * 9) == b"<x><x>y</x></x>" * 9
    assert flatten(b"</x></x><x><x><x>y</x>") == b"</x></x><x><x> y</x>"
    assert flatten(b"<x><x><!-- c --><x><br>y") == b"<x><x><!-- c --> <br>y"
    assert flatten(b"<x><x><!-- <x> --><x><a href=y>y</a><script>z</script>") == (
        b"<x><x><!--   --> <a href=y>y</a><script>z</script>"
    )


def test_a_drawing_goes_as_a_whole():
    source = b"<div><svg width=9>" + b'<path d="M0"/>' * 9 + b"</svg></div><div><h2>Title</h2></div>"
    assert flatten(source) == b"<div> </div><div><h2>Title</h2></div>"
    assert flatten(b"<svg><svg><math/>x") == b"<xsvg><xsvg><xmath/>x"


def test_what_is_remembered_of_tags_is_bounded():
    names = b"".join(b"<n%d>" % number + b"</n%d>" % number for number in range(3 * module._REMEMBERED_NAMES))
    assert flatten(names) == names
    assert flatten(b"<" + b"n" * 100_000 + b">" + names).endswith(names)
    steps = module._step_of.__self__
    assert len(steps) <= module._REMEMBERED_NAMES
    assert max(map(len, steps)) <= module._LONGEST_NAME + 1
