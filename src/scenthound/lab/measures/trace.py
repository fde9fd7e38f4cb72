"""What a measure looks at: the trace a crawl left, and the evidence that the evaluation holds against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from scenthound.sites.measures import SiteLook

Curve: TypeAlias = NDArray[np.float64]
"""A value for each page downloaded: `curve[n - 1]` holds after n pages."""

Matrix: TypeAlias = NDArray[np.floating[Any]]


class Request(Struct, frozen=True, gc=False):
    """One request of a crawl, for a page: it brought one, or it was spent in vain (missing, failed, redirected)."""

    url: str  # canonical
    ok: bool = True
    bytes: int = 0
    relevance: float = 0.0  # as the crawl's own judge saw it
    depth: int = 0  # links from a seed, along the way taken


class Trace(Struct, frozen=True):
    """A crawl as its requests in order.

    `budget` is how many pages the crawl might download, 0 if there was no limit; a page beyond it does not count.
    `seconds` maps a stage (fetch, parse, judge, rank, store) to the CPU seconds it had taken when each page was done,
    or to its total alone. `training` is what it took ahead of the crawl to teach the strategy, if it was taught: CPU
    `seconds`, and `pages` seen.
    """

    requests: tuple[Request, ...]
    budget: int = 0
    seconds: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    training: Mapping[str, float] = field(default_factory=dict)

    @property
    def pages(self) -> list[Request]:
        """The requests that brought a page, up to the budget."""
        pages = [request for request in self.requests if request.ok]
        return pages[: self.budget] if self.budget else pages

    @property
    def spent(self) -> list[Request]:
        """Every request made until the budget was used up, the vain ones included."""
        at = self.page_positions()
        used_up = self.budget and len(at) == self.budget
        return list(self.requests[: at[-1] + 1] if used_up else self.requests)

    def page_positions(self) -> list[int]:
        """Where in `requests` the pages are."""
        found = [index for index, request in enumerate(self.requests) if request.ok]
        return found[: self.budget] if self.budget else found


class Evidence(Struct, frozen=True):
    """What the evaluation knows and the crawl did not. A measure whose evidence is None is not reported.

    Rows of the matrices, and the entries of `verdicts`, are the pages of the trace in order.
    """

    targets: frozenset[str] | None = None  # URLs that were to be found, without examples a learner saw
    to_examples: Matrix | None = None  # cosine of each page to each relevant example
    to_targets: Matrix | None = None  # cosine of each page to each target page
    verdicts: NDArray[np.bool_] | None = None  # what a classifier trained apart says of each page
    informed: NDArray[np.bool_] | None = None  # and what one says that knows every relevant page of the web
    baseline: Curve | None = None  # of the baseline crawl: cosine of each page to its nearest target
    looks: tuple[SiteLook, ...] | None = (
        None  # of a crawl for sites: which site each page is of, and what was held of it
    )
    more: Mapping[str, Any] = field(default_factory=dict)  # for measures of other packages


def nearest(similarities: Matrix) -> Curve:
    """The similarity of each page to the reference page nearest to it; 0 where there is none to be near to."""
    if similarities.shape[1] == 0:
        return np.zeros(similarities.shape[0])
    return np.asarray(similarities.max(axis=1), dtype=np.float64)


def running_mean(values: NDArray[Any]) -> Curve:
    """The mean of the first n values, for each n."""
    means: Curve = np.cumsum(values, dtype=np.float64) / np.arange(1, len(values) + 1)
    return means


def ratio(part: NDArray[Any], whole: NDArray[Any]) -> Curve:
    """part / whole, nan where there is no whole."""
    quotient: Curve = np.full(np.broadcast_shapes(part.shape, whole.shape), np.nan)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient


def held(curve: Curve, length: int, start: float = np.nan) -> Curve:
    """The curve made `length` long: cut, or its last value kept (`start`, where there is none)."""
    if len(curve) >= length:
        return curve[:length]
    last = curve[-1] if len(curve) else start
    return np.concatenate([curve, np.full(length - len(curve), last)])


def over_requests(trace: Trace, curve: Curve, start: float = np.nan) -> Curve:
    """The same curve with a value for each request instead of each page: `start` until the first page came."""
    pages = np.cumsum([request.ok for request in trace.requests], dtype=np.intp)
    values = np.concatenate([[start], curve])
    return np.asarray(values[np.minimum(pages, len(curve))], dtype=np.float64)
