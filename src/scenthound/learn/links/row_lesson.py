"""What one link taught a model of links, for others who never saw it: a row of features, and what came of it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.links.link_features import Rows
from scenthound.protocols.snapshots import Snapshot

VERSION = 1


class RowLesson(Struct, frozen=True):
    """`row`: None of a page nobody linked to. `page`: None where none came. `among`: the features that may learn."""

    row: Rows | None
    outcome: float
    page: int | None = None
    among: npt.NDArray[np.intp] | None = None

    def packed(self) -> Snapshot:
        arrays = {} if self.row is None else {"places": self.row.places, "values": self.row.values}
        if self.among is not None:
            arrays["among"] = self.among
        return Snapshot(VERSION, {"outcome": self.outcome, "page": self.page}, arrays)


def row_lesson(experience: Snapshot) -> RowLesson:
    values, arrays = experience.of_version(VERSION)
    row = Rows(arrays["places"], arrays["values"], np.zeros(1, np.intp)) if "places" in arrays else None
    return RowLesson(row, values["outcome"], values["page"], arrays.get("among"))
