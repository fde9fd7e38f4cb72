"""The links asked for last are known, as a dict with a bound knows them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scenthound.bounded_cache import BoundedCache
from scenthound.learn.ranking.done_links import DoneLinks


@given(st.lists(st.integers(-12, 12)), st.integers(1, 10), st.integers(1, 6))
def test_it_knows_what_a_bounded_cache_knows(links: list[int], most: int, recent: int) -> None:
    done, plain = DoneLinks(most, recent), BoundedCache[int, None](most)
    everything = list(range(-12, 13))
    for link in links:
        done.add(link)
        plain.put(link, None)
        assert done.among(everything) == [each in plain for each in everything]
        assert done.kept().tolist() == list(plain.entries)
        assert len(done) == len(plain)
    again = DoneLinks(most, recent)
    again.take_back(done.kept())
    assert again.kept().tolist() == list(plain.entries)


def test_what_was_kept_with_a_larger_bound_is_cut() -> None:
    done = DoneLinks(3)
    done.take_back(np.arange(5))
    assert done.kept().tolist() == [2, 3, 4]
    assert done.among([1, 2]) == [False, True]


def test_a_link_takes_twenty_bytes() -> None:
    done = DoneLinks(10_000, recent=100)
    for link in range(20_000):
        done.add(link * 0x9E3779B97F4A7C15 % (1 << 63))
    assert len(done) == 10_000
    assert done.bytes <= 20 * 10_000
