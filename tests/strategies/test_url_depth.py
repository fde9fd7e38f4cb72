from __future__ import annotations

import pytest

from scenthound.strategies.url_depth import UrlDepth, url_depth
from tests.strategies.grown_web import visit


@pytest.mark.parametrize(
    ("url", "depth"),
    [
        ("http://a.example/", 0),
        ("http://a.example", 0),
        ("http://a.example/page.html", 0),
        ("http://a.example/x/", 1),
        ("http://a.example/x/y/page.html", 2),
        ("http://a.example/x?from=/a/b/c", 0),
    ],
)
def test_depth_by_hand(url: str, depth: int) -> None:
    assert url_depth(url) == depth


def test_high_pages_come_first() -> None:
    ranked = UrlDepth().rank(visit("http://s.example/", "http://a.example/x/y/z", "http://b.example/"))
    assert [one.priority for one in ranked] == [-2.0, 0.0]
