"""Main content as Markdown: paragraphs, headings, lists, tables, code and links as the page has them.

It is CommonMark with the tables of GitHub. What a page writes that would mean something in Markdown is escaped, so that
a page can put neither markup nor HTML into what is made of it; links that are no web addresses are plain text. Emphasis
and images are left out. A table that only arranges things is no table: its cells are written one after the other. A
heading is one line: where a page forgets to close it, what follows is inside of it, and is written below it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from scenthound.parse.content_tree import SPACE, ContentTree, Element
from scenthound.urls import Base

DEEPEST = 100
"""Levels of elements that are told apart; what lies deeper is plain text."""

LONGEST_CELL = 600
MOST_COLUMNS = 30

Nodes = list[Element | int]

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CODE = frozenset({"code", "tt", "kbd", "samp"})
_GROUP_TAGS = (
    "address article body center dd details div dt fieldset figcaption figure footer form header hgroup li main nav p "
    "section summary caption thead tbody tfoot tr td th legend option optgroup"
)
_GROUPS = frozenset(_GROUP_TAGS.split())
_NO_CELLS = frozenset({"table", "ul", "ol", "dl", "pre", "blockquote", "form", *_HEADINGS})
_blank = re.compile(r"\s+")
_special = re.compile(
    r"[\\`*]|(?<!\w)_|_(?!\w)|<(?=[a-zA-Z/!?])|&(?=#?\w+;)|\](?=[(\[:])|!(?=\[)|~(?=~)|\|(?=[\s:|-]*-)"
)
_at_line_start = re.compile(r"(?:#{1,6}(?:\s|$)|[-+](?:\s|$)|>|=+\s*$|-+\s*$|_{3,}|~{3})")
_number_at_start = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_language = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([A-Za-z0-9+#.-]+)").search
_backticks = re.compile("`+").findall


def markdown(tree: ContentTree, url: str) -> str:
    """The kept texts of a page. `url` is what its links are relative to."""
    return "\n\n".join(_Writer(tree, Base(url)).blocks(tree.root, 0)) + "\n"


def plain_markdown(text: str) -> str:
    """Plain text: paragraphs as they are, and nothing in it that Markdown would take for more."""
    paragraphs = (_paragraph(_escaped(part)) for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(filter(None, paragraphs)) + "\n"


class _Writer:
    def __init__(self, tree: ContentTree, base: Base) -> None:
        self.texts = tree.texts
        self.kept = tree.kept
        self.base = base
        self.links = 0

    def wants(self, element: Element) -> bool:
        return any(self.kept[element.first : element.end])

    def blocks(self, parent: Element, depth: int) -> list[str]:
        """The children of an element as blocks of Markdown, each of one or more lines."""
        made: list[str] = []
        line: list[str] = []

        def end_line() -> None:
            if text := _paragraph("".join(line)):
                made.append(text)
            line.clear()

        for child in parent.children:
            if isinstance(child, int):
                line.append(self.text(child))
            elif child.tag == "br":
                line.append("\n")
            elif not self.wants(child):
                continue
            elif depth >= DEEPEST:
                line.append(self.flat(child))
            elif (write := self.writer_of(child)) is not None:
                end_line()
                made += write(child, depth + 1)
            else:
                line.append(self.inline(child, depth + 1))
        end_line()
        return made

    def writer_of(self, element: Element) -> Callable[[Element, int], list[str]] | None:
        """What writes a block element; None for one that stands in a line."""
        tag = element.tag
        if tag in _GROUPS or (tag not in _BLOCK_WRITERS and _holds_blocks(element)):
            return self.blocks
        written = _BLOCK_WRITERS.get(tag)
        return None if written is None else lambda each, depth: written(self, each, depth)

    # In a line

    def text(self, number: int) -> str:
        if number == SPACE:
            return " "
        return _escaped(_blank.sub(" ", self.texts[number])) if self.kept[number] else ""

    def inline(self, element: Element, depth: int) -> str:
        if element.tag == "br":
            return "\n"
        if depth >= DEEPEST:
            return self.flat(element)
        if element.tag in _CODE:
            return _code(self.raw(element))
        inside = "".join(
            self.text(child) if isinstance(child, int) else self.inline(child, depth + 1)
            for child in element.children
            if isinstance(child, int) or child.tag == "br" or self.wants(child)
        )
        return self.link(element.value, inside) if element.tag == "a" else inside

    def link(self, href: str, inside: str) -> str:
        shown = inside.strip()
        if not shown or not href or href.startswith("#") or "](" in shown:
            return inside
        target = self.base.resolve(href)
        if not isinstance(target, str):
            return inside
        before, after = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
        return f"{before and ' '}[{_brackets(shown)}]({_target(target)}){after and ' '}"

    def raw(self, element: Element) -> str:
        """The kept text as it stands."""
        return "".join(self.texts[number] for number in self.numbers(element))

    def flat(self, element: Element) -> str:
        return _escaped(_blank.sub(" ", " ".join(self.texts[number] for number in self.numbers(element))))

    def numbers(self, element: Element) -> Iterator[int]:
        return (number for number in range(element.first, element.end) if self.kept[number])

    # Blocks

    def heading(self, element: Element, depth: int) -> list[str]:
        line, below = self.first_line(element.children, depth)
        words = _blank.sub(" ", self.inline(_part(element, line), depth)).strip()
        above = [f"{'#' * _HEADINGS[element.tag]} {words}"] if words else []
        return [*above, *self.blocks(_part(element, below), depth)]

    def first_line(self, children: Sequence[Element | int], depth: int, begun: bool = False) -> tuple[Nodes, Nodes]:
        """What stands in the first line of text, and what comes below it. `begun`: some of that line stands before.

        A line ends where a block begins or ends, as `<p>` in a heading that is not closed. Lists, tables and the like
        are no line.
        """
        line: Nodes = []
        for place, child in enumerate(children):
            if isinstance(child, int) or not self.wants(child) or depth >= DEEPEST:
                line.append(child)
                begun = begun or (child >= 0 and self.kept[child] if isinstance(child, int) else self.wants(child))
                continue
            block = child.tag in BLOCKS
            if block and (begun or child.tag not in _GROUPS):
                return line, [*children[place:]]
            inside, below = self.first_line(child.children, depth + 1, begun)
            line.append(_part(child, inside))
            if block:
                return line, [_part(child, below), *children[place + 1 :]]
            if below:
                return line, [*below, *children[place + 1 :]]
            begun = True
        return line, []

    def code_block(self, element: Element, depth: int) -> list[str]:
        text = _verbatim(element, self.texts, self.kept).strip("\n").rstrip()
        classes = " ".join([element.value, *(each.value for each in element.children if isinstance(each, Element))])
        named = _language(classes)
        fence = "`" * max(3, 1 + max(map(len, _backticks(text)), default=0))
        return [f"{fence}{named[1] if named else ''}\n{text}\n{fence}"]

    def quote(self, element: Element, depth: int) -> list[str]:
        inside = "\n\n".join(self.blocks(element, depth))
        return ["\n".join(f"> {line}".rstrip() for line in inside.split("\n"))] if inside else []

    def item_list(self, element: Element, depth: int) -> list[str]:
        number = int(element.value) if element.value.isdecimal() and len(element.value) < 9 else 1
        items = []
        for child in element.children:
            if isinstance(child, Element) and self.wants(child):
                mark = f"{number}. " if element.tag == "ol" else "- "
                number += 1
                items.append(_indented(mark, "\n\n".join(self.blocks(_alone(child), depth))))
        loose = any("\n\n" in item for item in items)
        return [("\n\n" if loose else "\n").join(items)] if items else self.blocks(element, depth)

    def definitions(self, element: Element, depth: int) -> list[str]:
        made: list[str] = []
        for child in element.children:
            if not isinstance(child, Element) or not self.wants(child):
                continue
            if child.tag == "dd":
                made.append(_indented("- ", "\n\n".join(self.blocks(child, depth))))
            elif child.tag == "div":
                made += self.definitions(child, depth)
            else:
                made += self.blocks(_alone(child), depth)
        return made

    def table(self, element: Element, depth: int) -> list[str]:
        rows = [[self.cell(cell, depth) for cell in row] for row in _rows(element)] if _is_data(element) else []
        rows = [row for row in rows if any(row)]
        width = max(map(len, rows), default=0)
        if (
            len(rows) < 2
            or not 2 <= width <= MOST_COLUMNS
            or any(len(cell) > LONGEST_CELL for row in rows for cell in row)
        ):
            return self.blocks(element, depth)
        lines = [f"| {' | '.join([*row, *([''] * (width - len(row)))])} |" for row in rows]
        caption = [child for child in element.children if isinstance(child, Element) and child.tag == "caption"]
        above = [block for each in caption if self.wants(each) for block in self.blocks(each, depth)]
        return [*above, "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])]

    def cell(self, element: Element, depth: int) -> str:
        return _blank.sub(" ", self.inline(element, depth)).strip().replace("|", "\\|") if self.wants(element) else ""


_BLOCK_WRITERS: dict[str, Callable[[_Writer, Element, int], list[str]]] = {
    **dict.fromkeys(_HEADINGS, _Writer.heading),
    "pre": _Writer.code_block,
    "blockquote": _Writer.quote,
    "ul": _Writer.item_list,
    "ol": _Writer.item_list,
    "menu": _Writer.item_list,
    "dir": _Writer.item_list,
    "dl": _Writer.definitions,
    "table": _Writer.table,
    "hr": lambda writer, element, depth: [],
}


BLOCKS = _GROUPS | _BLOCK_WRITERS.keys()
"""Elements that begin and end a block of text."""


def _holds_blocks(element: Element) -> bool:
    """Whether an element that belongs into a line holds blocks all the same: `<a><h2>`, `<font><p>`."""
    return any(isinstance(child, Element) and child.tag in BLOCKS for child in element.children)


def _part(element: Element, children: Nodes) -> Element:
    """An element with some of its children, in their order."""
    texts = [(each, each + 1) if isinstance(each, int) else (each.first, each.end) for each in children]
    texts = [span for span in texts if span[0] != SPACE]
    first, end = (texts[0][0], texts[-1][1]) if texts else (element.first, element.first)
    return replace(element, children=children, first=first, end=end)


def _alone(item: Element) -> Element:
    """What a list holds, as something that holds blocks: also where a page leaves out `<li>`."""
    if item.tag in _GROUPS:
        return item
    return Element("li", children=[item], first=item.first, end=item.end)


def _rows(table: Element) -> Iterator[list[Element]]:
    for child in table.children:
        if isinstance(child, Element):
            if child.tag == "tr":
                yield [cell for cell in child.children if isinstance(cell, Element) and cell.tag in ("td", "th")]
            elif child.tag in ("thead", "tbody", "tfoot"):
                yield from _rows(child)


def _is_data(table: Element) -> bool:
    """Whether its cells hold words and no structure: then it is a table, and no means to arrange a page."""
    waiting = [child for child in table.children if isinstance(child, Element)]
    while waiting:
        element = waiting.pop()
        if element.tag in _NO_CELLS:
            return False
        waiting += [child for child in element.children if isinstance(child, Element)]
    return True


def _verbatim(element: Element, texts: list[str], kept: list[bool]) -> str:
    pieces: list[str] = []
    waiting: list[Element | int] = [*reversed(element.children)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Element):
            if each.tag == "br":
                pieces.append("\n")
            waiting += reversed(each.children)
        elif each == SPACE:
            pieces.append(" ")
        else:
            pieces.append(texts[each])
    return "".join(pieces)


def _paragraph(text: str) -> str:
    """One paragraph: blanks put together, lines that end in `<br>` kept apart, nothing at a line's start misread."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(_start_escaped(line) for line in lines if line)


def _start_escaped(line: str) -> str:
    if _at_line_start.match(line):
        return f"\\{line}"
    return _number_at_start.sub(r"\1\\\2", line, count=1) if line[0].isdigit() else line


def _escaped(text: str) -> str:
    return _special.sub(r"\\\g<0>", text)


def _brackets(text: str) -> str:
    return re.sub(r"(?<!\\)[\[\]]", r"\\\g<0>", _blank.sub(" ", text))


def _target(url: str) -> str:
    return url.replace("(", "%28").replace(")", "%29")


def _code(text: str) -> str:
    words = _blank.sub(" ", text).strip()
    if not words:
        return " "
    fence = "`" * (1 + max(map(len, _backticks(words)), default=0))
    edge = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{fence}{edge}{words}{edge}{fence}"


def _indented(mark: str, text: str) -> str:
    first, *rest = (text or "").split("\n")
    return "\n".join([f"{mark}{first}".rstrip(), *(f"{' ' * len(mark)}{line}".rstrip() for line in rest)])
