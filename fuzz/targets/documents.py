"""Documents that servers send. They are read in a process of their own, and must not need it."""

from __future__ import annotations

from collections.abc import Hashable

from fuzz.targets.target import level, must, target
from scenthound import urls
from scenthound.model import Response
from scenthound.parse.document_text import document_text
from scenthound.parse.page import parse_guarded
from scenthound.parse.page_limits import MAX_TEXT

FORMATS = ("txt", "csv", "pdf")


@target(
    "documents",
    *("%PDF-1.7\n", "1 0 obj\n", "endobj\n", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[", "]/Count 1>>"),
    *("<</Type/Page/Parent 2 0 R/Contents 3 0 R>>", "stream\n", "\nendstream", "/Filter/FlateDecode", "/Length 9"),
    *("BT (x) Tj ET", "/Annots[", "/S/URI/URI(http://a.test/)", "xref\n0 1\n", "trailer<</Root 1 0 R>>", "startxref\n"),
    *("http://b.test/(x).", ";", ",", "\t", '"', "|", "\r\n", b"\xef\xbb\xbf", b"\xff\xfe", "```"),
    refuses=False,
)
def try_document(data: bytes) -> Hashable:
    name = FORMATS[data[0] % len(FORMATS)] if data else "txt"
    if data.startswith(b"%PDF-"):
        name = "pdf"
    page = parse_guarded(
        Response(f"http://a.test/x.{name}", 200, (("Content-Type", "application/octet-stream"),), data)
    )
    must(name == "pdf" or not page.problem, f"text that cannot be read: {page.problem}")
    must(len(page.text) <= MAX_TEXT, "more text than is kept")
    must(all(urls.canonical(link.url) == link.url for link in page.links), "a link that is not canonical")
    must(all(link.block < max(len(page.blocks), 1) for link in page.links), "a link in no block")
    said = document_text(page, name)
    must(len(said.markdown) <= 3 * len(page.text) + 100 * (len(page.blocks) + 1), "more Markdown than text")
    parts = (len(page.links), len(page.blocks), len(page.text))
    return (name, *map(level, parts), page.charset, bool(page.title), page.problem[:20])
