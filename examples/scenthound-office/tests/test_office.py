"""Office documents made by hand, read by the plug-in as Scenthound finds it."""

import io
import zipfile

import pytest

from scenthound.model import Response
from scenthound.parse.document import checked_formats, reader_for
from scenthound.parse.safe_parse import parse_safely

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
DOCX = {
    "word/document.xml": f"""<w:document {W}><w:body>
        <w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Spores</w:t></w:r></w:p>
        <w:p><w:r><w:t>Ferns have </w:t></w:r><w:r><w:t>spores.</w:t></w:r></w:p></w:body></w:document>""",
    "word/_rels/document.xml.rels": """<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Id="r1" Target="https://b.test/x" TargetMode="External"/></Relationships>""",
    "docProps/core.xml": '<c:p xmlns:c="c" xmlns:dc="dc"><dc:title>On ferns</dc:title></c:p>',
}
XLSX = {
    "xl/workbook.xml": "<workbook><sheets><sheet name='Counts'/></sheets></workbook>",
    "xl/sharedStrings.xml": "<sst><si><t>fern</t></si><si><t>valley</t></si></sst>",
}
ODT = {
    "content.xml": """<o:d xmlns:o="o" xmlns:t="t" xmlns:x="x"><t:h>Moss</t:h>
        <t:p>It grows on <t:a x:href="https://b.test/stones">stones</t:a>.</t:p></o:d>""",
}


def answer(name: str, files: dict[str, str]) -> Response:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return Response(f"http://a.test/{name}", 200, (("Content-Type", "application/octet-stream"),), stream.getvalue())


def test_word() -> None:
    page = parse_safely(answer("ferns.docx", DOCX), "en")
    assert (page.title, page.headings, page.problem) == ("On ferns", ("Spores",), "")
    assert "Ferns have spores." in page.text
    assert [link.url for link in page.links] == ["https://b.test/x"]


def test_spreadsheet() -> None:
    page = parse_safely(answer("fern-counts.xlsx", XLSX), "en")
    assert (page.title, page.description) == ("fern counts", "Counts")
    assert {"fern", "vallei"} <= set(page.terms)


def test_open_document() -> None:
    page = parse_safely(answer("moss.odt", ODT), "en")
    assert (page.title, [link.url for link in page.links]) == ("Moss", ["https://b.test/stones"])


@pytest.mark.parametrize("body", [b"", b"PK\x03\x04", b"no zip at all"])
def test_what_is_none_has_a_problem(body: bytes) -> None:
    response = Response("http://a.test/x.docx", 200, (("Content-Type", "application/octet-stream"),), body)
    assert parse_safely(response).problem


def test_want_knows_the_endings() -> None:
    assert checked_formats(["docx,xlsx"]) == {"docx", "xlsx"}
    assert reader_for("ods") is not None
