"""Readers of office documents: a zip file with XML in it, of which the words are taken.

An entry point names the ending that a reader is for, and the class; see pyproject.toml.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from scenthound.model import Response
from scenthound.parse.document import Document, DocumentLink, DocumentPart

MOST_XML = 50_000_000
"""Bytes of XML, unpacked, that are read: a zip file may promise any number."""

MOST_TEXT = 1_000_000
RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass
class WordReader:
    """Word's .docx: paragraphs, headings by their style, title, links."""

    def read(self, response: Response) -> Document:
        archive = zipfile.ZipFile(io.BytesIO(response.body))
        parts: list[DocumentPart] = []
        gathered: list[str] = []
        heading, level = "", 0
        for paragraph in _elements(_xml(archive, "word/document.xml"), "p"):
            text = "".join(node.text or "" for node in _elements(paragraph, "t"))
            if found := _heading_level(paragraph):
                parts.append(DocumentPart("\n\n".join(gathered), heading, level))
                gathered, heading, level = [], text, found
            elif text.strip():
                gathered.append(text)
        parts.append(DocumentPart("\n\n".join(gathered)[:MOST_TEXT], heading, level))
        kept = tuple(part for part in parts if part.text or part.heading)
        title = _title(archive) or next((part.heading or part.text[:200] for part in kept), "")
        return Document(title=title, parts=kept, links=tuple(_links(archive)))


@dataclass
class SpreadsheetReader:
    """Excel's .xlsx: the words of its cells, and the names of its sheets."""

    def read(self, response: Response) -> Document:
        archive = zipfile.ZipFile(io.BytesIO(response.body))
        names = [sheet.get("name") or "" for sheet in _elements(_xml(archive, "xl/workbook.xml"), "sheet")]
        words: list[str] = []
        if "xl/sharedStrings.xml" in archive.namelist():
            for item in _elements(_xml(archive, "xl/sharedStrings.xml"), "si"):
                words.append("".join(node.text or "" for node in _elements(item, "t")))
        text = "\n".join(words)[:MOST_TEXT]
        return Document(title=_title(archive), description=", ".join(names), parts=(DocumentPart(text),))


@dataclass
class OpenTextReader:
    """OpenDocument, .odt and .ods: paragraphs and cells."""

    def read(self, response: Response) -> Document:
        archive = zipfile.ZipFile(io.BytesIO(response.body))
        content = _xml(archive, "content.xml")
        lines = ("".join(node.itertext()) for node in content.iter() if _name(node) in ("p", "h"))
        hrefs = (value for node in _elements(content, "a") for key, value in node.items() if key.endswith("}href"))
        text = "\n\n".join(line for line in lines if line.strip())[:MOST_TEXT]
        title = next((node.text or "" for node in _elements(_xml(archive, "meta.xml"), "title")), "")
        links = tuple(DocumentLink(href) for href in hrefs)
        return Document(title=title or text.partition("\n")[0][:200], parts=(DocumentPart(text),), links=links)


def _xml(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    """A part of the file; an empty one where it is not there."""
    if name not in archive.namelist():
        return ElementTree.Element("none")
    with archive.open(name) as file:
        source = file.read(MOST_XML + 1)
    if len(source) > MOST_XML:
        raise ValueError(f"{name} is larger than {MOST_XML} bytes")
    return ElementTree.fromstring(source)


def _name(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2]


def _elements(node: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    return (each for each in node.iter() if _name(each) == name)


def _heading_level(paragraph: ElementTree.Element) -> int:
    """1 to 6 for a paragraph in the style of a heading, else 0."""
    for style in _elements(paragraph, "pStyle"):
        value = next((value for key, value in style.items() if key.endswith("}val")), "")
        if value.lower().startswith("heading") and value[-1].isdigit():
            return min(max(int(value[-1]), 1), 6)
    return 0


def _title(archive: zipfile.ZipFile) -> str:
    return next((node.text or "" for node in _elements(_xml(archive, "docProps/core.xml"), "title")), "")


def _links(archive: zipfile.ZipFile) -> Iterator[DocumentLink]:
    for relation in _xml(archive, "word/_rels/document.xml.rels").iter(RELATIONS):
        if relation.get("TargetMode") == "External" and (target := relation.get("Target")):
            yield DocumentLink(target)
