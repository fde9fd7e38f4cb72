"""How fast libraries read the text of PDF files.

    ./run python benchmarks/pdf_text.py FILES...

Libraries that are not installed are left out: pip install pypdf, to compare.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from pathlib import Path


def with_pdfium(body: bytes) -> int:
    import pypdfium2

    pdf = pypdfium2.PdfDocument(body)
    for page in pdf:
        page.get_textpage().get_text_range()
    return len(pdf)


def with_pypdf(body: bytes) -> int:
    import pypdf

    pages = pypdf.PdfReader(io.BytesIO(body)).pages
    for page in pages:
        page.extract_text()
    return len(pages)


READERS: dict[str, Callable[[bytes], int]] = {"pypdfium2": with_pdfium, "pypdf": with_pypdf}


def main(paths: list[str]) -> None:
    bodies = [Path(path).read_bytes() for path in paths]
    if not bodies:
        sys.exit("Name some PDF files: ./run python benchmarks/pdf_text.py *.pdf")
    print("| library | files | pages | pages a second |\n|---|---:|---:|---:|")
    for name, read in READERS.items():
        started = time.process_time()
        try:
            pages = sum(map(read, bodies))
        except ImportError:
            continue
        print(f"| {name} | {len(bodies)} | {pages} | {pages / (time.process_time() - started):,.0f} |")


if __name__ == "__main__":
    main(sys.argv[1:])
