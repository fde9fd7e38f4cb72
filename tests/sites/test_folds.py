"""Folds by site."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scenthound.sites.folds import fold_numbers


@given(labels=st.lists(st.booleans(), max_size=60), folds=st.integers(2, 10), seed=st.integers(0, 5))
def test_classes_are_dealt_out_evenly(labels: list[bool], folds: int, seed: int) -> None:
    numbers = fold_numbers(labels, Random(seed), folds)
    assert len(numbers) == len(labels)
    for group in (labels, *([label] for label in set(labels))):
        sizes = Counter(number for number, label in zip(numbers, labels, strict=True) if label in group)
        counts = [sizes[fold] for fold in range(folds)]
        assert max(counts) - min(counts) <= 1


def test_the_seed_decides() -> None:
    labels = [True] * 20 + [False] * 30
    assert fold_numbers(labels, Random(1)) == fold_numbers(labels, Random(1))
    assert fold_numbers(labels, Random(1)) != fold_numbers(labels, Random(2))
