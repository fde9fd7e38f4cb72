"""Many files at once: into a folder that is there when it is whole, or into a zip file. And names for them.

What a URL is called as a file is decided here alone: no name leaves the folder, means something to a file system, or
is longer than one takes, whatever the URL says.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol
from urllib.parse import unquote

from scenthound import urls
from scenthound.errors import LibraryFull, UsageError

EPOCH = (1980, 1, 1, 0, 0, 0)  # of every file in a zip file, so that the same pages make the same bytes
LONGEST_PART = 60
MOST_PARTS = 8
_unsafe = re.compile(r"[^\w.~=,+@-]+")
_reserved = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE).match


class FileTree(Protocol):
    def add(self, name: str, data: bytes) -> None:
        """A file. `name` is a path with slashes, inside of the tree."""
        ...


def file_name(url: str, ending: str) -> str:
    """A path for a page: its host, and what can be read off its URL; what tells it from all others is at the end."""
    parts = [part for part in unquote(urls.path(url)).split("/") if part][:MOST_PARTS]
    *folders, last = [_safe(part) for part in parts] or ["index"]
    stem = last.removesuffix(".html").removesuffix(".htm")[:LONGEST_PART] or "index"
    number = f"{urls.fingerprint(url) & 0xFFFFFFFFFF:010x}"
    return "/".join([_safe(urls.host(url).replace(":", "_")), *folders, f"{stem}-{number}{ending}"])


def _safe(part: str) -> str:
    part = _unsafe.sub("-", part).strip(".-~ ")[:LONGEST_PART].rstrip(". ")
    return f"_{part}" if not part or _reserved(part) else part


def inside(name: str) -> str:
    """The name, if it stays inside of a tree; for what others named."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in name or "\0" in name or not path.parts:
        raise UsageError(f"{name!r} is no name of a file inside of a folder.")
    return str(path)


class ZipTree:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    def add(self, name: str, data: bytes) -> None:
        info = zipfile.ZipInfo(inside(name), EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        self._archive.writestr(info, data)


class FolderTree:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, name: str, data: bytes) -> None:
        path = self._folder / inside(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@contextmanager
def zip_tree(stream: BinaryIO) -> Iterator[FileTree]:
    with zipfile.ZipFile(stream, "w") as archive:
        yield ZipTree(archive)


@contextmanager
def folder_tree(folder: Path) -> Iterator[FileTree]:
    """A new folder, in its place when the block ends well. One that is there and holds something is left alone."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already. Name a folder that is not, or remove it first.")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.scenthound-", suffix=".part", dir=folder.parent))
        try:
            yield FolderTree(part)
            os.chmod(part, 0o755)
            if folder.exists():
                folder.rmdir()
            part.rename(folder)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    except OSError as error:
        raise LibraryFull(
            f"{folder} cannot be written ({error.strerror or error}). Make room, or name another."
        ) from error
