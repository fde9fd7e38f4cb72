"""What every exporter has to do, whatever it writes. One function is one duty; `CHECKS` lists them.

A check takes the exporter's class and a way to read back what it wrote: bytes to one row a page, each with the fields
that were asked for, or with fewer where the format has no room for them, but always with the URL.
To run a format of your own through them:

    @pytest.mark.parametrize("check", CHECKS)
    def test_mine(check):
        check(MyFormat, my_reader)
"""

from __future__ import annotations

import dataclasses
import inspect
import io
import re
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any, cast

from scenthound.export.exporter import ChosenPages, ExportChoice, PagesToExport
from scenthound.export.fields import DEFAULT_FIELDS, FIELDS, fields_of
from scenthound.model import Label, Link, MainText, Response, Waiting
from scenthound.protocols.records import HostQueue, StoredPage, Version

Reader = Callable[[bytes], list[dict[str, Any]]]

STRANGE = (
    "",
    "plain",
    'quotes " and, commas',
    "two\nlines\r\n",
    "登革热 ไข้เลือดออก \U0001f99f",
    "<b>&amp;</b>",
    "| a |",
    "\u2028",
)


class MadeUpLibrary:
    """A library of any number of pages, made when they are asked for."""

    def __init__(self, count: int, text: str) -> None:
        self.count = count
        self.content = text

    def pages(self, *, relevant: bool = False, since: float = 0.0, after: int = 0) -> Iterator[StoredPage]:
        return map(make_page, range(self.count))

    def text(self, url: str) -> str | None:
        return f"{self.content} {url}" if not url.endswith("0") else None

    def main_text(self, url: str) -> MainText | None:
        text = self.text(url)
        return MainText(f"{text}\n", 2, 2) if text is not None else None

    def versions(self, url: str) -> list[Version]:
        return [Version(1, 1_700_000_000.0, 200, "sha1:AAAA", "a.warc.gz", 0, 10)]

    def body(self, url: str, version: object = None) -> Response | None:
        return Response(url, 200, (("Content-Type", "text/html"),), f"<p>{self.text(url)}".encode(), 1_700_000_000.0)

    def graph(self) -> Iterator[tuple[str, list[Link]]]:
        for page in self.pages():
            yield page.url, [Link(make_page(0).url, page.url, "to <the> first")]

    def queues(self) -> list[HostQueue]:
        return [HostQueue("host0.example", 2, 0.9)]

    def waiting(self, host: str, limit: int) -> list[Waiting]:
        links = [Link(f"https://{host}/waits/{number}", anchor="=1+1") for number in range(limit)]
        return [Waiting(number, link, host, 0.9 - number / 10, number) for number, link in enumerate(links)]

    def labels(self, kind: str = "page") -> dict[str, Label]:
        return {make_page(n).url: Label(make_page(n).url, n == 1, "list") for n in range(1, 3)}


def shelf(count: int, text: str = "Otters swim.") -> PagesToExport:
    return cast(PagesToExport, MadeUpLibrary(count, text))  # nothing else is asked of it


class Nowhere(io.RawIOBase):
    """Swallows what is written."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return len(data)


def make_page(number: int) -> StoredPage:
    return StoredPage(
        seq=number + 1,
        url=f"https://host{number % 3}.example/{number}",
        host=f"host{number % 3}.example",
        status=200,
        media_type="text/html",
        charset="utf-8",
        language="en",
        title=STRANGE[number % len(STRANGE)],
        description="",
        canonical="",
        relevance=number % 10 / 10,
        relevant=number % 2 == 0,
        depth=number % 4,
        first_at=1_700_000_000.0,
        fetched_at=1_700_000_000.0 + number,
        digest="sha1:AAAA",
        simhash=number,
        duplicate_of="",
        noindex=False,
        bytes=1000,
        wire=500,
        elapsed=0.1,
        version=number + 1,
        versions=1,
    )


def written(cls: Any, count: int, fields: tuple[str, ...] = DEFAULT_FIELDS) -> bytes:
    stream = io.BytesIO()
    pages = ChosenPages(shelf(count), ExportChoice(fields=fields))
    cls().write(pages, stream)
    assert not stream.closed, "the stream belongs to whoever opened it"
    assert pages.taken == count, "every page is written"
    return stream.getvalue()


def check_reads_back(cls: Any, read: Reader) -> None:
    rows = read(written(cls, 40))
    pages = list(map(make_page, range(40)))
    assert [row["url"] for row in rows] == [page.url for page in pages]
    if "title" in rows[0]:
        assert [row["title"] for row in rows] == [page.title for page in pages]


def check_every_field(cls: Any, read: Reader) -> None:
    rows = read(written(cls, 20, tuple(FIELDS)))
    assert len(rows) == 20
    if "text" in rows[0]:
        assert rows[1]["text"] == f"Otters swim. {rows[1]['url']}"
        assert rows[0]["text"] == "", "a page whose text was not kept"
    if "label" in rows[0]:
        assert [row["label"] for row in rows[:4]] == ["", "yes", "no", ""], "what was said about a page"
        assert [row["label_by"] for row in rows[:4]] == ["", "list", "list", ""]


def check_no_pages(cls: Any, read: Reader) -> None:
    assert read(written(cls, 0)) == []


def check_same_pages_same_bytes(cls: Any, read: Reader) -> None:
    assert written(cls, 30) == written(cls, 30)


def check_memory_stays_flat(cls: Any, read: Reader) -> None:
    def peak(count: int) -> int:
        pages = ChosenPages(shelf(count, "word " * 400), ExportChoice(fields=fields_of([], with_text=True)))
        tracemalloc.start()
        cls().write(pages, Nowhere())
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(10)  # what is imported late is imported here
    # Twice: what other threads of the process take meanwhile, those that an earlier test has left, is counted as well.
    small, large = min(peak(1000), peak(1000)), min(peak(4000), peak(4000))
    most = 1.5 * small + 100_000 + 3000 * getattr(cls, "memory_a_page", 0)
    assert large < most, f"{small:,} bytes for 1,000 pages, {large:,} for 4,000"


def check_says_what_it_is(cls: Any, read: Reader) -> None:
    assert dataclasses.is_dataclass(cls)
    assert inspect.cleandoc(cls.__doc__ or "").partition("\n")[0].endswith("."), "a first line for the documents"
    assert all(re.fullmatch(r"(\.[a-z0-9]+)+", ending) for ending in cls.extensions)


CHECKS = [check for name, check in sorted(globals().items()) if name.startswith("check_")]
