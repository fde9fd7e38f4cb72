"""WARC files in an object store (s3://, gs://, a folder elsewhere ...), through fsspec, which is an extra.

A crawl appends to its WARC files in step with its transactions, and cuts them where one did not come about. Object
stores offer neither, so only files that are finished go there (`library.archive_move`). A line in the archive's folder
says where they are; whoever looks for a record of a file that is not in the folder reads that part of the object.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from scenthound.errors import LibraryError

NAME = "store.address"
CHUNK = 1 << 22


class ObjectStore:
    """A place below an address. Whatever goes wrong there is a `LibraryError` with a next step."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        try:
            fsspec = importlib.import_module("fsspec.core")
        except ImportError as error:
            raise LibraryError("An object store needs one more package: pip install 'scenthound[objects]'") from error
        with self._explained("cannot be used"):
            self._files, self._root = fsspec.url_to_fs(self.address)

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        try:
            yield
        except LibraryError:
            raise
        except Exception as error:  # each store has errors of its own
            raise LibraryError(
                f"{self.address} {what} ({error or type(error).__name__}). See that the address is right, that its "
                "package is there (s3fs for s3://, gcsfs for gs://), and that you may use it; then run the same "
                "command again."
            ) from error

    def put(self, path: Path, name: str, size: int) -> None:
        """The first `size` bytes of a file, as an object of that name; read back and compared."""
        place = f"{self._root}/{name}"
        with self._explained("does not take files"):
            self._files.makedirs(place.rpartition("/")[0], exist_ok=True)
            with path.open("rb") as local, self._files.open(place, "wb") as remote:
                for part in _parts(local, size):
                    remote.write(part)
            with path.open("rb") as local, self._files.open(place, "rb") as remote:
                same = all(remote.read(len(part)) == part for part in _parts(local, size)) and not remote.read(1)
        if not same:
            raise LibraryError(f"{self.address}/{name} is not what was sent there. The file stays where it is.")

    def fetch(self, name: str, path: Path, size: int) -> None:
        """An object as a file."""
        with (
            self._explained("does not give files back"),
            self._files.open(f"{self._root}/{name}", "rb") as remote,
            path.open("wb") as local,
        ):
            for part in _parts(remote, size):
                local.write(part)

    def read(self, name: str, offset: int, length: int) -> bytes:
        with self._explained("does not give records back"):
            content: bytes = self._files.cat_file(f"{self._root}/{name}", start=offset, end=offset + length)
        return content


def _parts(file: Any, size: int) -> Iterator[bytes]:
    while size > 0 and (part := file.read(min(CHUNK, size))):
        yield part
        size -= len(part)


@lru_cache(maxsize=16)
def _opened(address: str) -> ObjectStore:
    return ObjectStore(address)


def store_of(folder: Path) -> ObjectStore | None:
    """Where files of this archive are that are not in its folder; None: nowhere."""
    try:
        address = (folder / NAME).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    return _opened(address) if address else None


def note_store(folder: Path, address: str) -> None:
    (folder / NAME).write_text(f"{address}\n", encoding="utf-8")
