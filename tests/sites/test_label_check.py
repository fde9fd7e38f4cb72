"""Whether labels are learned from: only where that tells labelled sites apart better, beyond doubt."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.sites.held_back import HeldBack
from scenthound.sites.label_check import LabelCheck, check_labels
from scenthound.sites.taught import TaughtSites

PAGES = 4


def checked(truth: list[bool], words: list[float], learned: list[float]) -> LabelCheck:
    """Sites of some pages each, all of which say the same: by words a confidence, by what was learned log-odds."""
    held_back = HeldBack(
        np.repeat(np.array(learned), PAGES), np.repeat(np.array(truth), PAGES), np.repeat(np.arange(len(truth)), PAGES)
    )
    return check_labels(truth, [[word] * PAGES for word in words], held_back, p_err=0.1, p_threshold=0.9)


TRUTH = [True] * 4 + [False] * 4
TRUE, FALSE, NONE = 0.95, 0.05, 0.5


def test_labels_help_where_words_say_nothing() -> None:
    check = checked(TRUTH, [NONE] * 8, [3.0] * 4 + [-3.0] * 4)
    assert check == LabelCheck(sites=8, by_topic=4, by_labels=8, by_chance=4, helps=True)
    assert str(check) == (
        "What labelled sites teach is used: with it 8 of 8 labelled sites are told right when held back, "
        "4 by the topic's words alone."
    )


def test_they_stay_out_of_the_way_where_words_say_all() -> None:
    check = checked(TRUTH, [TRUE] * 4 + [FALSE] * 4, [3.0] * 4 + [-3.0] * 4)
    assert (check.by_topic, check.by_labels, check.helps) == (8, 8, False)
    assert "not used" in str(check)
    assert "not clearly better" in str(check)


def test_what_is_no_better_than_chance_is_not_used_and_said_to_be() -> None:
    check = checked(TRUTH, [NONE] * 8, [3.0, -3.0] * 4)
    assert not check.helps
    assert check.by_labels <= check.by_chance
    assert str(check).endswith("labelled sites are told right when held back, no better than chance.")


def test_one_site_more_is_no_proof() -> None:
    """One site that words miss is told right by labels; with eight sites that may be luck."""
    words = [0.4, TRUE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE]
    check = checked(TRUTH, words, [3.0] * 4 + [-3.0] * 4)
    assert (check.by_topic, check.by_labels, check.helps) == (7, 8, False)


def test_many_sites_more_are() -> None:
    words = [0.4] * 5 + [TRUE] * 5 + [FALSE] * 10
    check = checked([True] * 10 + [False] * 10, words, [3.0] * 10 + [-3.0] * 10)
    assert (check.by_topic, check.by_labels, check.helps) == (15, 20, True)


def test_labels_have_to_be_better_than_the_crawls_own_word() -> None:
    """By its first pages the words do not know the sites; the crawl, which looked longer, does."""
    held_back = HeldBack(np.repeat([3.0, -3.0], 4), np.repeat([True, False], 4), np.arange(8))
    silent, known = [[NONE]] * 8, [2.0] * 4 + [-2.0] * 4
    without = check_labels(TRUTH, silent, held_back, p_err=0.1, p_threshold=0.6)
    assert (without.by_topic, without.by_labels) == (4, 8)
    check = check_labels(TRUTH, silent, held_back, held=known, p_err=0.1, p_threshold=0.6)
    assert (check.by_topic, check.by_labels, check.helps) == (8, 8, False)


def test_a_wrong_site_costs_more_than_a_missed_one() -> None:
    """Where words call nothing relevant, labels that find most relevant sites may call hardly another one so."""
    truth, nothing = [True] * 10 + [False] * 10, [0.35] * 20
    assert checked(truth, nothing, [9.0] * 8 + [-9.0] * 12).helps
    assert not checked(truth, nothing, [9.0] * 8 + [-9.0] * 2 + [9.0] * 3 + [-9.0] * 7).helps


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(-50, 50) | st.just(float("nan"))), min_size=4, max_size=10),
    st.floats(0.5, 1.0),
)
def test_whatever_is_said_it_never_helps_by_telling_fewer_right(
    said: list[tuple[float, float]], p_threshold: float
) -> None:
    truth = [number % 2 == 0 for number in range(len(said))]
    held_back = HeldBack(np.array([odds for _, odds in said]), np.array(truth), np.arange(len(said)))
    check = check_labels(truth, [[word] for word, _ in said], held_back, p_err=0.1, p_threshold=p_threshold)
    assert check.sites == len(said)
    assert not check.helps or check.by_labels > max(check.by_topic, check.by_chance)
    assert str(check)


def test_a_site_without_any_word_is_no_mistake_of_the_check() -> None:
    assert checked(TRUTH, [NONE] * 8, [float("nan")] * 8).by_labels == 4
    assert checked(TRUTH, [NONE] * 8, [float("nan")] * 8).helps is False


@pytest.mark.parametrize("n", [2, 3])
def test_too_early_to_say(n: int) -> None:
    check = LabelCheck(2 * n, n, 2 * n, n, helps=True, early=True)
    assert "not used yet" in str(check)
    assert not TaughtSites(None, check).used  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [2, 3])
def test_few_sites_are_enough_to_ask(n: int) -> None:
    assert checked([True] * n + [False] * n, [NONE] * 2 * n, [3.0] * n + [-3.0] * n).sites == 2 * n
