"""A page somebody else wrote, as something to look at: nothing of it runs, loads or leads anywhere by itself.

Nothing is copied from the page but its words and the bare frame around them. Every tag and attribute that comes out
was written here, so what a browser makes of a strange spelling does not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scenthound.parse.hostile_html import make_safe

MOST_BYTES = 4_000_000
MOST_NODES = 60_000

KEPT = frozenset(
    {
        *("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "section", "article", "main", "header", "footer", "nav"),
        *("aside", "ul", "ol", "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"),
        *("blockquote", "pre", "code", "em", "strong", "b", "i", "u", "s", "sub", "sup", "small", "br", "hr", "figure"),
        *("figcaption", "abbr", "address", "cite", "q", "time", "mark", "kbd", "samp", "var", "del", "ins", "span"),
    }
)
"""Tags that come out as they are, without their attributes; of others the content is kept ..."""

DROPPED = frozenset(
    {
        *("script", "style", "noscript", "template", "iframe", "frame", "frameset", "object", "embed", "applet", "svg"),
        *("math", "head", "title", "select", "textarea", "audio", "video", "canvas", "input", "button", "link", "meta"),
        *("base", "plaintext", "xmp", "noembed", "noframes"),
    }
)
"""... but of these nothing is."""

EMPTY = frozenset({"br", "hr"})
NUMBERS = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan")}


def inert_html(source: bytes | str, link: Callable[[str], str]) -> str:
    """The body of a page. `link` says for an href what it is to lead to here; empty: nowhere."""
    raw = source if isinstance(source, bytes) else source.encode("utf-8", "replace")
    tree = LexborHTMLParser(make_safe(raw[:MOST_BYTES]))
    body = tree.body
    if body is None:
        return ""
    parts: list[str] = []
    waiting: list[LexborNode | str] = [body]
    nodes = 0
    while waiting and nodes < MOST_NODES:
        node = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        nodes += 1
        before, after, inside = _shown(node, link)
        parts.append(before)
        if after:
            waiting.append(after)
        if inside:
            waiting.extend(reversed(list(node.iter(include_text=True))))
    parts.extend(end for end in reversed(waiting) if isinstance(end, str))
    return "".join(parts)


def _shown(node: LexborNode, link: Callable[[str], str]) -> tuple[str, str, bool]:
    """What stands before and behind the content of a node, and whether that is shown."""
    tag = node.tag or ""
    if tag == "-text":
        return escape(node.text_content or ""), "", False
    if tag in DROPPED or tag.startswith(("-", "!")):
        return "", "", False
    if tag == "img":
        alt = (node.attributes.get("alt") or "").strip()
        return (f'<span class="picture">{escape(alt)}</span>' if alt else ""), "", False
    if tag == "a":
        target = link(node.attributes.get("href") or "")
        return (f'<a href="{escape(target)}" target="_top">', "</a>", True) if target else ("", "", True)
    if tag not in KEPT:
        return "", "", True
    numbers = "".join(
        f' {name}="{int(value)}"'
        for name in NUMBERS.get(tag, ())
        if (value := node.attributes.get(name) or "").isascii() and value.isdigit() and 0 < int(value[:4]) < 100
    )
    return f"<{tag}{numbers}>", "" if tag in EMPTY else f"</{tag}>", tag not in EMPTY
