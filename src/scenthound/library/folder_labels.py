"""The labels of a folder, whether there is a library in it, one elsewhere, or none yet."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from scenthound.library import open_library
from scenthound.library.folder import address_in
from scenthound.library.label_file import LabelFile
from scenthound.model import Label, LabelKind
from scenthound.protocols.crawl import Clock
from scenthound.protocols.library import LabelStore


def folder_labels(folder: Path, clock: Clock = time.time) -> LabelStore:
    """`labels.jsonl`, or where the folder's library is in PostgreSQL, the labels there."""
    return SharedLabels(folder, clock) if address_in(folder) else LabelFile(folder, clock)


class SharedLabels:
    """`protocols.LabelStore` of a library elsewhere, which is opened for each question: they are few."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    def labels(self, kind: LabelKind = "page") -> dict[str, Label]:
        with open_library(self._folder, write=False) as library:
            return library.labels(kind)

    def add_labels(self, labels: Iterable[Label]) -> list[Label]:
        with open_library(self._folder, write=False, clock=self._clock) as library:
            return library.add_labels(labels)

    def label_history(self, subject: str) -> list[Label]:
        with open_library(self._folder, write=False) as library:
            return library.label_history(subject)
