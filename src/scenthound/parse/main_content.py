"""What of a page is main content: the library's choice, mended where it is known to err.

resiliparse leaves out lists that are not plainly part of an article, and keeps the small print at the end. So a list
beside kept text comes back, unless it is navigation; banners about cookies go; and so does what the page says at its
end about itself (copyright, last change). `benchmarks/main_text.py` says what that is worth, on a hundred pages.
"""

from __future__ import annotations

import re

from scenthound.parse.content_tree import ContentTree, Element, content_tree
from scenthound.parse.markdown import BLOCKS

LISTS = frozenset({"ul", "ol", "dl", "table"})
_SMALL_PRINT_WORDS = 80  # at most, for what a page says about itself at its end
_small_print = re.compile(
    r"©|\bcopyright\b|\ball rights reserved\b|\btrademarks?\b|\bretrieved from\b|\bprivacy policy\b|"
    r"\b(?:last|zuletzt|dernière)\s+(?:modified|updated?|changed|published|generated|geändert|modification)\b|"
    r"\b(?:page|site) (?:was )?(?:last )?(?:maintained|generated|updated)\b",
    re.IGNORECASE,
).search


def main_content(source: bytes) -> ContentTree:
    """The tree of a page (UTF-8, without NULs) with what is main content of it."""
    tree = content_tree(source)
    _drop_banners(tree)
    _put_lists_back(tree)
    _cut_small_print(tree)
    return tree


def _drop_banners(tree: ContentTree) -> None:
    """What asks for consent is no content, unless it is all there is."""
    for element in tree.elements():
        if element.banner and 2 * (element.end - element.first) < len(tree.texts):
            tree.kept[element.first : element.end] = [False] * (element.end - element.first)


def _put_lists_back(tree: ContentTree) -> None:
    """A list that was left out while its neighbour was kept is content as well, unless it says that it is not."""
    for parent in tree.elements():
        if parent.aside:
            continue
        neighbours = [child for child in parent.children if isinstance(child, Element) and _says_something(child)]
        for place, element in enumerate(neighbours):
            if element.tag not in LISTS or element.aside or tree.keeps(element):
                continue
            beside = [*neighbours[max(0, place - 1) : place], *neighbours[place + 1 : place + 2]]
            if any(tree.keeps(each) for each in beside):
                tree.kept[element.first : element.end] = [True] * (element.end - element.first)


def _says_something(element: Element) -> bool:
    return element.end > element.first


def _cut_small_print(tree: ContentTree) -> None:
    """Takes the last block of text away as long as it speaks of the page and not of its subject."""
    blocks = [block for block in _text_blocks(tree) if any(tree.kept[number] for number in block)]
    while len(blocks) > 1:
        block = blocks.pop()
        text = " ".join(tree.texts[number] for number in block if tree.kept[number])
        if len(text.split()) > _SMALL_PRINT_WORDS or not _small_print(text):
            return
        for number in block:
            tree.kept[number] = False


def _text_blocks(tree: ContentTree) -> list[list[int]]:
    """The texts, those together that stand in one block: a paragraph, a cell, an item."""
    blocks: list[list[int]] = [[]]
    waiting: list[Element | int] = [tree.root]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Element):
            if each.tag in BLOCKS and blocks[-1]:
                blocks.append([])
            waiting += reversed(each.children)
        elif each >= 0:
            blocks[-1].append(each)
    return blocks
