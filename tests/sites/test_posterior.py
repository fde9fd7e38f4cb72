"""The posterior of a site against the product it stands for."""

from math import isclose, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.sites.posterior import Posterior, SitePrior, corrected

SHARES = st.floats(0.01, 0.99)


def by_hand(prior: float, p_err: float, confidences: list[float]) -> float:
    """Ester 4.3.3 as printed: products, and Bayes."""
    relevant = prior * prod(c * (1 - p_err) + (1 - c) * p_err for c in confidences)
    other = (1 - prior) * prod((1 - c) * (1 - p_err) + c * p_err for c in confidences)
    return relevant / (relevant + other)


def posterior(prior: float, p_err: float, confidences: list[float]) -> Posterior:
    found = Posterior(prior, p_err)
    for confidence in confidences:
        found.add(confidence)
    return found


def test_a_worked_case() -> None:
    # corrected: 0.8 * 0.9 + 0.2 * 0.1 = 0.74, and 0.26 for the other class
    assert corrected(0.8, 0.1) == pytest.approx(0.74)
    assert posterior(0.5, 0.1, [0.8]).probability == pytest.approx(0.74)
    # 0.74^2 / (0.74^2 + 0.26^2) = 0.5476 / 0.6152
    assert posterior(0.5, 0.1, [0.8, 0.8]).probability == pytest.approx(0.5476 / 0.6152)
    assert posterior(0.2, 0.0, [0.8]).probability == pytest.approx(0.5)


@given(prior=SHARES, p_err=st.floats(0, 0.5), confidences=st.lists(st.floats(0.01, 0.99), max_size=15))
def test_it_is_the_product_of_the_document(prior: float, p_err: float, confidences: list[float]) -> None:
    found = posterior(prior, p_err, confidences)
    assert isclose(found.probability, by_hand(prior, p_err, confidences), rel_tol=1e-6, abs_tol=1e-9)


@given(confidences=st.lists(st.floats(0, 1), max_size=40), p_err=st.floats(0, 0.5))
def test_the_order_of_pages_does_not_matter_and_swapped_classes_swap_it(confidences: list[float], p_err: float) -> None:
    forward = posterior(0.3, p_err, confidences)
    assert forward.probability == pytest.approx(posterior(0.3, p_err, confidences[::-1]).probability)
    swapped = posterior(0.7, p_err, [1 - confidence for confidence in confidences])
    assert swapped.probability == pytest.approx(1 - forward.probability, abs=1e-6)


def test_many_pages_neither_overflow_nor_vanish() -> None:
    sure = posterior(0.5, 0.0, [1.0] * 5_000)
    assert sure.probability == 1.0
    assert posterior(0.5, 0.0, [0.0] * 5_000).probability == 0.0
    assert sure.decided(0.999999)


def test_an_erring_classifier_says_nothing() -> None:
    assert posterior(0.3, 0.5, [1.0, 1.0, 0.9]).probability == pytest.approx(0.3)


def test_either_class_decides_and_the_prior_alone_does_not() -> None:
    assert not posterior(0.95, 0.1, []).decided(0.9)
    assert not posterior(0.95, 0.1, [0.5, 0.5]).decided(0.9)  # a frame set has said nothing
    assert posterior(0.95, 0.1, [0.5, 0.51]).decided(0.9)
    against = posterior(0.5, 0.0, [0.05])
    assert against.decided(0.9)
    assert not against.relevant
    assert against.confidence == pytest.approx(0.95)
    assert not posterior(0.5, 0.0, [0.5]).relevant  # Ester: relevant only if more likely than not


def test_the_prior_is_the_smoothed_share() -> None:
    prior = SitePrior(smoothing=5, least=0.0)
    assert prior.value == 0.5
    for relevant in (True, True, True, False):
        prior.add(relevant)
    assert prior.value == pytest.approx((3 + 5) / (4 + 10))


def test_the_prior_does_not_run_away() -> None:
    prior = SitePrior()
    for _ in range(1_000):
        prior.add(True)
    assert prior.value == 0.75
    for _ in range(100_000):
        prior.add(False)
    assert prior.value == 0.25
