"""Do labelled sites help? Asked of those sites themselves, each held back from what judges it.

A few labels teach little, and what they teach may be wrong: with ten sites of each kind the classifier alone is often
worse than the topic's own words. So both are asked about every labelled site as a crawl would: its pages one after the
other until it is decided (and where both together decide nothing, the words count, as in a crawl). The words need no
labels, so any labelled site is new to them; for the classifier the site is held back. What was learned is used,
together with the words, only where it is better beyond doubt:

    loss(site)   = ln(1 + e^-odds)        of what was said for the right side, up to the odds of p_threshold
    gain         = 1/4 * mean over relevant sites + 3/4 * mean over others of (loss by words - loss by both)
    it helps     where gain > 2 standard errors of it, more sites are told right, and more than by chance

Labels come in equal numbers while a crawl meets more sites of other kinds, so a wrong site in the list costs more than
one that is missed. By chance: by calling every site what most of them are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from statistics import mean, stdev

from msgspec import Struct

from scenthound.sites.evidence import joint
from scenthound.sites.held_back import HeldBack
from scenthound.sites.posterior import Posterior, log_odds

DOUBT = 2.0
"""Standard errors a gain must exceed. With less, one list in thirty got worse on the webs it was chosen on."""

SHARE = 0.25
"""Of relevant sites among those that a crawl meets: the least that a site's prior may be, at the usual p_threshold."""

LEAST_SITES = 2
"""Of each kind: one is held back, and another must be there to teach."""


class LabelCheck(Struct, frozen=True):
    """Of so many labelled sites, how many were told right, and whether what was learned is used."""

    sites: int
    by_topic: int  # by the topic's words alone
    by_labels: int  # by what the other labelled sites taught, together with the words
    by_chance: int
    helps: bool
    early: bool = False  # asked before the judge has seen pages it learns from: then it cannot help yet

    def __str__(self) -> str:
        """In words, as a person is told."""
        right = f"{self.by_labels} of {self.sites} labelled sites are told right when held back"
        words = f"{self.by_topic} by the topic's words alone"
        if self.early:
            return "What labelled sites teach is not used yet: whether it helps is asked when the judge has seen pages."
        if self.helps:
            return f"What labelled sites teach is used: with it {right}, {words}."
        if self.by_labels <= self.by_chance:
            return f"What labelled sites teach is not used: with it {right}, no better than chance."
        return f"What labelled sites teach is not used: with it {right}, {words}: not clearly better."


def check_labels(
    truth: Sequence[bool],
    topic: Sequence[Sequence[float]],
    held_back: HeldBack,
    *,
    held: Sequence[float | None] | None = None,
    p_err: float,
    p_threshold: float,
) -> LabelCheck:
    """`topic`: the confidences of each site's pages by words, with the error rate `p_err`, sites as in `held_back`.

    `held`: the odds of those that a crawl by words has looked at. Labels have to be better than either, so the one that
    is more in the right counts.
    """
    words, both = [], []
    for site, (confidences, said) in enumerate(zip(topic, held or [None] * len(topic), strict=True)):
        learned, learned_err = held_back.confidences(site)
        together = [joint(word, p_err, own, learned_err) for word, own in zip(confidences, learned, strict=True)]
        word, joined = _heard(confidences, p_err, p_threshold), _heard(together, 0.0, p_threshold)
        words.append(word.odds if said is None else (max if truth[site] else min)(said, word.odds))
        both.append(joined.odds if joined.decided(p_threshold) else words[-1])
    limit = log_odds(p_threshold)
    gains = [
        _loss(word, right, limit) - _loss(own, right, limit)
        for word, own, right in zip(words, both, truth, strict=True)
    ]
    by_topic, by_labels = _right(words, truth), _right(both, truth)
    by_chance = max(sum(truth), len(truth) - sum(truth))
    helps = _beyond_doubt(gains, truth) and by_labels > max(by_topic, by_chance)
    return LabelCheck(len(truth), by_topic, by_labels, by_chance, helps)


def _beyond_doubt(gains: Sequence[float], truth: Sequence[bool]) -> bool:
    gain, variance = 0.0, 0.0
    for kind, share in ((True, SHARE), (False, 1.0 - SHARE)):
        own = [each for each, right in zip(gains, truth, strict=True) if right is kind]
        gain += share * mean(own)
        variance += share**2 * stdev(own) ** 2 / len(own)
    return gain > DOUBT * sqrt(variance)


def _heard(confidences: Sequence[float], p_err: float, p_threshold: float) -> Posterior:
    """What a crawl that looks at these pages holds of the site when it is decided, or at the last page."""
    posterior = Posterior(p_err=p_err)
    for confidence in confidences:
        posterior.add(confidence)
        if posterior.decided(p_threshold):
            break
    return posterior


def _right(odds: Sequence[float], truth: Sequence[bool]) -> int:
    return sum((each > 0) is right for each, right in zip(odds, truth, strict=True))


def _loss(odds: float, right: bool, limit: float) -> float:
    """Of saying these odds: a crawl says no more than it is asked for, so neither counts what is beyond."""
    said = min(max(odds, -limit), limit)
    return log(1.0 + exp(-said if right else said))
