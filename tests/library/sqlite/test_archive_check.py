"""What `library.db` says of the archive is held against the WARC files."""

from pathlib import Path

from scenthound.library.archive.warc_files import files_in
from scenthound.library.sqlite.archive_check import ArchiveCheck
from tests.library.breaking import spoil_value
from tests.library.collection import collect, numbered, zoo


def found(folder: Path, *, writing: bool = False) -> list[tuple[str, int | None]]:
    check = ArchiveCheck(folder, writing=writing)
    return [(damage.what, damage.pages) for damage in check.run()]


def warc_of(folder: Path) -> Path:
    [path] = files_in(folder / "warc").values()
    return path


def test_a_whole_one(tmp_path: Path) -> None:
    check = ArchiveCheck(zoo(tmp_path))
    assert (check.run(), check.answers) == ([], 6)


def test_a_file_that_was_cut(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(20))
    size = warc_of(folder).stat().st_size
    with warc_of(folder).open("r+b") as file:
        file.truncate(size // 2)
    [(what, pages)] = found(folder)
    assert what.startswith(f"is cut: {size // 2} of {size} bytes are there, and ")
    assert pages == 10 or pages == 11


def test_bytes_that_changed(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(20))
    spoilt = bytearray(warc_of(folder).read_bytes())
    spoilt[len(spoilt) // 2] ^= 0xFF
    warc_of(folder).write_bytes(spoilt)
    [(what, pages)] = found(folder)
    assert what.startswith("is damaged: 1 answer cannot be read (from byte ")
    assert pages == 1


def test_a_place_that_is_another_answers(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(20))
    spoil_value(folder, "UPDATE versions SET offset = (SELECT offset FROM versions WHERE seq = 1) WHERE seq = 2")
    assert found(folder) == [
        ("is damaged: 1 answer cannot be read", 1),
        ("holds 1 answer that library.db does not know", None),
    ]


def test_a_copy_goes_with_the_answer_it_repeats(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    spoil_value(
        folder,
        "UPDATE versions SET length = length + 1 WHERE seq = (SELECT version FROM contents WHERE title = 'Owls')",
    )
    assert found(folder) == [("is damaged: 1 answer cannot be read", 2)]


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(5))
    warc_of(folder).unlink()
    assert found(folder) == [("is missing, and with it 5 answers", 5)]


def test_answers_that_the_database_does_not_know(tmp_path: Path) -> None:
    """They are no damage while a crawl writes."""
    folder = collect(tmp_path, numbered(5))
    spoil_value(folder, "DELETE FROM versions WHERE seq = 5")
    spoil_value(folder, "UPDATE warcs SET bytes = (SELECT max(offset + length) FROM versions)")
    assert found(folder) == [("holds 1 answer that library.db does not know", None)]
    assert found(folder, writing=True) == []


def test_without_a_database_the_files_speak_for_themselves(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(5))
    (folder / "library.db").write_bytes(b"gone")
    assert found(folder) == []
    with warc_of(folder).open("r+b") as file:
        file.truncate(warc_of(folder).stat().st_size - 3)
    [(what, pages)] = found(folder)
    assert what.startswith("is damaged (from byte ")
    assert pages == 0
