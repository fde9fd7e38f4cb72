import numpy as np
import pytest

from scenthound.crawler.coverage.missing_quantiles import MOST_GROUPS, MissingPart, missing_quantiles

NONE = MissingPart(0.0, 1.0, 0.0)


def test_chances_of_a_known_distribution() -> None:
    """Shape 1 is geometric: with mean 1 each further group is half as likely."""
    assert MissingPart(1.0, 1.0, 1.0).chances()[:4] == pytest.approx([0.5, 0.25, 0.125, 0.0625])
    chances = MissingPart(6.0, 2.5, 1.0).chances()
    assert chances.sum() == pytest.approx(1.0)
    assert chances @ np.arange(MOST_GROUPS + 1) == pytest.approx(6.0)
    assert MissingPart(1e6, 1.0, 1.0).chances().sum() == pytest.approx(1.0)


def test_quantiles_of_groups_of_one_size() -> None:
    assert missing_quantiles((MissingPart(1.0, 1.0, 4.0), NONE), (0.025, 0.5, 0.75, 0.95)) == [0.0, 0.0, 4.0, 16.0]
    assert missing_quantiles((NONE, NONE), (0.5, 0.999)) == [0.0, 0.0]


def test_quantiles_of_two_kinds_are_those_of_their_sum() -> None:
    parts = MissingPart(3.0, 2.0, 2.0), MissingPart(0.5, 1.0, 20.0)
    chance = np.random.default_rng(1)
    drawn = sum(chance.poisson(chance.gamma(p.shape, p.mean / p.shape, 200_000)) * p.size for p in parts)
    for share, found in zip((0.5, 0.9, 0.99), missing_quantiles(parts, (0.5, 0.9, 0.99)), strict=True):
        assert np.mean(drawn <= found) >= share - 0.01
        assert np.mean(drawn < found) <= share + 0.01
