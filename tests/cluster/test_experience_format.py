"""What workers tell each other comes back as it was."""

from __future__ import annotations

import numpy as np
import pytest

from scenthound.cluster.experience_format import UNREADABLE, packed, told, unpacked
from scenthound.protocols.snapshots import Snapshot


def test_values_and_arrays_come_back_with_their_types_and_shapes() -> None:
    arrays = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.zeros(0, np.int64)}
    [back] = unpacked(packed([told("judge", Snapshot(3, {"n": 1, "none": None}, arrays))]))
    again = back.snapshot()
    assert (back.learner, again.version, again.values) == ("judge", 3, {"n": 1, "none": None})
    for name, array in arrays.items():
        assert again.arrays[name].dtype == array.dtype
        assert again.arrays[name].shape == array.shape
        assert np.array_equal(again.arrays[name], array)


@pytest.mark.parametrize("content", [{"a": ("<f4", [3], b"1234")}, {"a": ("no type", [1], b"1234")}])
def test_strange_arrays_are_refused(content: dict[str, tuple[str, list[int], bytes]]) -> None:
    from scenthound.cluster.experience_format import Told

    [back] = unpacked(packed([Told("strategy", 1, {}, content)]))
    with pytest.raises(UNREADABLE):
        back.snapshot()
