from __future__ import annotations

import numpy as np

from scenthound.lab.freshness.commit_groups import commit_groups, group_means
from scenthound.lab.statistics import wilcoxon


def test_pages_of_one_commit_are_one_group() -> None:
    changes = {"a": [1, 2, 3], "b": [1, 2, 3], "c": [1, 2, 9], "d": [7], "e": [], "f": []}
    assert commit_groups(changes) == [["a", "b", "c"], ["d"], ["e"], ["f"]]
    assert commit_groups({"a": [1, 2, 3, 4], "b": [1, 8, 9]}) == [["a"], ["b"]], "one moment of six"


def test_means_of_groups() -> None:
    values = {"a": 0.2, "b": 0.4, "d": float("nan"), "e": 1.0}
    assert group_means(values, [["a", "b", "c"], ["d"], ["e"]]) == {"a": 0.30000000000000004, "e": 1.0}


def test_one_commit_is_no_evidence() -> None:
    """A hundred pages of one commit differ alike: page by page that is overwhelming, as one event it is nothing."""
    chance = np.random.default_rng(1)
    pages = [f"p{number}" for number in range(100)]
    apart = dict(zip(pages, 0.1 + 0.01 * chance.normal(size=100), strict=True))
    groups = commit_groups({page: [5.0] for page in pages})
    assert wilcoxon(list(apart.values())) < 1e-6
    assert wilcoxon(list(group_means(apart, groups).values())) == 1.0
