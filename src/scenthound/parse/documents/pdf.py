"""PDF, read by PDFium: the library that Chromium shows them with, at some 500 pages a second.

A page of a PDF is a part of the document; the outline, where there is one, gives the headings. Text stands in a PDF
line by line, so lines that run to the margin are put together to paragraphs, and words that were divided to words.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import quantiles
from typing import Any

from scenthound.errors import UsageError
from scenthound.model import Response
from scenthound.parse.document import Document, DocumentLink, DocumentPart, document_reader
from scenthound.parse.documents.txt import urls_in
from scenthound.parse.head import language_of
from scenthound.parse.page_limits import MAX_TEXT

MOST_PAGES = 1_000
MOST_LINKS = 5_000
MOST_HEADINGS = 5_000
LONGEST_URL = 4_000
SHORTEST = 20  # characters; a line that is shorter ends its paragraph
RUNS_ON = 0.75
"""A line that is so long, as a share of the long ones of its page, is not the last of its paragraph."""

MISSING = "PDF files are read by pypdfium2, which is not installed: pip install 'scenthound[pdf]'"

_DIVIDERS = ("\ufffe", "\x02")  # what PDFium puts where a word is divided
_NO_TITLE = re.compile(r"(?:untitled|microsoft word - |.*\.(?:docx?|indd|tex|dvi|pdf|pptx?)$)", re.IGNORECASE)


@document_reader("pdf")
@dataclass
class PdfReader:
    """Text, title, language, outline and links of the first thousand pages."""

    def check_installation(self) -> None:
        try:
            import pypdfium2  # noqa: F401
        except ImportError:
            raise UsageError(MISSING) from None

    def read(self, response: Response) -> Document:
        self.check_installation()
        import pypdfium2

        pdf = pypdfium2.PdfDocument(response.body)
        try:
            return _document(pdf)
        finally:
            pdf.close()


def _document(pdf: Any) -> Document:
    headings = _headings(pdf)
    parts: list[DocumentPart] = []
    links: list[DocumentLink] = []
    first, room = "", MAX_TEXT
    for number in range(min(len(pdf), MOST_PAGES)):
        page = pdf[number]
        textpage = page.get_textpage()
        lines = textpage.get_text_range(0, min(textpage.count_chars(), room))
        first = first or next(filter(None, map(str.strip, lines.splitlines())), "")
        text = "\n\n".join(paragraphs(lines))
        heading, level = headings.get(number, ("", 0))
        parts.append(DocumentPart(text, heading, level))
        if len(links) < MOST_LINKS:
            links += [*_annotated(pdf, page, textpage, number), *urls_in(text, number)]
        textpage.close()
        page.close()
        room -= len(text)
        if room <= 0:
            break
    told = _metadata(pdf, "Title")
    title = told if told and not _NO_TITLE.match(told) else first  # a program may put the name of another file there
    return Document(title, _metadata(pdf, "Subject"), _language(pdf), "", tuple(parts), links=tuple(links))


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a page that is given line by line."""
    lines = [" ".join(line.split()) for line in text.replace("\r", "\n").split("\n")]
    lengths = sorted(len(line) for line in lines if line)
    long = quantiles(lengths, n=10)[-1] if len(lengths) > 1 else 0
    gathered = ""
    for line in filter(None, lines):
        gathered = _joined(gathered, line)
        if len(line) < max(RUNS_ON * long, SHORTEST) and not _divided(line):
            yield gathered
            gathered = ""
    if gathered:
        yield gathered


def _joined(before: str, line: str) -> str:
    """Two lines as one, a word that was divided between them whole again."""
    if before and before[-1] in _DIVIDERS:
        return before[:-1] + line
    if _divided(before) and line[0].islower():
        return before[:-1] + line
    return f"{before} {line}" if before else line


def _divided(line: str) -> bool:
    return line[-1:] in _DIVIDERS or (line.endswith("-") and line[-2:-1].isalpha())


def _headings(pdf: Any) -> dict[int, tuple[str, int]]:
    """Page -> the first entry of the outline that leads there, and its level."""
    found: dict[int, tuple[str, int]] = {}
    for count, item in enumerate(pdf.get_toc(max_depth=6)):
        if count >= MOST_HEADINGS:
            break
        target = item.get_dest()
        number = target.get_index() if target is not None else None
        if number is not None and number >= 0 and (title := " ".join(item.get_title().split())):
            found.setdefault(number, (title[:500], min(item.level + 1, 6)))
    return found


def _metadata(pdf: Any, key: str) -> str:
    return " ".join(str(pdf.get_metadata_value(key)).split())


def _language(pdf: Any) -> str:
    import pypdfium2.raw as pdfium

    length = pdfium.FPDFCatalog_GetLanguage(pdf, None, 0)
    if not 2 < length < 100:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFCatalog_GetLanguage(pdf, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return language_of(buffer.raw[: length - 2].decode("utf-16-le", "replace"))


def _annotated(pdf: Any, page: Any, textpage: Any, number: int) -> Iterator[DocumentLink]:
    """Links that are areas of a page, with the words in them."""
    import pypdfium2.raw as pdfium

    place, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    for _ in range(MOST_LINKS):
        if not pdfium.FPDFLink_Enumerate(page, ctypes.byref(place), ctypes.byref(link)):
            return
        action = pdfium.FPDFLink_GetAction(link)
        length = pdfium.FPDFAction_GetURIPath(pdf, action, None, 0) if action else 0
        if not 1 < length <= LONGEST_URL:
            continue
        buffer = ctypes.create_string_buffer(length)
        pdfium.FPDFAction_GetURIPath(pdf, action, buffer, length)
        area = pdfium.FS_RECTF()
        words = ""
        if pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(area)):
            words = textpage.get_text_bounded(area.left, area.bottom, area.right, area.top)[:500]
        yield DocumentLink(buffer.value.decode("utf-8", "replace"), " ".join(words.split()), number)
