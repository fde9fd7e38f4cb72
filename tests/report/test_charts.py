from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.report import charts


@given(st.lists(st.booleans(), min_size=1, max_size=50))
def test_a_harvest_of_any_shape_is_well_formed(counted: list[bool]) -> None:
    tree = ElementTree.fromstring(charts.harvest(counted))
    assert tree.find("svg/title").text == "Harvest curve"  # type: ignore[union-attr]
    assert f"{sum(counted):,} relevant" in tree.find("svg/desc").text  # type: ignore[union-attr, operator]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50), st.floats(0, 1))
def test_relevance_of_any_shape_is_well_formed(values: list[float], threshold: float) -> None:
    tree = ElementTree.fromstring(charts.relevance(values, threshold))
    assert len(tree.findall("svg/path")) == 4


def test_the_diagonal_and_the_curve_share_their_scale() -> None:
    tree = ElementTree.fromstring(charts.harvest([True] * 100))
    paths = {path.get("class"): path.get("d") for path in tree.iter("path")}
    assert paths["ideal"] == "M0 400L1000 0"
    assert str(paths["curve"]).startswith("M0 400L10 396")
    assert str(paths["curve"]).endswith("L1000 0")


def test_long_crawls_make_small_charts() -> None:
    assert len(charts.harvest([n % 3 == 0 for n in range(200_000)])) < 15_000
    assert len(charts.relevance([n % 7 / 7 for n in range(200_000)], 0.3)) < 40_000


@pytest.mark.parametrize(
    ("total", "most", "expected"),
    [(0, 5, []), (3, 5, [0, 1, 2]), (5, 5, [0, 1, 2, 3, 4]), (101, 5, [0, 25, 50, 75, 100])],
)
def test_thinned(total: int, most: int, expected: list[int]) -> None:
    assert charts.thinned(total, most) == expected


def test_moving_average() -> None:
    assert charts.moving_average([0, 0, 3, 0, 0], 3) == [0, 1, 1, 1, 0]
    assert charts.moving_average([], 3) == []


@given(st.floats(0.001, 1e9))
def test_axes_end_where_people_would_end_them(number: float) -> None:
    end = charts.nice_ceiling(number)
    assert number * 0.999 <= end <= number * 1.35
    marks = charts.ticks(end)
    assert marks[0] == 0
    assert marks[-1] <= end * 1.0001
    assert 2 <= len(marks) <= 8
    assert len(set(marks)) == len(marks)


def test_ticks_of_small_counts_are_whole() -> None:
    assert charts.ticks(600) == [0, 100, 200, 300, 400, 500, 600]
    assert charts.ticks(8) == [0, 2, 4, 6, 8]
    assert charts.ticks(1) == [0, 0.2, 0.4, 0.6, 0.8, 1]


def test_an_axis_that_counts_has_no_halves() -> None:
    assert charts.ticks(1, whole=True) == [0, 1]
    assert charts.ticks(3, whole=True) == [0, 1, 2, 3]
    tree = ElementTree.fromstring(charts.harvest([True, False]))
    assert [mark.text for mark in tree.findall("div[@class='xs']/span")] == ["0", "1", "2 pages"]
    assert [mark.text for mark in tree.findall("div[@class='ys']/span")] == ["0", "1"]


def test_a_few_dots_are_large() -> None:
    assert 'class="dots few"' in charts.relevance([0.5] * charts.FEW, 0.5)
    assert 'class="dots"' in charts.relevance([0.5] * (charts.FEW + 1), 0.5)


def test_a_bar() -> None:
    rects = ElementTree.fromstring(charts.bar(5, 10, 40)).findall("rect")
    assert [rect.get("width") for rect in rects] == ["25.00", "12.50"]
    assert ElementTree.fromstring(charts.bar(0, 0, 0)).findall("rect")[0].get("width") == "0.00"
