"""Mutations: the same ones for the same dice, of bounded size, and of every kind."""

from random import Random

import pytest
from fuzz.mutations import HUGE, LARGEST, MUTATIONS, mutated

INPUT = b"User-agent: *\nDisallow: /a/b\nCrawl-delay: 10\n"


def test_the_same_dice_give_the_same_inputs() -> None:
    def inputs(seed: int) -> list[bytes]:
        dice = Random(seed)
        return [mutated(INPUT, dice, [b"Allow: "], [INPUT, b"other"]) for _ in range(50)]

    assert inputs(1) == inputs(1) != inputs(2)
    assert len(set(inputs(1))) > 40


def test_inputs_are_bounded() -> None:
    dice, data, sizes = Random(1), INPUT, []
    for _ in range(3000):
        data = mutated(data or INPUT, dice, [], [INPUT])
        sizes.append(len(data))
    assert max(sizes) <= HUGE
    assert sum(size > LARGEST for size in sizes) < 300


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
@pytest.mark.parametrize("data", [b"", b"x", INPUT])
def test_each_changes_something_and_takes_anything(mutation, data: bytes) -> None:  # type: ignore[no-untyped-def]
    results = {mutation(data, Random(seed), [b"piece"]) for seed in range(60)}
    assert len(results) > 1 or len(data) < 2
