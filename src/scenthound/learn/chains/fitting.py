"""The search for the best weights, as both chain models make it: L-BFGS on a penalised likelihood.

    L(w) = log likelihood - sum over weights of w^2 / (2 variance)        Gaussian prior, mean 0 (Liu eq. 16)

The weights are one vector for the search: those of features and states (F x K), of transitions (K x K, Liu's edge
feature L1) and of the states a sequence starts in (K).
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.errors import ConfigError

Floats = npt.NDArray[np.float64]

ITERATIONS = 100


watch: ContextVar[Callable[[int, int], None]] = ContextVar("watch", default=lambda done, whole: None)
"""Whoever wants to see training go on: told after each iteration how many there were, of how many at most."""


class Weights(Struct, frozen=True):
    """What a chain model learned."""

    features: Floats  # F x K
    transitions: Floats  # K x K, from i to j
    start: Floats  # K

    @classmethod
    def zero(cls, features: int, states: int) -> Weights:
        return cls(np.zeros((features, states)), np.zeros((states, states)), np.zeros(states))

    def flat(self) -> Floats:
        return np.concatenate([self.features.ravel(), self.transitions.ravel(), self.start])

    def like(self, flat: Floats) -> Weights:
        """The vector cut up again."""
        first, second = self.features.size, self.features.size + self.transitions.size
        return Weights(
            flat[:first].reshape(self.features.shape), flat[first:second].reshape(self.transitions.shape), flat[second:]
        )


class Fit(Struct, frozen=True):
    weights: Weights
    curve: tuple[float, ...]  # the penalised log likelihood after each iteration


Likelihood = Callable[[Weights], tuple[float, Weights]]
"""Log likelihood of the training data, and its gradient."""


def penalised(likelihood: Likelihood, weights: Weights, variance: float) -> tuple[float, Floats]:
    """What is minimised, and its gradient: minus the penalised log likelihood."""
    value, gradient = likelihood(weights)
    flat = weights.flat()
    return float(flat @ flat) / (2 * variance) - value, flat / variance - gradient.flat()


def check_installed() -> None:
    """Says what is missing before the work begins: an optional part of the installation."""
    missing = [name for name in ("scipy", "threadpoolctl") if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"Training this model needs {' and '.join(missing)}, which the extra `learn` brings. Install it with "
            "pip install 'scenthound[learn]', or in a clone with .venv/bin/pip install -e '.[learn]', then train again."
        )


def fit(likelihood: Likelihood, begin: Weights, variance: float, iterations: int = ITERATIONS) -> Fit:
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    curve: list[float] = []

    def objective(flat: Floats) -> tuple[float, Floats]:
        return penalised(likelihood, begin.like(flat), variance)

    def note(intermediate_result: object) -> None:
        curve.append(-float(intermediate_result.fun))  # type: ignore[attr-defined]
        watch.get()(len(curve), iterations)

    options = {"maxiter": iterations, "maxcor": 10}
    with threadpool_limits(1):  # vectors this short are worth no second thread, and waiting for one costs tenfold
        found = minimize(objective, begin.flat(), jac=True, method="L-BFGS-B", callback=note, options=options)
    return Fit(begin.like(np.asarray(found.x, dtype=np.float64)), tuple(curve))
