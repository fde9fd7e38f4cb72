"""What labelled sites have taught, in a library's folder: `models/sites.npz`, arrays and a JSON header, never a pickle.

Files of before say nothing of labels, nor whether it helps: their classifier speaks alone, as it did."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from scenthound.errors import ModelError
from scenthound.learn.array_file import read_arrays
from scenthound.sites.classifier import PageClassifier
from scenthound.sites.label_check import LabelCheck
from scenthound.sites.taught import TaughtSites

NAME = Path("models") / "sites.npz"
HEADER = "header"


def save(taught: TaughtSites, folder: Path) -> Path:
    """Writes it into the folder, whole or not at all."""
    arrays, header = taught.classifier.to_state()
    header |= {"check": taught.check, "labels": dict(taught.labels), "setting": taught.setting}
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


def load(folder: Path) -> TaughtSites | None:
    """What the folder was taught; None where there is nothing. A file that is none says so."""
    path = folder / NAME
    if not path.is_file():
        return None
    try:
        arrays = read_arrays(path)
        header = msgspec.json.decode(arrays.pop(HEADER).tobytes())
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, msgspec.DecodeError) as error:
        raise ModelError(f"{path} is damaged: {error}. Delete it, and it is learned again.") from error
    classifier = PageClassifier.from_state(arrays, header)
    try:
        check = msgspec.convert(header.get("check"), LabelCheck | None)
        labels = msgspec.convert(header.get("labels", {}), dict[str, bool])
        return TaughtSites(classifier, check, labels, str(header.get("setting", "")))
    except msgspec.ValidationError as error:
        raise ModelError(f"{path} is damaged: {error}. Delete it, and it is learned again.") from error


def remove(folder: Path) -> None:
    """Forgets it: labels that it was learned from were taken back."""
    (folder / NAME).unlink(missing_ok=True)
