"""A repaired library has what the damaged one had, as far as its archive or its database still has it."""

import errno
import hashlib
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from scenthound.errors import LibraryBusy, LibraryDamaged, LibraryFull
from scenthound.library import open_library
from scenthound.library.folder_check import check_folder
from scenthound.library.folder_lock import FolderLock
from scenthound.library.folder_repair import FolderRepair, remove_derived, repair_folder, take_first_judgements
from scenthound.library.sqlite import repair as module
from scenthound.model import Link, Page
from tests.library.breaking import overwrite_table, spoil_bytes, spoil_value
from tests.library.collection import collect, stored, zoo_steps

PAGES = 150
TABLES = ["urls", "pages", "versions", "contents", "links"]


def every_link(page: Page, depth: int) -> tuple[Link, ...]:
    return page.links


def repair(folder: Path) -> FolderRepair:
    return repair_folder(folder, "en", every_link)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library whose pages say in HTML what the crawl took down of them."""
    steps = []
    for n in range(PAGES):
        url, other = f"http://host{n % 7}.example/{n}", f"http://host{n % 7}.example/{n}/more"
        text = (
            "one and the same text on several pages of the library, of some length " * 9
            if n % 20 == 0
            else f"page number{n} of a library " * 20
        )
        body = f'<title>Page {n % 20 and n}</title><p>{text}</p><a href="{other}">more</a>'.encode()
        links = (Link(other, url, "more"),)
        steps.append(stored(url, text, title=f"Page {n % 20 and n}", body=body, links=links, order=n))
    return collect(tmp_path_factory.mktemp("made") / "library", [*steps, *zoo_steps()])


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "library"))


def contents(folder: Path) -> dict[str, Any]:
    with open_library(folder, write=False) as library:
        return {
            page.url: (
                page.title,
                page.digest,
                _body(library, page.url),
                library.text(page.url) is not None,
            )
            for page in library.pages()
        }


def _body(library: Any, url: str) -> bytes | None:
    response = library.body(url)
    return response.body if response is not None else None


def archived(folder: Path) -> dict[str, Any]:
    return {url: page for url, page in contents(folder).items() if page[2] is not None}


@pytest.mark.parametrize("table", TABLES)
def test_a_damaged_table_comes_back(folder: Path, table: str) -> None:
    before = contents(folder)
    overwrite_table(folder, table)
    done = repair(folder)
    assert table in done.damaged_tables
    assert check_folder(folder).damages == []
    after = contents(folder)
    assert {url: after.get(url) for url in before if before[url][2] is not None} == {
        url: page for url, page in before.items() if page[2] is not None
    }
    assert (folder / done.kept_as).is_file()


@pytest.mark.parametrize("left", ["nothing", "empty", "text"])
def test_a_database_that_is_gone_comes_back_from_the_archive(folder: Path, left: str) -> None:
    before = archived(folder)
    (folder / "library.db").unlink()
    if left != "nothing":
        (folder / "library.db").write_bytes(b"" if left == "empty" else b"something else")
    done = repair(folder)
    assert check_folder(folder).damages == []
    assert contents(folder).keys() == before.keys()
    assert done.pages == len(before)
    assert bool(done.kept_as) == (left != "nothing")
    with open_library(folder, write=False) as library:
        links = library.outlinks("http://host1.example/1")
        assert [link.url for link in links] == ["http://host1.example/1/more"]
        assert library.counts().waiting == PAGES  # each page's link waits again
        library.update_search()
        assert library.search(["number17"]).total == 1


def test_a_log_without_its_database_is_kept(folder: Path) -> None:
    log = folder / "library.db-wal"
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO notes VALUES ('one', 'more')")
        connection.commit()
        newest = log.read_bytes()
    (folder / "library.db").unlink()
    log.write_bytes(newest)
    done = repair(folder)
    assert newest
    assert done.kept_as.endswith("-wal")
    assert (folder / done.kept_as).read_bytes() == newest
    assert check_folder(folder).damages == []


def test_what_was_never_in_the_archive_is_kept(tmp_path: Path) -> None:
    folder = collect(tmp_path, zoo_steps(), warc=False)
    before = contents(folder)
    overwrite_table(folder, "versions")
    repair(folder)
    assert check_folder(folder).damages == []
    assert contents(folder) == before


def test_damaged_values_are_made_anew(folder: Path) -> None:
    before = contents(folder)
    spoil_value(folder, "UPDATE contents SET text = x'01' WHERE id % 3 = 0")
    spoil_value(folder, "UPDATE versions SET offset = offset + 7 WHERE seq % 3 = 0")
    spoil_value(folder, "UPDATE urls SET url = 'http://x/' WHERE id IN (SELECT id FROM pages WHERE seq % 5 = 1)")
    done = repair(folder)
    assert (done.damaged_tables, check_folder(folder).damages) == (["urls", "contents"], [])
    assert archived(folder) == {url: page for url, page in before.items() if page[2] is not None}


def test_answers_that_the_database_never_knew(folder: Path) -> None:
    """An older copy of it was put back: the archive knows more."""
    before = contents(folder)
    for statement in (
        "DELETE FROM pages WHERE seq > 100",
        "DELETE FROM contents WHERE version > 100",
        "DELETE FROM versions WHERE seq > 100",
        "DELETE FROM urls WHERE version > 100",
        "UPDATE warcs SET bytes = (SELECT max(offset + length) FROM versions)",
    ):
        spoil_value(folder, statement)
    assert check_folder(folder).damages
    repair(folder)
    assert check_folder(folder).damages == []
    assert contents(folder).keys() == {url for url, page in before.items() if page[2] is not None}


def test_a_cut_archive_leaves_texts_and_pages_that_wait(folder: Path) -> None:
    before = contents(folder)
    [path] = (folder / "warc").iterdir()
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    done = repair(folder)
    assert done.answers_lost > 50
    assert done.fetched_again > 50
    after = contents(folder)
    assert {url: page[0] for url, page in after.items()} == {url: page[0] for url, page in before.items()}
    assert sum(page[2] is None for page in after.values()) == done.fetched_again + 1  # one asked not to be kept
    assert all(page[3] for url, page in after.items() if before[url][3])


def test_an_archive_that_was_taken_away_stays_known(folder: Path) -> None:
    before = contents(folder)
    [path] = (folder / "warc").iterdir()
    elsewhere = path.rename(folder / path.name)
    overwrite_table(folder, "hosts")
    repair(folder)
    elsewhere.rename(path)
    assert contents(folder) == before


def test_judgements_and_first_judgements(folder: Path) -> None:
    (folder / "library.db").unlink()
    repair(folder)
    with open_library(folder) as library:
        library.judge_again([("http://host1.example/1", 0.9, True)])
    take_first_judgements(folder)
    with open_library(folder, write=False) as library:
        page = library.page("http://host1.example/1")
        assert page is not None
        assert (page.first_relevance, page.first_relevant) == (0.9, True)


def test_nobody_else_may_write_meanwhile(folder: Path) -> None:
    lock = FolderLock(folder)
    with pytest.raises(LibraryBusy):
        repair(folder)
    lock.release()


def test_indexes_go(folder: Path) -> None:
    (folder / "search.db").write_bytes(b"x")
    remove_derived(folder)
    assert not (folder / "search.db").exists()


# A full disk


class FullDisk:
    """Stands in for `sqlite3` in the repair: what it makes may have so many pages. SQLite itself says the rest."""

    def __init__(self, pages: int) -> None:
        self.pages = pages

    def connect(self, *given: Any, **more: Any) -> sqlite3.Connection:
        connection = sqlite3.connect(*given, **more)
        connection.execute(f"PRAGMA max_page_count = {self.pages}")
        return connection

    def __getattr__(self, name: str) -> Any:
        return getattr(sqlite3, name)


def files_in(folder: Path) -> dict[str, bytes]:
    """But for what SQLite lays beside a database that somebody reads: an empty log."""
    beside = ("-wal", "-shm")
    return {
        path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.name[-4:] not in beside
    }


@pytest.mark.parametrize("pages", [2, 20, 40])
def test_a_full_disk_leaves_the_damaged_library_as_it_was(
    folder: Path, pages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = archived(folder)
    overwrite_table(folder, "contents")
    damaged = files_in(folder)
    with monkeypatch.context() as patch:
        patch.setattr(module, "sqlite3", FullDisk(pages))
        with pytest.raises(LibraryFull, match="full"):
            repair(folder)
    assert files_in(folder) == damaged
    repair(folder)
    assert check_folder(folder).damages == []
    assert archived(folder) == before


@pytest.mark.parametrize("moment", ["fsync", "link", "replace"])
def test_so_does_a_disk_that_is_full_when_the_new_file_takes_its_place(
    folder: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = archived(folder)
    overwrite_table(folder, "contents")
    damaged = (folder / "library.db").read_bytes()

    def full(*given: Any, **more: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module.os, moment, full)
        patch.setattr(module.shutil, "copy2", full)  # where there are no second names
        with pytest.raises(LibraryFull):
            repair(folder)
    assert (folder / "library.db").read_bytes() == damaged
    assert moment != "fsync" or not (folder / module.REPAIRING).exists(), "it takes up room"
    repair(folder)
    assert check_folder(folder).damages == []
    assert archived(folder) == before


# Killed


def test_killed_at_any_step_it_is_done_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call that changes a name on the disk is one after which it may end."""
    before = archived(folder)
    overwrite_table(folder, "contents")
    damaged = hashlib.sha1((folder / "library.db").read_bytes()).digest()
    moments = {"replace": module.os.replace, "link": module.os.link}
    for which, name in enumerate(("replace", "link", "replace")):
        calls = [0]

        def dies(*arguments: Any, name: str = name, calls: list[int] = calls) -> None:
            calls[0] += 1
            if calls[0] == 1:
                raise KeyboardInterrupt
            moments[name](*arguments)

        with monkeypatch.context() as patch:
            patch.setattr(module.os, name, dies)
            with pytest.raises(KeyboardInterrupt):
                repair(folder)
        if which:
            with pytest.raises(LibraryDamaged, match="repair that was interrupted"):
                open_library(folder)
    done = repair(folder)
    assert done.finished_earlier
    assert check_folder(folder).damages == []
    assert archived(folder) == before
    [kept] = [path for path in folder.glob("library.db.damaged-*") if not path.name.endswith("-wal")]
    assert (kept.name, hashlib.sha1(kept.read_bytes()).digest()) == (done.kept_as, damaged)


