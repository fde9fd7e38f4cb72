"""Intervals of shares, as people are shown them: a share is at least 0 and at most 1, and a difference of two within 1.

Student's interval does not know that, and reaches beyond where few topics differ much. What lies there cannot be: the
interval that is left holds the mean as often as the whole one.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from scenthound.lab.statistics import Comparison, Estimate


def share(estimate: Estimate) -> Estimate:
    """Of a share."""
    return _within(estimate, 0.0, 1.0)


def share_differences(comparisons: Mapping[str, Comparison]) -> dict[str, Comparison]:
    """Of shares that are compared with a baseline's."""
    return {label: replace(one, difference=gain(one.difference)) for label, one in comparisons.items()}


def gain(estimate: Estimate) -> Estimate:
    """Of the difference of two shares."""
    return _within(estimate, -1.0, 1.0)


def _within(estimate: Estimate, least: float, most: float) -> Estimate:
    """One that is not known stays so: nan is neither above nor below anything."""
    low = least if estimate.low < least else estimate.low
    high = most if estimate.high > most else estimate.high
    return replace(estimate, low=low, high=high)
