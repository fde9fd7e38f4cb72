"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TextIO

from scenthound.errors import LibraryFull


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """A text file that takes the place of `path` when the block ends well, and is gone without a trace if not."""
    try:
        with NamedTemporaryFile(
            "w", dir=path.parent, prefix=f".{path.name}.", suffix=".part", encoding="utf-8", newline="", delete=False
        ) as stream:
            try:
                yield stream  # type: ignore[misc]
                stream.flush()
                os.fsync(stream.fileno())
                os.chmod(stream.name, 0o666 & ~_umask())
                os.replace(stream.name, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(stream.name)
                raise
    except OSError as error:
        raise LibraryFull(
            f"{path} cannot be written ({error.strerror or error}). Name another file, or make room."
        ) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
