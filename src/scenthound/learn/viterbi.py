"""One step along a way: from what is believed of a page to what is believed of the next, by sum or by best path.

    marginal   alpha(j, t) = sum over i of alpha(i, t-1) * m_t(i, j)          (Liu eq. 18, 37)
    Viterbi    delta(j, t) = max over i of delta(i, t-1) * m_t(i, j)          (Liu eq. 23, 39)

m_t(i, j) is p(j | i, o_t) for a MEMM, normalised over j, and exp(score(i, j, o_t)) for a CRF. Both vectors are scaled
to sum to 1 at every step, so that neither depth nor the scale of the scores shows in a priority: for a CRF's alpha
that is eq. 38; for delta it keeps the order of the states, and makes links at different depths comparable.

`best_path` is the whole algorithm, with its way back: what labels a sequence when a model is examined.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def advance(belief: Floats, moves: Floats, best: bool = False) -> Floats:
    """The next beliefs, a row for each of the n matrices in `moves` (n x K x K, from i to j)."""
    weighed = belief[None, :, None] * moves
    reached: Floats = weighed.max(axis=1) if best else weighed.sum(axis=1)
    total = reached.sum(axis=1, keepdims=True)
    states = reached.shape[1]
    even: Floats = np.full_like(reached, 1.0 / states)
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
