"""The trained page classifier in a library's folder: `models/sites.npz`, arrays and a JSON header, never a pickle."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from scenthound.errors import ModelError
from scenthound.sites.classifier import PageClassifier

NAME = Path("models") / "sites.npz"
HEADER = "header"


def save(classifier: PageClassifier, folder: Path) -> Path:
    """Writes the classifier into the folder, whole or not at all."""
    arrays, header = classifier.to_state()
    packed = np.frombuffer(msgspec.json.encode(header), dtype=np.uint8)
    buffer = io.BytesIO()
    kept: dict[str, Any] = {**arrays, HEADER: packed}
    np.savez_compressed(buffer, **kept)
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(buffer.getvalue())
    part.replace(path)
    return path


def load(folder: Path) -> PageClassifier | None:
    """The classifier of the folder; None where there is none. A file that is none says so."""
    path = folder / NAME
    if not path.is_file():
        return None
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        header = msgspec.json.decode(arrays.pop(HEADER).tobytes())
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, msgspec.DecodeError) as error:
        raise ModelError(f"{path} is damaged: {error}. Delete it, and it is learned again.") from error
    return PageClassifier.from_state(arrays, header)
