"""Names for measures, ours and other people's, and the evaluation of a crawl by all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from scenthound.lab.measures.trace import Curve, Evidence, Trace
from scenthound.registry import Names

Better = Literal["higher", "lower", "neither"]
Need = Literal[
    "targets", "to_examples", "to_targets", "verdicts", "informed", "baseline", "looks", "seconds", "training"
]
"""A field of `Evidence` that must not be None, or one of the trace that must not be empty: `seconds`, `training`."""

CurveFunction: TypeAlias = Callable[[Trace, Evidence], Curve]
FinalFunction: TypeAlias = Callable[[Trace, Evidence], float]


class Measured(Struct, frozen=True):
    """What one measure says of one crawl."""

    final: float
    curve: Curve


class Measure(Struct, frozen=True):
    """One question about a crawl. A final number that cannot be told is nan; one never reached is infinite."""

    name: str
    doc: str  # one line
    unit: str
    better: Better
    needs: tuple[Need, ...]
    curve: CurveFunction
    empty: float  # the final number of a crawl without pages
    total: FinalFunction | None = None  # where the last value of the curve is not the final number

    def final(self, trace: Trace, evidence: Evidence) -> float:
        return self(trace, evidence).final

    def lacks(self, trace: Trace, evidence: Evidence) -> list[Need]:
        """What this measure needs and was not given."""
        return [need for need in self.needs if not _given(need, trace, evidence)]

    def __call__(self, trace: Trace, evidence: Evidence) -> Measured:
        curve = self.curve(trace, evidence)
        if self.total is not None:
            return Measured(self.total(trace, evidence), curve)
        return Measured(float(curve[-1]) if len(curve) else self.empty, curve)


class Measures(Names[Measure]):
    """All measures by name, in the order of their modules. `@measure(...)` leaves the function as it is."""

    def __call__(
        self,
        name: str,
        *,
        unit: str,
        better: Better = "higher",
        needs: tuple[Need, ...] = (),
        empty: float = math.nan,
        total: FinalFunction | None = None,
        doc: str = "",
    ) -> Callable[[CurveFunction], CurveFunction]:
        def register(function: CurveFunction) -> CurveFunction:
            told = doc or (function.__doc__ or "").strip().partition("\n")[0]
            if not told:
                raise ValueError(f"the measure {name} does not say what it measures: give it a docstring")
            self.add(name, Measure(name, told, unit, better, needs, function, empty, total), function)
            return function

        return register

    def all(self) -> list[Measure]:
        return list(map(self.get, self.names()))


measure = Measures("measure", "scenthound.lab.measures")


def evaluate(trace: Trace, evidence: Evidence, names: Iterable[str] | None = None) -> dict[str, Measured]:
    """Every measure, or those named, that the evidence at hand allows."""
    wanted = measure.all() if names is None else [measure.get(name) for name in names]
    return {known.name: known(trace, evidence) for known in wanted if not known.lacks(trace, evidence)}


def _given(need: Need, trace: Trace, evidence: Evidence) -> bool:
    if need == "seconds" or need == "training":
        return bool(getattr(trace, need))
    if need == "targets":
        return bool(evidence.targets)  # recall of nothing is no number
    return getattr(evidence, need) is not None
