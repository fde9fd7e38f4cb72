"""A WARC file gives back all that is whole in it, whatever happened to the rest."""

from hashlib import sha1
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.library.archive import warc
from scenthound.library.archive.warc_scan import ScannedRecord, WarcGap, scan
from scenthound.model import Response

URLS = [f"http://a.example/{n}" for n in range(6)]


def records() -> list[bytes]:
    made = []
    for n, url in enumerate(URLS):
        body = f"page {n} ".encode() * 50
        answer = Response(url, 200, (("Content-Type", "text/html"),), body, at=float(n))
        made += [part for part in warc.response_records(answer, sha1(body).digest()) if part]
    return made


def test_every_record_has_its_place(tmp_path: Path) -> None:
    path, made = tmp_path / "a.warc.gz", records()
    path.write_bytes(b"".join(made))
    found = list(scan(path))
    assert all(isinstance(record, ScannedRecord) and record.true_to_digest for record in found)
    assert [record.url for record in found if isinstance(record, ScannedRecord)] == URLS
    assert [path.read_bytes()[record.offset : record.offset + record.length] for record in found] == made
    assert [record.body[:6] for record in found if isinstance(record, ScannedRecord)][3] == b"page 3"


def test_nothing_in_it(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "zeros").write_bytes(bytes(100))
    assert list(scan(tmp_path / "empty")) == []
    assert list(scan(tmp_path / "zeros")) == [WarcGap(0, 100)]


@given(st.integers(0, 5), st.integers(1, 3000), st.binary(min_size=1, max_size=40))
def test_records_before_and_behind_a_damage_are_found(
    tmp_path_factory: pytest.TempPathFactory, which: int, at: int, noise: bytes
) -> None:
    made = records()
    spoilt = bytearray(made[which])
    at %= len(spoilt)
    spoilt[at : at + len(noise)] = noise[: len(spoilt) - at]
    path = tmp_path_factory.mktemp("scan") / "a.warc.gz"
    path.write_bytes(b"".join([*made[:which], bytes(spoilt), *made[which + 1 :]]))
    found = [record.url for record in scan(path) if isinstance(record, ScannedRecord)]
    assert [url for url in URLS if url != URLS[which]] == [url for url in found if url != URLS[which]]


@given(st.integers(0, 5000))
def test_a_file_that_was_cut(tmp_path_factory: pytest.TempPathFactory, at: int) -> None:
    whole = b"".join(made := records())
    at %= len(whole)
    path = tmp_path_factory.mktemp("scan") / "a.warc.gz"
    path.write_bytes(whole[:at])
    found = list(scan(path))
    complete = sum(sum(map(len, made[: n + 1])) <= at for n in range(len(made)))
    assert sum(isinstance(part, ScannedRecord) for part in found) == complete
    assert sum(part.length for part in found) == at
