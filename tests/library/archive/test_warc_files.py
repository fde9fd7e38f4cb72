"""The archive holds records together for a moment, and nobody notices."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.library.archive import warc, warc_files
from scenthound.library.archive.warc_files import WarcArchive, WarcFile, read_at


def begun(folder: Path, limit: int = 1_000_000) -> WarcArchive:
    return WarcArchive(folder, limit, {}, None)


def test_records_are_written_when_the_archive_is_flushed(tmp_path: Path) -> None:
    written = begun(tmp_path)
    places = [written.append(b"answer %d" % n, b"question", 1.0) for n in range(3)]
    [path] = tmp_path.iterdir()
    assert path.stat().st_size == 0
    written.flush()
    written.flush()
    assert path.stat().st_size == written.changed()[0].bytes
    assert [read_at(tmp_path, path.name, place.offset, place.length) for place in places] == [
        b"answer 0",
        b"answer 1",
        b"answer 2",
    ]
    assert path.read_bytes().endswith(b"answer 2question")
    written.close()


def test_large_records_are_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warc_files, "MOST_HELD", 1000)
    written = begun(tmp_path)
    for n in range(10):
        written.append(b"x" * 600, b"", 1.0)
        [path] = tmp_path.iterdir()
        assert path.stat().st_size > n * 600 - 1000
    written.close()


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(50, 200))
def test_files_are_ended_at_a_size_whenever_they_are_flushed(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], limit: int
) -> None:
    """Flushed once at the end or after each record: the same places in the same files."""
    folders = [tmp_path_factory.mktemp("archive") for _ in range(2)]
    held, at_once = (begun(folder, limit) for folder in folders)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            warc, "info_record", lambda *about: b"about this file"
        )  # its name is random, and so is its length
        for n, size in enumerate(sizes):
            record = bytes([n]) * size
            assert held.append(record, b"", 1.0) == at_once.append(record, b"", 1.0)
            at_once.flush()
    held.flush()
    assert held.changed() == at_once.changed()
    one, other = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    assert one == other
    held.close()
    at_once.close()


def test_what_is_held_goes_with_a_rollback(tmp_path: Path) -> None:
    written = begun(tmp_path)
    written.append(b"kept", b"", 1.0)
    written.flush()
    [kept] = written.changed()
    written.commit()
    written.append(b"written", b"", 1.0)
    written.flush()
    written.append(b"held", b"", 1.0)
    written.rollback()
    written.close()
    assert (tmp_path / kept.name).stat().st_size == kept.bytes
    assert WarcArchive(tmp_path, 1000, {}, WarcFile(kept.id, kept.name, kept.bytes)).changed() == []
