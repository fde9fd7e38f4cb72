from __future__ import annotations

from scenthound.strategies.outlinks import OutlinkCount
from tests.strategies.grown_web import visit


def test_links_of_a_page_with_many_come_first() -> None:
    many = OutlinkCount().rank(
        visit("http://list.example/", "http://a.example/", "http://b.example/", "http://c.example/")
    )
    few = OutlinkCount().rank(visit("http://leaf.example/", "http://d.example/", "http://d.example/"))
    assert [one.priority for one in many] == [3.0] * 3
    assert [one.priority for one in few] == [1.0] * 2, "one URL, linked to twice"
