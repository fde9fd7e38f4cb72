import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scenthound.lab.report.charts import Palette, scatter, spread

SHARES = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.floats(0, 1), max_size=25)


@given(SHARES)
def test_names_keep_their_order_and_their_distance(wanted: dict[str, float]) -> None:
    gap = 0.05
    places = spread(wanted, gap)
    assert places.keys() == wanted.keys()
    order = sorted(wanted, key=lambda name: (wanted[name], name))
    heights = [places[name] for name in order]
    least = min(gap, 1 / max(1, len(order) - 1))
    assert all(later - former >= least - 1e-9 for former, later in pairwise(heights))
    assert all(-1e-9 <= height <= 1 + 1e-9 for height in heights)


def test_what_has_room_stays_where_it_is() -> None:
    assert spread({"a": 0.2, "b": 0.6}, 0.1) == {"a": 0.2, "b": 0.6}
    assert spread({"a": 0.5, "b": 0.5}, 0.1) == {"a": 0.5, "b": 0.6}
    assert spread({"a": 1.0, "b": 1.0}, 0.1) == {"a": 0.9, "b": 1.0}


def test_names_beside_the_dots_of_strategies_that_are_alike() -> None:
    """Thirty that cost and bring the same: the plot grows until every name has a line of its own."""
    names = [f"strategy-{n}" for n in range(30)]
    html = str(scatter(dict.fromkeys(names, (2.0, 0.5)), Palette(names, []), "ms/page", "recall"))
    height = int(re.search(r"--height:(\d+)px", html)[1])  # type: ignore[index]
    column = html.split('class="names"')[1]
    places = sorted(float(share) * height / 100 for share in re.findall(r"bottom:([\d.]+)%", column)[:30])
    assert len(places) == 30
    assert all(later - former > 15 for former, later in pairwise(places))
