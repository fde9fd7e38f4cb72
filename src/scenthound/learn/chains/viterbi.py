"""One step along a way: from what is believed of a page to what is believed of the next, by sum or by best path.

    marginal   alpha(j, t) = sum over i of alpha(i, t-1) * m_t(i, j)          (Liu eq. 18, 37)
    Viterbi    delta(j, t) = max over i of delta(i, t-1) * m_t(i, j)          (Liu eq. 23, 39)

m_t(i, j) is p(j | i, o_t) for a MEMM, normalised over j, and exp(score(i, j, o_t)) for a CRF. Both vectors are scaled
to sum to 1 at every step, so that neither depth nor the scale of the scores shows in a priority: for a CRF's alpha
that is eq. 38; for delta it keeps the order of the states, and makes links at different depths comparable.

Of both models the matrices of all links of a page are one table of transitions, and a factor for each link and state,

    m_t(i, j) = e(i, j) * r_t(j),  for a MEMM divided by its sum over j;    e = exp(T),  r_t = exp(score(., o_t))

so that `Steps` need not write them out: products of n x K and K x K numbers do, where there were n x K x K.

`best_path` is the whole algorithm, with its way back: what labels a sequence when a model is examined.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LEAST = 1e-300
"""What nothing is divided by less than."""


def advance(belief: Floats, moves: Floats, best: bool = False) -> Floats:
    """The next beliefs, a row for each of the n matrices in `moves` (n x K x K, from i to j)."""
    weighed = belief[None, :, None] * moves
    return _shares(weighed.max(axis=1) if best else weighed.sum(axis=1))


class Steps:
    """`advance` for a table of transition scores T, from scores of states; `each`: moves sum to 1, as a MEMM's do."""

    def __init__(self, transitions: Floats, each: bool, best: bool = False) -> None:
        highest = transitions.max(axis=1, keepdims=True) if each else transitions.max()
        self._edges: Floats = np.maximum(np.exp(transitions - highest), LEAST)  # so that no sum below is 0
        self._turned = np.ascontiguousarray(self._edges.T)
        self._each, self._best = each, best

    def __call__(self, belief: Floats, scores: Floats) -> Floats:
        """The next beliefs, a row for each row of scores (n x K)."""
        raised = scores - np.maximum.reduce(scores, axis=1, keepdims=True)
        np.exp(raised, out=raised)
        if self._each:
            belief = belief / (raised @ self._turned)
        raised *= (belief[..., None] * self._edges).max(axis=-2) if self._best else belief @ self._edges
        raised /= np.add.reduce(raised, axis=1, keepdims=True)
        return raised


def _shares(reached: Floats) -> Floats:
    """Rows that sum to 1; even ones where all is 0."""
    total = reached.sum(axis=1, keepdims=True)
    if total.all():
        shares: Floats = reached / total
        return shares
    even: Floats = np.full_like(reached, 1.0 / reached.shape[1])
    np.divide(reached, total, out=even, where=total > 0.0)
    return even


def best_path(start: Floats, moves: Floats) -> list[int]:
    """The likeliest states, given log scores: of each state at the first place, of each step (T-1 x K x K)."""
    score, backs = start, []
    for step in moves:
        reached = score[:, None] + step
        backs.append(reached.argmax(axis=0))
        score = reached.max(axis=0)
    state = int(score.argmax())
    path = [state]
    for back in reversed(backs):
        state = int(back[state])
        path.append(state)
    return path[::-1]
