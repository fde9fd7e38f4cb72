"""Indexes of archives: captures that are here become a recording, and nothing an index says leads elsewhere."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from scenthound.errors import RecordingError
from scenthound.fetch.common_crawl import captures, has_local, is_index
from scenthound.fetch.fetcher_for import recording
from tests.fetch.recorded import http, record

A, B = "http://a.test/reefs", "http://b.test/ferns"
NAME = "CC-MAIN-2024-00001.warc.gz"
PATH = f"crawl-data/CC-MAIN-2024-10/segments/1/warc/{NAME}"


def packed(url: str, text: bytes) -> bytes:
    return gzip.compress(record(url, http(b"<p>" + text)))


def line(url: str, offset: int, length: int, filename: str = PATH, **fields: str) -> str:
    about = {"url": url, "mime": "text/html", "status": "200", "offset": str(offset), "length": str(length)}
    return f"test,a)/x 20240229120000 {json.dumps({**about, 'filename': filename, **fields})}\n"


def index(folder: Path, *lines: str, name: str = "cdx-00001.gz") -> Path:
    path = folder / name
    text = "".join(lines).encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return path


def found(path: Path) -> list[str]:
    return [url.rpartition("/")[2] for url in recording([path]).urls()]


def test_captures_of_a_file_that_is_here_are_read_where_they_lie(tmp_path: Path) -> None:
    first, second = packed(A, b"reefs"), packed(B, b"ferns")
    lines = [line(A, 0, len(first)), line(B, len(first), len(second))]
    (tmp_path / NAME).write_bytes(first + second)
    assert found(index(tmp_path, *lines)) == ["reefs", "ferns"]
    assert found(index(tmp_path, lines[1], name="part.cdxj")) == ["ferns"]


def test_a_file_may_lie_under_the_path_that_the_index_gives(tmp_path: Path) -> None:
    one = packed(A, b"reefs")
    (tmp_path / PATH).parent.mkdir(parents=True)
    (tmp_path / PATH).write_bytes(one)
    (tmp_path / "indexes").mkdir()
    assert found(index(tmp_path / "indexes", line(A, 0, len(one)))) == ["reefs"]


def test_a_piece_that_was_downloaded_alone_will_do(tmp_path: Path) -> None:
    one = packed(A, b"reefs")
    path = index(tmp_path, line(A, 700, len(one)), line(B, 0, 10))
    (tmp_path / f"{NAME}-700-{len(one)}").write_bytes(one)
    assert found(path) == ["reefs"]


@pytest.mark.parametrize("filename", ["../secret.warc.gz", "/etc/secret.warc.gz", "a/../../secret.warc.gz", ""])
def test_no_path_leads_out(tmp_path: Path, filename: str) -> None:
    one = packed(A, b"secret")
    (tmp_path / "secret.warc.gz").write_bytes(one)
    (tmp_path / "inside").mkdir()
    with pytest.raises(RecordingError, match="None of the pages"):
        found(index(tmp_path / "inside", line(A, 0, len(one), filename)))


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    one = packed(A, b"secret")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.warc.gz").write_bytes(one)
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / NAME).symlink_to(tmp_path / "elsewhere" / "x.warc.gz")
    assert not has_local(index(tmp_path / "inside", line(A, 0, len(one), NAME)))


def test_what_is_no_page_or_no_line_is_passed_over(tmp_path: Path) -> None:
    path = index(
        tmp_path,
        "!meta 0 {\n",
        line(A, 0, 5, status="404"),
        line(A, 0, 5, mime="image/png"),
        line(A, -5, 5),
        line("mailto:x", 0, 5),
        line(A, 0, 5).replace('"5"', '"many"'),
        name="x.cdxj",
    )
    assert [capture.url for capture in captures(path)] == [A]
    assert not has_local(path)


def test_a_file_that_is_no_index_says_so(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="no index in CDXJ"):
        list(captures(index(tmp_path, "hello\n", name="x.cdxj")))
    (tmp_path / "cut.cdxj.gz").write_bytes(gzip.compress(line(A, 0, 5).encode() * 100)[:40])
    with pytest.raises(RecordingError, match="cannot be read"):
        list(captures(tmp_path / "cut.cdxj.gz"))


def test_indexes_are_known_by_their_names(tmp_path: Path) -> None:
    for name, known in {
        "cdx-00299.gz": True,
        "x.cdxj": True,
        "x.cdx.gz": True,
        "x.gz": False,
        "cdx.txt": False,
    }.items():
        (tmp_path / name).touch()
        assert is_index(tmp_path / name) == known
