"""A page as a light tree of elements, and which of its texts are main content by resiliparse's rules.

The library tells main content from menus and footers, but gives it out as plain text, without tables and code. So every
text is given a mark, one character of Unicode's private planes that stands for its number; the library is asked for
its plain text; and the marks that are still in it say which texts it kept. What is made of them is our business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import DOMNode, HTMLTree, NodeType

from scenthound.parse.hostile_html import make_safe
from scenthound.parse.source_repair import repair

MOST_TEXTS = 100_000
"""Pieces of text of a page that are looked at: as many as there are marks, nearly."""

SPACE = -1
"""Stands among the numbers of texts for blank text, which parts what is around it."""

_FIRST_MARK = 0xF0000
_PRIVATE = re.compile("[\U000f0000-\U0010ffff]")
_UNSEEN = frozenset({"script", "style", "noscript", "template", "noembed", "iframe", "svg", "math", "head", "title"})
_WANTED = {"a": "href", "pre": "class", "code": "class", "ol": "start", "img": "alt"}
"""Element -> the attribute that is wanted of it."""

_ASIDE_TAGS = frozenset({"nav", "footer", "aside", "form", "button", "select", "menu", "dialog"})
_ASIDE_ROLES = frozenset({"navigation", "contentinfo", "banner", "search", "menu", "menubar", "complementary"})
_names_aside = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|sidebar|side-?nav|breadcrumbs?|footer|cookies?|social|share|"
    r"pagination|pager|toc|skip)(?:$|[\s_-])",
    re.IGNORECASE,
).search
_names_banner = re.compile(
    r"(?:^|[\s_-])(?:cookies?|gdpr|consent)(?:[_-]?(?:banner|bar|notice|consent|law|popup|message|info|box|alert))+",
    re.IGNORECASE,
).search


class Element(Struct):
    """An element: its children are elements, and numbers of texts. `first` to `end`: the texts inside, in order."""

    tag: str
    value: str = ""  # of the one attribute that is wanted
    children: list[Element | int] = field(default_factory=list)
    first: int = 0
    end: int = 0
    aside: bool = False  # navigation, a footer, a form: by its name or role, or inside of one
    banner: bool = False  # asks for consent to cookies, by its name


class ContentTree(Struct):
    """A page: its elements, its texts as they stand in the source, and which of them were kept as main content."""

    root: Element
    texts: list[str]
    kept: list[bool]

    def elements(self) -> Iterator[Element]:
        """All of them, each before its children."""
        waiting = [self.root]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += [child for child in reversed(element.children) if isinstance(child, Element)]

    def keeps(self, element: Element) -> bool:
        return any(self.kept[element.first : element.end])


def content_tree(source: bytes) -> ContentTree:
    """The tree of a page that is UTF-8 without NULs."""
    html = _PRIVATE.sub("", repair(make_safe(source)).decode("utf-8", "replace"))
    tree = HTMLTree.parse(html)
    texts: list[str] = []
    root = Element("body")
    if tree.body is not None:
        for number, text in enumerate(_taken_in(tree.body, root, texts)):
            _mark(tree, text, number)
    kept = [False] * len(texts)
    for mark in _PRIVATE.findall(extract_plain_text(tree, main_content=True, links=False, list_bullets=False)):
        kept[ord(mark) - _FIRST_MARK] = True
    return ContentTree(root, texts, kept)


def _taken_in(body: DOMNode, root: Element, texts: list[str]) -> list[DOMNode]:
    """Walks over the tree without recursion, for a page may nest as it likes. The nodes of the texts."""
    nodes: list[DOMNode] = []
    inside = [root]
    node = body.first_child
    while node is not None:
        child = None
        if node.type == NodeType.TEXT:
            if _take_text(node.value or "", inside[-1], texts):
                nodes.append(node)
        elif node.type == NodeType.ELEMENT and node.tag not in _UNSEEN:
            element = _element(node, inside[-1].aside, len(texts))
            inside[-1].children.append(element)
            child = node.first_child
            if child is not None:
                inside.append(element)
        if child is None:
            while node.next is None and len(inside) > 1:
                node = node.parent
                inside.pop().end = len(texts)
            child = node.next
        node = child
    root.end = len(texts)
    return nodes


def _take_text(value: str, parent: Element, texts: list[str]) -> bool:
    if not value or len(texts) >= MOST_TEXTS:
        return False
    if value.isspace():
        parent.children.append(SPACE)
        return False
    parent.children.append(len(texts))
    texts.append(value)
    return True


def _element(node: DOMNode, aside: bool, first: int) -> Element:
    tag = node.tag
    wanted = _WANTED.get(tag)
    value = (node.getattr(wanted) or "") if wanted else ""
    named = f"{node.class_name} {node.id}"
    banner = len(named) > 1 and _names_banner(named) is not None
    if not aside:
        aside = tag in _ASIDE_TAGS or node.getattr("role") in _ASIDE_ROLES or _names_aside(named) is not None
    return Element(tag, value, first=first, end=first, aside=aside, banner=banner)


def _mark(tree: HTMLTree, text: DOMNode, number: int) -> None:
    if (parent := text.parent) is not None:
        parent.insert_before(tree.create_text_node(chr(_FIRST_MARK + number)), text)
