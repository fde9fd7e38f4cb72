"""One list of shapes, two pens: SVG that is well-formed, PDF that a reader opens and finds the words in."""

import xml.etree.ElementTree as ET

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.report.figure import Area, Dot, Figure, Stroke, Word, text_width

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = [
    Area([(10, 10), (90, 20), (90, 60), (10, 50)], "#1f7a5c"),
    Stroke([(10, 90), (90, 20)], "#c2571a", 1.5, (3, 2)),
    Dot((50, 80), "#3b6fb6", 5.0),
    Word((50, 95), "harvest (mean) <é>", 8, "middle"),
    Word((8, 60), "recall", 8, "middle", upwards=True),
]


def words_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        assert len(document) == 1
        return str(document[0].get_textpage().get_text_range())
    finally:
        document.close()


def test_both_show_the_same() -> None:
    figure = Figure(100, 100, "A & B", SHAPES)
    tree = ET.fromstring(figure.svg())
    assert tree.get("viewBox") == "0 0 100 100"
    assert tree.findtext(f"{SVG}title") == "A & B"
    assert [word.text for word in tree.iter(f"{SVG}text")] == ["harvest (mean) <é>", "recall"]
    assert len(list(tree.iter(f"{SVG}path"))) == 2
    words = words_of(figure.pdf())
    assert "harvest (mean) <é>" in words
    assert "recall" in words


def test_a_pdf_is_drawn_where_and_as_it_should_be() -> None:
    document = pypdfium2.PdfDocument(Figure(100, 100, "x", SHAPES).pdf())
    assert document[0].get_size() == (100, 100)
    picture = document[0].render().to_pil().convert("RGB")
    assert picture.getpixel((50, 80)) == (0x3B, 0x6F, 0xB6)  # the dot, counted from above
    assert picture.getpixel((95, 95)) == (255, 255, 255)
    red, green, blue = picture.getpixel((20, 30))  # the area is light
    assert (red, green, blue) != (255, 255, 255)
    assert min(red, green, blue) > 200
    document.close()


@given(st.text(max_size=30))
def test_whatever_a_strategy_is_called(name: str) -> None:
    figure = Figure(50, 20, "x", [Word((5, 10), name)])
    assert figure.pdf().startswith(b"%PDF-")
    ET.fromstring(figure.svg())


@pytest.mark.parametrize(("text", "width"), [("", 0.0), ("0.5", 13.9), ("WWW", 28.32)])
def test_how_wide_words_are(text: str, width: float) -> None:
    assert text_width(text, 10) == pytest.approx(width)
