"""How often to look at each page, when there are fewer requests than one would like.

With rates of change r, weights w (how much we care) and looks f a day, what is to be gained depends on what one wants:

| objective | what is kept high | source |
|---|---|---|
| `freshness` | share of time a copy is up to date; regular looks: `f/r * (1 - exp(-r/f))` | Cho, Garcia-Molina 2003 |
| `poisson` | the same, looks at random moments: `f / (f + r)` | Azar et al. 2018 |
| `harmonic` | minus the harmonic penalty, 1 + 1/2 + ... + 1/n for n missed changes: `-log(1 + r/f)` | Kolobov 2019 |

The best looks under a budget, sum of f <= B, all have the same marginal gain w * dF/df = m, or none at all where even
the first look gains less. `allocate` finds m by bisection. A page that changes far too often to be kept fresh gets no
looks for the first two objectives: that is the famous result, and why proportional looks are worse than equal ones.

Seen from one page, the same rule says *when*: with time t since the last look, and cost c(s) for a copy of age s,

    gain(t) = t c(t) - integral of c from 0 to t

grows with t, and the page is due when w * gain(t) reaches m. So whoever always asks the page of the largest
w * gain(t) keeps the best schedule without knowing the budget, and follows at once when a rate turns out to be another.

    freshness   c = 1 - exp(-rt)           gain = (1 - exp(-rt)) / r - t exp(-rt)
    harmonic    c = Ein(rt)                gain = t - (1 - exp(-rt)) / r
    age         c = t - (1 - exp(-rt)) / r gain = t²/2 + t exp(-rt) / r - (1 - exp(-rt)) / r²
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Objective = Literal["freshness", "poisson", "harmonic"]
Aim = Literal["freshness", "harmonic", "age"]
Array = NDArray[np.float64]

_HALVINGS = 80
_SMALL = 1e-3  # of r t, below which the formulas lose their digits and the first terms of their series take over


def gain(rates: ArrayLike, times: ArrayLike, aim: Aim = "freshness") -> Array:
    """What a look is worth now, `times` days after the last one; the arrays may be of any shapes that go together."""
    r, t = np.broadcast_arrays(np.asarray(rates, dtype=np.float64), np.maximum(np.asarray(times, dtype=np.float64), 0))
    return np.asarray(t * share_gained(r * t, aim) if aim != "age" else t * t * share_gained(r * t, aim))


def share_gained(expected: Array, aim: Aim) -> Array:
    """The gain as a share of the time (for age, of its square) since the last look; `expected` = r t changes by now."""
    x = np.maximum(expected, _SMALL)
    still = np.exp(-x)
    gone = -np.expm1(-x)
    small = np.minimum(expected, _SMALL)
    if aim == "freshness":
        exact, series = gone / x - still, small / 2 - small**2 / 3
    elif aim == "harmonic":
        exact, series = 1 - gone / x, small / 2 - small**2 / 6
    else:
        exact, series = 0.5 + still / x - gone / (x * x), small / 3 - small**2 / 8
    return np.asarray(np.where(expected < _SMALL, series, exact), dtype=np.float64)


def allocate(
    rates: ArrayLike,
    weights: ArrayLike,
    budget: float,
    objective: Objective = "freshness",
    most: float = np.inf,
) -> Array:
    """Looks a day at each page that make the most of `budget` looks a day; none at more than `most` a day.

    A page that never changes or has no weight gets none. A budget that is more than `most` allows is not used up.
    """
    r = np.asarray(rates, dtype=np.float64)
    w = np.broadcast_to(np.asarray(weights, dtype=np.float64), r.shape)
    looks = np.zeros(r.shape)
    live = np.isfinite(r) & np.isfinite(w) & (r > 0) & (w > 0)
    if budget <= 0 or not live.any():
        return looks
    solve = _SOLVERS[objective]
    rate, weight = r[live], w[live]
    # Between these margins every page gets all it may have, and none gets anything worth mentioning.
    low, high = np.log(1e-30 * weight.min()), np.log(1e30 * float((weight / rate).max() + weight.max()))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if np.minimum(solve(rate, weight, float(np.exp(middle))), most).sum() > budget:
            low = middle
        else:
            high = middle
    # A page that changes far too often wants all or nothing, and digits run out before it has made up its mind: the
    # answer lies between what it wants on either side.
    more, fewer = (np.minimum(solve(rate, weight, float(np.exp(margin))), most) for margin in (low, high))
    spread = float(more.sum() - fewer.sum())
    share = min((budget - float(fewer.sum())) / spread, 1.0) if spread > 0 else 0.0
    looks[live] = fewer + share * (more - fewer)
    return looks


def _regular(rate: Array, weight: Array, margin: float) -> Array:
    """Looks at even intervals t with weight * gain(t) = margin; none where not even waiting for ever gains as much."""
    worth = weight / rate > margin
    low, high = np.full(rate.shape, -60.0), np.log(700.0 / rate)  # log t
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        enough = weight * gain(rate, np.exp(middle)) > margin
        high = np.where(enough, middle, high)
        low = np.where(enough, low, middle)
    return np.asarray(np.where(worth, np.exp(-high), 0.0), dtype=np.float64)


def _at_random(rate: Array, weight: Array, margin: float) -> Array:
    """w r / (f + r)² = m, so f = sqrt(w r / m) - r."""
    return np.asarray(np.maximum(np.sqrt(weight * rate / margin) - rate, 0.0), dtype=np.float64)


def _harmonically(rate: Array, weight: Array, margin: float) -> Array:
    """w r / (f (f + r)) = m, a quadratic equation for f; written so that no digits are lost where r is large."""
    product = weight * rate / margin
    return np.asarray(2 * product / (rate + np.sqrt(rate * rate + 4 * product)), dtype=np.float64)


_SOLVERS: dict[Objective, Callable[[Array, Array, float], Array]] = {
    "freshness": _regular,
    "poisson": _at_random,
    "harmonic": _harmonically,
}


def value(rates: ArrayLike, weights: ArrayLike, looks: ArrayLike, objective: Objective = "freshness") -> float:
    """What the looks are expected to bring: the weighted mean of freshness, or of minus the harmonic penalty."""
    r, w, f = (np.asarray(given, dtype=np.float64) for given in (rates, weights, looks))
    r, w, f = np.broadcast_arrays(r, w, f)
    still = r <= 0
    x = np.where(still, 1.0, r) / np.maximum(f, 1e-300)
    if objective == "freshness":
        each = -np.expm1(-np.minimum(x, 700.0)) / x
    elif objective == "poisson":
        each = 1 / (1 + x)
    else:
        each = -np.log1p(x)
    return float(np.average(np.where(still, 0.0 if objective == "harmonic" else 1.0, each), weights=w))


def next_looks(last: ArrayLike, looks: ArrayLike, random: Random | None = None) -> Array:
    """When each page is due: one interval after its last look, in days; with `random`, at a random moment of that mean.

    Random moments are what `poisson` and `harmonic` reckon with, and hide nothing from a page that changes in step.
    """
    f = np.asarray(looks, dtype=np.float64)
    draws = np.ones(f.shape) if random is None else np.array([random.expovariate(1.0) for _ in range(f.size)])
    waits = np.divide(draws.reshape(f.shape), f, out=np.full(f.shape, np.inf), where=f > 0)
    return np.asarray(np.asarray(last, dtype=np.float64) + waits, dtype=np.float64)


def due_first(scores: ArrayLike, n: int) -> list[int]:
    """The places of the n largest scores, the largest first, equals in the order given; what is nan or 0 is not due."""
    given = np.asarray(scores, dtype=np.float64)
    candidates = np.flatnonzero(given > 0)
    order = candidates[np.argsort(-given[candidates], kind="stable")]
    return [int(place) for place in order[: max(n, 0)]]
