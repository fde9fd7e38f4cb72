"""The one walk over the tree: asks it for the nodes that matter, notes their attributes, and marks their places."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct, field
from selectolax.lexbor import LexborHTMLParser, LexborNode

from scenthound.parse import text_positions
from scenthound.parse.head import Head, collapse, language_of
from scenthound.parse.hostile_html import make_safe
from scenthound.parse.links import FoundLink
from scenthound.parse.source_repair import FRAME, repair

MAX_NODES = 10_000
"""Link elements looked at on one page; and as many images, and as many headings. The rest is text only."""

MAX_PARTS = 2_000
"""Elements that divide a page without headings."""

_UNSEEN = "script,style,noscript,template,noembed"
_LINKS = f"a[href],area[href],{FRAME}[src],iframe"
# What we want is twenty kinds of elements, and each node of a page would be held against all of them. Most nodes are
# of one of these kinds instead, so they are ruled out by name, and what else comes along is passed over in the walk.
_PLENTIFUL = "span,p,li,div,td,code,b,tr,em,br,i,dd,dt,ul"
_WANTED = f"a[href],:not(a,{_PLENTIFUL})"
_PARTS = "hr,section,article,main,nav,header,footer,aside,form,ul,ol,dl,table,td,div"
_WITHOUT_EVENTS = 1  # LexborDocumentOptions.WO_EVENTS: no copying of content from one place of the tree to another

_KEPT, _LARGE_PIECE = 16 << 20, 1 << 20
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # as in malloc.h

_LINK, _LINK_END = text_positions.mark(text_positions.LINK), text_positions.mark(text_positions.LINK_END)
_HEADING, _HEADING_END = text_positions.mark(text_positions.HEADING), text_positions.mark(text_positions.HEADING_END)
_IMAGE, _SPOT, _BREAK = (
    text_positions.mark(text_positions.IMAGE),
    text_positions.mark(text_positions.SPOT),
    text_positions.mark(text_positions.BREAK),
)


def _tag_ids() -> dict[int, str]:
    """The library's number of each tag we ask for: reading the number of a node is cheaper than reading its name."""
    names = "a area embed iframe img h1 h2 h3 h4 h5 h6 title meta link base script style noscript template noembed time"
    ids = {}
    for name in names.split():
        node = LexborHTMLParser(f"<{name}>").css_first(name)
        assert node is not None
        ids[node.tag_id] = name
    return ids


_TAGS = _tag_ids()
_SILENT = frozenset(_UNSEEN.split(","))


Attributes = dict[str, str | None]


class PageNodes(Struct):
    """What the walk brought home. `links` and `images` are in the order of their marks in `text`."""

    head: Head = field(default_factory=Head)
    links: list[FoundLink] = field(default_factory=list)
    loose: list[FoundLink] = field(default_factory=list)  # from `noscript`: no place in the text
    images: list[tuple[str, str]] = field(default_factory=list)  # src, alt
    levels: list[int] = field(default_factory=list)  # of the headings
    scripts: int = 0
    asks_for_scripts: bool = False  # `noscript` says that it takes JavaScript to see something
    text: str = ""  # marked