def test_killed_for_real(folder: Path) -> None:
    before = archived(folder)
    overwrite_table(folder, "urls")
    program = (
        "import sys; from pathlib import Path; from tests.library.test_folder_repair import repair\n"
        "print('begun', flush=True); repair(Path(sys.argv[1])); print('done', flush=True)"
    )
    dice = random.Random(1)
    for _ in range(6):
        process = subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(dice.random() * 0.15)
        process.kill()
        process.communicate()
    if check_folder(folder).damages:
        repair(folder)
    assert check_folder(folder).damages == []
    assert archived(folder) == before


# Bytes that changed, anywhere


@pytest.mark.parametrize("seed", range(40))
def test_noise_in_the_database(folder: Path, seed: int) -> None:
    """It is named or does no harm; and whatever is in the archive is there after a repair."""
    before = archived(folder)
    spoil_bytes(folder / "library.db", seed, count=1 + seed % 4)
    with suppress(LibraryDamaged), open_library(folder, write=False) as library:
        for page in library.pages():
            library.text(page.url)
            library.outlinks(page.url)
            library.body(page.url)
        library.counts()
    found = check_folder(folder).damages
    if any("library.db" in damage.part or "warc/" in damage.part for damage in found):
        repair(folder)
        assert [damage for damage in check_folder(folder).damages if "newer" not in damage.what] == []
    after = contents(folder)
    assert {url: after[url][1:3] for url in before} == {url: page[1:3] for url, page in before.items()}
