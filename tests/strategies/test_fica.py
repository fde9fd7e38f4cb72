from __future__ import annotations

from math import log10

import pytest
from msgspec.structs import replace

from scenthound.strategies.fica import Fica
from tests.strategies.grown_web import visit


def test_a_click_counts_by_how_many_links_there_were() -> None:
    """A seed with 10 links: each is log10(10) = 1 away. One of these has 3 links: they are 1 + log10(3) away."""
    fica = Fica()
    seed = visit("http://s.example/", *(f"http://a.example/{n}" for n in range(10)))
    first = fica.rank(seed)
    assert [one.priority for one in first] == pytest.approx([-1.0] * 10)
    below = replace(visit("http://a.example/0", *(f"http://b.example/{n}" for n in range(3))), memory=first[0].memory)
    assert [one.priority for one in fica.rank(below)] == pytest.approx([-1 - log10(3)] * 3)
    assert [one.priority for one in Fica(discount=0.5).rank(below)] == pytest.approx([-0.5 - log10(3)] * 3)


def test_an_only_link_is_no_way_at_all() -> None:
    assert [one.priority for one in Fica().rank(visit("http://s.example/", "http://a.example/"))] == [0.0]


def test_memory_of_another_strategy_is_no_distance() -> None:
    odd = replace(visit("http://s.example/", "http://a.example/"), memory=b"\xff" * 8)
    assert [one.priority for one in Fica().rank(odd)] == [0.0]
    with pytest.raises(ValueError, match="between 0 and 1"):
        Fica(discount=2.0)