def _keep_freed_memory() -> None:
    """Spares pages the work of getting their memory from the system: up to a fifth of the time that parsing takes.

    A tree takes half a megabyte, all of it free again when its page is done. GNU's C library may give that back, and
    the next page asks for it again, in a hundred interruptions of 4 KB each; here it is told to keep some megabytes.
    Large pieces, such as copies of what was learned, do go back: among small ones they would leave holes behind that
    nothing fits into. Where there is another library it is left as it is.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_M_TRIM_THRESHOLD, _KEPT)
    mallopt(_M_MMAP_THRESHOLD, _LARGE_PIECE)


_keep_freed_memory()


def gather(source: bytes) -> PageNodes:
    """Parses the source (UTF-8, without NULs) and walks over its tree."""
    tree = LexborHTMLParser(repair(make_safe(source)), options=_WITHOUT_EVENTS)
    gathered = PageNodes()
    root = tree.root
    if root is None:
        return gathered
    gathered.head.language = language_of(root.attributes.get("lang") or root.attributes.get("xml:lang") or "")
    nodes = iter(root.css(_WANTED))
    tag_of = _TAGS.get
    for node in nodes:
        tag = tag_of(node.tag_id)
        if tag == "a":
            _take_anchor(gathered, node)
        elif tag in _SILENT:
            _leave_out(gathered, tag, node, nodes)
        elif tag:
            _take(gathered, tag, node)
    if not gathered.levels:
        _mark_parts(root)
    gathered.text = tree.body.text() if tree.body is not None else ""
    return gathered


def _leave_out(gathered: PageNodes, tag: str, node: LexborNode, nodes: Iterator[LexborNode]) -> None:
    """Takes what nobody sees out of the tree, and what is in it, which comes next, out of `nodes`."""
    if tag == "script":
        gathered.scripts += 1
        gathered.head.dates.take_script(node)
    elif tag != "style":
        if tag == "noscript":
            gathered.loose += _loose_links(node)
            gathered.asks_for_scripts |= "javascript" in node.text().lower()
        inside = sum(found.mem_id != node.mem_id for found in node.css(_WANTED))
        next(islice(nodes, inside, inside), None)
    node.decompose(recursive=False)


def _take_anchor(gathered: PageNodes, node: LexborNode) -> None:
    attributes = node.attributes
    href = _href(attributes)
    if (not href or href[0] == "#") and not gathered.head.base:
        return  # to another part of its own page: not worth a mark, and manuals are full of them
    links = gathered.links
    if len(links) < MAX_NODES:
        node.insert_before(_LINK)
        node.insert_after(_LINK_END)
        links.append(_anchor(href, attributes))


def _take(gathered: PageNodes, tag: str, node: LexborNode) -> None:
    if tag == "img":
        if len(gathered.images) < MAX_NODES:
            node.insert_before(_IMAGE)
            attributes = node.attributes
            gathered.images.append((attributes.get("src") or "", collapse(attributes.get("alt") or "")))
    elif tag[0] == "h":
        if len(gathered.levels) < MAX_NODES:
            node.insert_before(_HEADING)
            node.insert_after(_HEADING_END)
            gathered.levels.append(int(tag[1]))
    elif tag in ("area", "embed", "iframe"):
        attributes = node.attributes
        if tag != "iframe" and not _leads_on(tag, attributes):
            return
        if len(gathered.links) < MAX_NODES:
            node.insert_before(_SPOT)
            gathered.links.append(_spot(tag, attributes))
        if (child := node.first_child) is not None and child.is_text_node:
            child.decompose()  # what is in an iframe is for browsers without frames
    else:
        gathered.head.take(tag, node)


def _mark_parts(root: LexborNode) -> None:
    """On a page without headings, marks where the parts of its structure begin and end."""
    for node in root.css(_PARTS)[:MAX_PARTS]:
        node.insert_before(_BREAK)
        node.insert_after(_BREAK)


def _href(attributes: Attributes) -> str | None:
    return attributes["href"] if "href" in attributes else attributes.get("xlink:href")  # as in SVG


def _leads_on(tag: str, attributes: Attributes) -> bool:
    """Whether an area of an image map is a link, and an embedded thing a frame."""
    return "href" in attributes if tag == "area" else "data-frame" in attributes and "src" in attributes


def _anchor(href: str | None, attributes: Attributes) -> FoundLink:
    if href and ">" in href:  # the closing quote is missing, and the value runs on: <a href="x.html>here</a>
        href = href.partition(">")[0]
    title, rel = attributes.get("title"), attributes.get("rel")
    return FoundLink("a", href or "", collapse(title) if title else "", " ".join(rel.lower().split()) if rel else "")


def _spot(tag: str, attributes: Attributes) -> FoundLink:
    """A link without text of its own: part of an image map, or a frame."""
    words = collapse(" ".join(filter(None, (attributes.get("title"), attributes.get("alt")))))
    if tag == "area":
        rel = " ".join((attributes.get("rel") or "").lower().split())
        return FoundLink("area", _href(attributes) or "", words, rel)
    return FoundLink("frame", attributes.get("src") or "", words)


def _loose_links(noscript: LexborNode) -> list[FoundLink]:
    found = []
    for node in noscript.css(_LINKS)[:MAX_NODES]:
        tag = _TAGS[node.tag_id]
        attributes = node.attributes
        link = _anchor(_href(attributes), attributes) if tag == "a" else _spot(tag, attributes)
        link.anchor = collapse(node.text()) if tag == "a" else ""
        found.append(link)
    return found
