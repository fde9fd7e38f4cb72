"""Names for measures, ours and other people's, and the evaluation of a crawl by all of them."""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import Literal, TypeAlias

from msgspec import Struct

from scenthound.errors import UnknownName
from scenthound.lab.measures.trace import Curve, Evidence, Trace

PACKAGE = "scenthound.lab.measures"
GROUP = "scenthound.measures"

Better = Literal["higher", "lower", "neither"]
Need = Literal["targets", "to_examples", "to_targets", "verdicts", "baseline", "looks", "seconds", "training"]
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


class Measures:
    """All measures by name, in the order of their modules. `@measure(...)` leaves the function as it is."""

    def __init__(self) -> None:
        self._known: dict[str, Measure] = {}
        self._loaded = False

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
            taken = self._known.get(name)
            if taken is not None and _origin(taken.curve) != _origin(function):
                raise ValueError(f"two measures are called {name}: {_origin(taken.curve)} and {_origin(function)}")
            told = doc or (function.__doc__ or "").strip().partition("\n")[0]
            if not told:
                raise ValueError(f"the measure {name} does not say what it measures: give it a docstring")
            self._known[name] = Measure(name, told, unit, better, needs, function, empty, total)
            return function

        return register

    def all(self) -> list[Measure]:
        self._load()
        return list(self._known.values())

    def names(self) -> list[str]:
        return [known.name for known in self.all()]

    def get(self, name: str) -> Measure:
        self._load()
        try:
            return self._known[name]
        except KeyError:
            near = get_close_matches(name, self._known, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(self.names())}."
            raise UnknownName(f"There is no measure called {name!r}. {hint}") from None

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        for module in pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__):
            importlib.import_module(f"{PACKAGE}.{module.name}")
        for entry in entry_points(group=GROUP):
            entry.load()  # a module: its decorators do the rest


measure = Measures()


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


def _origin(function: CurveFunction) -> str:
    return f"{function.__module__}.{function.__qualname__}"
