"""The map as shapes: sites within the picture, names that do not stand on one another."""

from __future__ import annotations

from scenthound.app.site_map import MapLink, MapSite, SiteMap
from scenthound.web.map_picture import HEIGHT, LETTER, WIDTH, drawn


def test_names_do_not_overlap() -> None:
    sites = [MapSite(f"www.site-{n}.example", 10 + n, n, (n % 6) / 5, (n // 6) / 5, 1, 1) for n in range(36)]
    crowded = [MapSite(f"crowd-{n}.example", 1, 0, 0.5 + n / 500, 0.5, 0, 0) for n in range(8)]
    picture = drawn(SiteMap([*sites, *crowded], [MapLink(sites[0].host, sites[1].host, 7)], 7, 44))
    labels = [(shape.label, LETTER * len(shape.name)) for shape in picture.shapes if shape.label is not None]
    assert 20 <= len(labels) < 44
    boxes = []
    for (x, y, anchor), wide in labels:
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        boxes.append((left, y - 10, left + wide, y))
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one, other)
    for shape in picture.shapes:
        assert 0 < shape.x < WIDTH
        assert 0 < shape.y < HEIGHT
        assert shape.inner <= shape.radius
    assert picture.lines[0].path.startswith("M")


def test_links_there_and_back_are_one_line() -> None:
    a, b, c = (
        MapSite(f"{name}.example", 3, 1, place, place, 1, 1) for name, place in (("a", 0.1), ("b", 0.5), ("c", 0.9))
    )
    links = [
        MapLink("a.example", "b.example", 2),
        MapLink("c.example", "a.example", 3),
        MapLink("b.example", "a.example", 5),
    ]
    lines = drawn(SiteMap([a, b, c], links, 10, 3)).lines
    assert [(line.source, line.target, line.links, line.back) for line in lines] == [
        ("c.example", "a.example", 3, 0),
        ("b.example", "a.example", 5, 2),
    ]


def test_a_long_name_is_cut_and_nothing_is_drawn_of_nothing() -> None:
    picture = drawn(SiteMap([MapSite("a" * 80 + ".example", 0, 0, 0.5, 0.5, 0, 0)], [], 0, 1))
    assert picture.shapes[0].name.endswith("…")
    assert drawn(SiteMap([], [], 0, 0)).shapes == []
