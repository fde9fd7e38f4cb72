"""A drawing for a paper: lines, areas, dots and words on a white sheet, written as SVG or as PDF.

One list of shapes, two pens: what one file shows, the other does too. Letters are those of Helvetica, which every PDF
reader has, so that no font is put into the file; a name in another script has question marks in the PDF.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Literal

import pydyf
from msgspec import Struct

from scenthound.report.markup import Html, el

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

_WIDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 "
    "278 556 500 722 500 500 500 334 260 334 584"
)
"""How wide Helvetica's letters are, from the blank to the tilde, in thousandths of their size."""
WIDTHS = {chr(32 + place): int(width) / 1000 for place, width in enumerate(_WIDTHS.split())}


def text_width(text: str, size: float) -> float:
    return size * sum(WIDTHS.get(letter, 0.6) for letter in text)


class Stroke(Struct, frozen=True):
    """A line through points."""

    points: Sequence[Point]
    colour: str = "#000000"
    width: float = 1.0
    dash: Sequence[float] = ()


class Area(Struct, frozen=True):
    """What lies between points, lightly filled."""

    points: Sequence[Point]
    colour: str
    opacity: float = 0.12


class Dot(Struct, frozen=True):
    at: Point
    colour: str
    radius: float = 3.0


class Word(Struct, frozen=True):
    """Words at a place, which is where their base line begins, ends or has its middle."""

    at: Point
    text: str
    size: float = 8.0
    anchor: Anchor = "start"
    colour: str = "#000000"
    upwards: bool = False  # turned to the left, as names of upright axes are


Shape = Stroke | Area | Dot | Word


class Figure(Struct, frozen=True):
    """Shapes on a sheet, the first at the bottom. Places are in points, counted from the upper left corner."""

    width: float
    height: float
    title: str
    shapes: Sequence[Shape]

    def svg(self) -> str:
        return str(
            el(
                "svg",
                el("title", self.title),
                *map(_svg_shape, self.shapes),
                xmlns="http://www.w3.org/2000/svg",
                viewBox=f"0 0 {self.width:g} {self.height:g}",
                width=f"{self.width:g}pt",
                height=f"{self.height:g}pt",
                font_family="Helvetica, Arial, sans-serif",
                role="img",
            )
        )

    def pdf(self) -> bytes:
        document = pydyf.PDF()
        stream = pydyf.Stream()
        stream.set_matrix(1, 0, 0, -1, 0, self.height)  # a PDF counts from below
        opacities = sorted({shape.opacity for shape in self.shapes if isinstance(shape, Area)})
        for shape in self.shapes:
            stream.push_state()
            _pdf_shape(stream, shape, opacities)
            stream.pop_state()
        document.add_object(stream)
        font = _named(Type="/Font", Subtype="/Type1", BaseFont="/Helvetica", Encoding="/WinAnsiEncoding")
        document.add_object(font)
        states = pydyf.Dictionary({f"A{nth}": _named(ca=each) for nth, each in enumerate(opacities)})
        resources = pydyf.Dictionary({"Font": pydyf.Dictionary({"F": font.reference}), "ExtGState": states})
        document.add_page(
            _named(
                Type="/Page",
                Parent=document.pages.reference,
                MediaBox=pydyf.Array([0, 0, self.width, self.height]),
                Contents=stream.reference,
                Resources=resources,
            )
        )
        document.info["Title"] = pydyf.String(self.title)
        file = io.BytesIO()
        document.write(file)
        return file.getvalue()


def _named(**entries: object) -> pydyf.Dictionary:
    return pydyf.Dictionary(entries)


def _svg_shape(shape: Shape) -> Html:
    if isinstance(shape, Dot):
        (x, y), radius = shape.at, shape.radius
        return el("circle", cx=f"{x:.2f}", cy=f"{y:.2f}", r=f"{radius:g}", fill=shape.colour)
    if isinstance(shape, Word):
        (x, y), turned = shape.at, None
        if shape.upwards:
            turned = f"rotate(-90 {x:.2f} {y:.2f})"
        return el(
            "text",
            shape.text,
            x=f"{x:.2f}",
            y=f"{y:.2f}",
            font_size=f"{shape.size:g}",
            text_anchor=shape.anchor,
            fill=shape.colour,
            transform=turned,
        )
    path = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in shape.points)
    if isinstance(shape, Area):
        return el("path", d=path + "Z", fill=shape.colour, fill_opacity=f"{shape.opacity:g}")
    dash = " ".join(f"{each:g}" for each in shape.dash) or None
    return el("path", d=path, fill="none", stroke=shape.colour, stroke_width=f"{shape.width:g}",
              stroke_linejoin="round", stroke_dasharray=dash)  # fmt: skip


def _pdf_shape(stream: pydyf.Stream, shape: Shape, opacities: Sequence[float]) -> None:
    colour = [int(shape.colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    stream.set_color_rgb(*colour)
    if isinstance(shape, Word):
        _pdf_word(stream, shape)
    elif isinstance(shape, Dot):
        stream.set_color_rgb(*colour, stroke=True)
        stream.set_line_cap(1)  # a line of no length with round ends is a dot
        stream.set_line_width(2 * shape.radius)
        _pdf_path(stream, [shape.at, shape.at])
        stream.stroke()
    elif isinstance(shape, Area):
        stream.set_state(f"A{opacities.index(shape.opacity)}")
        _pdf_path(stream, shape.points)
        stream.fill()
    else:
        stream.set_color_rgb(*colour, stroke=True)
        stream.set_line_width(shape.width)
        stream.set_line_join(1)
        stream.set_dash(list(shape.dash), 0)
        _pdf_path(stream, shape.points)
        stream.stroke()


def _pdf_path(stream: pydyf.Stream, points: Sequence[Point]) -> None:
    first, *others = points
    stream.move_to(*(round(place, 2) for place in first))
    for point in others:
        stream.line_to(*(round(place, 2) for place in point))


def _pdf_word(stream: pydyf.Stream, word: Word) -> None:
    x, y = word.at
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[word.anchor] * text_width(word.text, word.size)
    text = word.text.encode("cp1252", "replace").decode("cp1252")
    stream.begin_text()
    stream.set_font_size("F", word.size)
    if word.upwards:
        stream.set_text_matrix(0, -1, -1, 0, round(x, 2), round(y + back, 2))
    else:
        stream.set_text_matrix(1, 0, 0, -1, round(x - back, 2), round(y, 2))
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    stream.stream.append(b"(" + escaped.encode("cp1252") + b") Tj")
    stream.end_text()
