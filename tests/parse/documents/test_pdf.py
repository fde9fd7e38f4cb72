import sys

import pytest

from scenthound.errors import UsageError
from scenthound.model import Page, Response
from scenthound.parse.document import Document, reader_for
from scenthound.parse.documents import pdf as pdf_reader
from scenthound.parse.documents.pdf import PdfReader, paragraphs
from scenthound.parse.safe_parse import ParserProcess, parse_safely
from tests.pdf_files import pdf, put_together

URL = "http://a.test/papers/fern-spores.pdf"


def answer(body: bytes, kind: str = "application/pdf") -> Response:
    return Response(URL, 200, (("Content-Type", kind),), body)


def document(body: bytes) -> Document:
    return PdfReader().read(answer(body))


def test_text_title_language_outline_and_links() -> None:
    body = pdf(
        [["Ferns of the valley", "They grow in the shade."], ["See https://b.test/spores."]],
        title="All about ferns",
        language="de-AT",
        link="https://c.test/valley",
        outline=["Introduction", "Spores"],
    )
    made = document(body)
    assert (made.title, made.language) == ("All about ferns", "de")
    assert [(part.heading, part.level) for part in made.parts] == [("Introduction", 1), ("Spores", 1)]
    assert "They grow in the shade." in made.parts[0].text
    assert [(link.href, link.anchor, link.part) for link in made.links] == [
        ("https://c.test/valley", "Ferns of the valley", 0),
        ("https://b.test/spores", "https://b.test/spores", 1),
    ]


@pytest.mark.parametrize("told", ["", "Microsoft Word - draft7.doc", "Untitled", "thesis-final.tex"])
def test_a_title_that_says_nothing_gives_way_to_the_first_words(told: str) -> None:
    assert document(pdf([["Ferns of the valley", "x"]], title=told)).title == "Ferns of the valley"


def test_lines_become_paragraphs_and_divided_words_whole() -> None:
    text = (
        "The fern is a plant that has no flowers and\r\n"
        "no seeds, but spores, which are car-\r\nried by the wind and by running wa\x02\r\n"
        "ter.\r\nIt likes shade and the damp air of woods, as\r\nmosses do.\r\n\r\nA heading\r\nThe end."
    )
    assert list(paragraphs(text)) == [
        "The fern is a plant that has no flowers and no seeds, but spores, which are carried by the wind and by "
        "running water.",
        "It likes shade and the damp air of woods, as mosses do.",
        "A heading",
        "The end.",
    ]
    assert list(paragraphs("")) == []


def test_only_the_first_pages_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_reader, "MOST_PAGES", 2)
    made = document(pdf([["one"], ["two"], ["three"]]))
    assert [part.text for part in made.parts] == ["one", "two"]
    monkeypatch.setattr(pdf_reader, "MAX_TEXT", 5)
    assert "".join(part.text for part in document(pdf([["one two three"], ["four"]])).parts) == "one t"


def test_it_is_a_page_like_any_other() -> None:
    page = parse_safely(answer(pdf([["Ferns of the valley", "grow ferns"]], link="/more")))
    assert (page.title, page.problem) == ("Ferns of the valley", "")
    assert page.terms["fern"] == 3, "twice in the text, and once in the title"
    [link] = page.links
    assert (link.url, link.source, link.anchor) == ("http://a.test/more", URL, "Ferns of the valley")
    assert "grow ferns" in link.context
    untyped = parse_safely(Response("http://a.test/download?id=7", 200, (), pdf([["Ferns"]])))
    assert untyped.title == "Ferns", "known by its first bytes"


def looped() -> bytes:
    """A tree of pages that is its own child."""
    return put_together(
        {1: b"<</Type/Catalog/Pages 2 0 R>>", 2: b"<</Type/Pages/Kids[2 0 R]/Count 1000000>>", 6: b"<<>>"}
    )


def nested() -> bytes:
    return put_together({1: b"<</Type/Catalog/Pages 2 0 R/X " + b"[" * 50_000 + b">>", 2: b"<<>>", 6: b"<<>>"})


@pytest.mark.parametrize(
    "body",
    [
        b"%PDF-1.7\n",
        b"%PDF-1.7\n" + bytes(range(256)) * 40,
        pdf([["x"]])[:400],
        looped(),
        nested(),
        pdf([["x"]]).replace(b"/Count 1", b"/Count 9999999"),
        pdf([["x"]], content=b"q " * 200_000),
    ],
    ids=["empty", "noise", "cut", "loop", "nested", "count", "deep"],
)
def test_a_broken_file_has_a_problem_or_little_in_it_and_the_next_one_is_read(body: bytes) -> None:
    page = parse_safely(answer(body))
    assert isinstance(page, Page)
    assert page.problem or len(page.text) < 100
    assert parse_safely(answer(pdf([["still here"]]))).text == "still here"


SMALL = (
    "import sys; from scenthound.parse.parser_worker import work; work(sys.stdin.buffer, sys.stdout.buffer, 60_000_000)"
)


@pytest.mark.skipif(sys.platform != "linux", reason="only here can a process be bounded")
def test_a_file_that_wants_all_memory_is_given_up() -> None:
    """One drawing after the other, each of which PDFium keeps."""
    process = ParserProcess(command=(sys.executable, "-c", SMALL))
    try:
        greedy = pdf([["x"]], content=b"0 0 m 1 1 l S " * 500_000)
        assert process.parse(answer(greedy), "").page.problem
        assert process.parse(answer(pdf([["still here"]])), "").page.text == "still here"
    finally:
        process.close()


def test_without_the_library_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(UsageError, match=r"pip install 'scenthound\[pdf\]'"):
        PdfReader().check_installation()
    assert isinstance(reader_for("pdf"), PdfReader)
