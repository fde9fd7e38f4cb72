"""PDF files to try things on, made by hand: text at places, links, an outline."""

import zlib
from collections.abc import Sequence

Lines = Sequence[str]


def pdf(
    pages: Sequence[Lines],
    *,
    title: str = "",
    language: str = "",
    link: str = "",
    outline: Sequence[str] = (),
    content: bytes | None = None,
) -> bytes:
    """A file with these lines on its pages. `link` is an area around the first line of the first page; `outline` has
    an entry a page; `content` stands for what draws the first page."""
    objects: dict[int, bytes] = {3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"}
    kids = []
    for number, lines in enumerate(pages):
        page, stream = 10 + 2 * number, 11 + 2 * number
        kids.append(f"{page} 0 R")
        drawn = _drawn(lines) if content is None or number else content
        objects[stream] = _stream(drawn)
        notes = "/Annots[4 0 R]" if link and not number else ""
        objects[page] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]{notes}"
            f"/Resources<</Font<</F1 3 0 R>>>>/Contents {stream} 0 R>>"
        ).encode()
    objects[2] = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(kids)}>>".encode()
    if link:
        objects[4] = f"<</Type/Annot/Subtype/Link/Rect[40 695 500 715]/A<</S/URI/URI({link})>>>>".encode()
    if outline:
        objects |= _outline(outline)
    spoken = f"/Lang({language})" if language else ""
    leads = "/Outlines 5 0 R" if outline else ""
    objects[1] = f"<</Type/Catalog/Pages 2 0 R{spoken}{leads}>>".encode()
    objects[6] = f"<</Title({title})>>".encode() if title else b"<<>>"
    return put_together(objects)


def put_together(objects: dict[int, bytes]) -> bytes:
    made, places = b"%PDF-1.7\n", {}
    for number, body in sorted(objects.items()):
        places[number] = len(made)
        made += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(made)
    for number, place in places.items():
        made += b"xref\n" * (number == min(places)) + f"{number} 1\n{place:010d} 00000 n \n".encode()
    return made + f"trailer<</Size {max(objects) + 1}/Root 1 0 R/Info 6 0 R>>\nstartxref\n{table}\n%%EOF\n".encode()


def _drawn(lines: Lines) -> bytes:
    text = " ".join(f"({line}) Tj T*" for line in lines)
    return f"BT /F1 12 Tf 14 TL 50 700 Td {text} ET".encode("latin-1")


def _stream(data: bytes) -> bytes:
    packed = zlib.compress(data)
    return b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(packed), packed)


def _outline(titles: Sequence[str]) -> dict[int, bytes]:
    first, last = 1000, 1000 + len(titles) - 1
    made = {5: f"<</Type/Outlines/First {first} 0 R/Last {last} 0 R/Count {len(titles)}>>".encode()}
    for place, title in enumerate(titles):
        chain = f"/Next {first + place + 1} 0 R" if first + place < last else ""
        chain += f"/Prev {first + place - 1} 0 R" if place else ""
        made[first + place] = f"<</Title({title})/Parent 5 0 R{chain}/Dest[{10 + 2 * place} 0 R/Fit]>>".encode()
    return made
