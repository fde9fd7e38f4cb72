"""What a crawler believes of a page: a probability for each state. As bytes beside a link, and as its priority.

Liu orders links by the vector (p(T0), p(T1), ...), a later number deciding where the ones before differ by less than
0.001. Closeness is not transitive, so that is no order. Here each probability is rounded to a multiple of 0.001, and
the vectors are compared as such: digits of a number in base 1001,

    n = d_0 * 1001^4 + d_1 * 1001^3 + ... + d_4,    d_i = round(1000 * p(T_i)),    n < 2^53

which a float holds exactly. The priority is n / (1000 * 1001^4): about p(T0), and no two different n meet there, since
neighbours are 1 / n apart, further than floats of that size are.

In that order a page that lists forty targets comes after every link with the slightest chance of being one. So there
is another, `discounted`, which weighs a target now against targets later.
"""

from __future__ import annotations

from math import isfinite
from struct import unpack_from

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

BASE = 1001
MOST_STATES = 5
_UNIT = 1000 * BASE ** (MOST_STATES - 1)
_POWERS = np.array([BASE**power for power in range(MOST_STATES - 1, -1, -1)], dtype=np.float64)

VERSION = 1
"""The first byte of a packed belief; raise it when the meaning of the others changes."""

_VERSION = bytes([VERSION])


def priorities(beliefs: Floats) -> Floats:
    """One priority for each row of probabilities, at most five states: higher is sooner."""
    packed: Floats = np.rint(beliefs * (BASE - 1)) @ _POWERS[: beliefs.shape[1]] / _UNIT
    return packed


def discounted(beliefs: Floats, discount: float) -> Floats:
    """sum over j of discount^j * p(T_j): what one target is worth that is j steps away."""
    worth: Floats = beliefs @ (discount ** np.arange(beliefs.shape[1]))
    return worth


def digits_of(priority: float, states: int = MOST_STATES) -> tuple[int, ...]:
    """The thousandths that were packed: the way back from a priority."""
    n = round(priority * _UNIT)
    digits = []
    for power in map(int, _POWERS):
        digit, n = divmod(n, power)
        digits.append(digit)
    return tuple(digits[:states])


def with_second(first: Floats | float, second: Floats | float, epsilon: float) -> Floats:
    """One number for two: the first, rounded to a multiple of epsilon, decides; then the second, 0..1 (Batsakis 3.4).

    priority = epsilon * (round(first / epsilon) + second)
    """
    below_one = np.minimum(np.asarray(second, dtype=np.float64), 1.0 - 1e-9)
    return np.asarray(epsilon * (np.rint(np.asarray(first) / epsilon) + below_one))


def packed(beliefs: Floats) -> list[bytes]:
    """Each row as bytes: the version, then 32-bit floats, little-endian. 21 bytes for five states."""
    numbers = beliefs.astype("<f4").tobytes()
    size = 4 * beliefs.shape[1]
    return [_VERSION + numbers[at : at + size] for at in range(0, len(numbers), size)]


def unpacked(memory: bytes | None, states: int, *, scaled: bool = True) -> Floats | None:
    """What `packed` packed, made to sum to 1 if `scaled`; None for bytes of another strategy or version."""
    if memory is None or len(memory) != 1 + 4 * states or memory[0] != VERSION:
        return None
    belief = unpack_from(f"<{states}f", memory, 1)
    total = sum(belief)
    if not isfinite(total) or min(belief) < 0.0 or (scaled and total <= 0.0):
        return None
    if not scaled:
        return np.array(belief)
    return np.array([share / total for share in belief])
