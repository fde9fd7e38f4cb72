"""Chance without state: the same seed, the same page, the same purpose, the same number, on any machine.

`mix` is the finalizer of splitmix64, once for Python integers and once for whole numpy arrays. What is drawn
for one page never depends on what was drawn before, so pages can be rendered in any order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(seed: int, purpose: int, number: int = 0) -> int:
    """64 well-stirred bits."""
    x = (seed + (purpose << 40) + (number + 1) * GOLDEN) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def mix_array(seed: int, purpose: int, numbers: NDArray[np.integer]) -> NDArray[np.uint64]:
    """`mix` of every number."""
    start = np.uint64((seed + (purpose << 40)) & MASK)
    x = start + (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(GOLDEN)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def share(seed: int, purpose: int, number: int = 0) -> float:
    """A number in [0, 1)."""
    return (mix(seed, purpose, number) >> 11) * 2.0**-53


def share_array(seed: int, purpose: int, numbers: NDArray[np.integer]) -> NDArray[np.float64]:
    """A number in [0, 1) for every number."""
    return (mix_array(seed, purpose, numbers) >> np.uint64(11)).astype(np.float64) * 2.0**-53
