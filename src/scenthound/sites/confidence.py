"""From a judge to confidences, where there are no training sites: the topic alone is the class that is sought.

A judge's relevance is a cosine, so `1 - relevance` is a page's distance to the topic, and the classifier's own rule
says how confident that makes one. The other class is all the rest of the web and has no centroid to measure by, so it
is taken to be equally far from every page: at `1 - t`, t being half the threshold from which a page counts as found.
A page at the threshold speaks for its site already.

A page that says nothing of the topic speaks against its site, but softly: relevant sites are full of such pages,
from the contact page to the news, while pages that do speak of the topic are rare elsewhere. So no page is taken
to have less in common with relevant sites than four fifths of t.

    r = max(relevance, 0.8 * t)                                    t = threshold / 2
    confidence = ln(1 - r) / (ln(1 - r) + ln(1 - t))

    relevance (threshold 0.1)    0       0.05    0.1     0.2     0.4
    confidence                   0.44    0.5     0.67    0.81    0.91

That a page is about the topic and that its site is are two questions. A judge that says a probability answers the
first: it is soon sure, and a page that says a little of the topic, as many pages of relevant sites do and hardly one
elsewhere, has a probability near 0 (0.05 or so), as if it had said nothing. So such a judge is read by its `position`,
on which an ordinary page is at 0 and the threshold at 0.45, by the same rule. Two thirds of the threshold stand in for
the cosine's: on the webs this was chosen by, nearly all pages of other sites are below 0.14.

    probability    0       0.01    0.027   0.1     0.5     0.9     0.99
    position       below 0 0.07    0.15    0.27    0.45    0.63    0.83
    confidence     0.44    0.44    0.5     0.66    0.79    0.86    0.92

How often this errs cannot be measured without training sites; the setting `p_err` says what is assumed.
"""

from __future__ import annotations

from math import log

NEAREST = 1e-6
"""How far from 0 and 1 a distance stays."""

NEUTRAL = 0.5
"""Where a page speaks neither for nor against its site, as a share of the threshold."""

SILENT = 0.8
"""What a page that says nothing has in common with relevant sites, as a share of that."""


SOFTER = 2.0 / 3.0
"""The share of the threshold that is taken for it where a judge's word is a position."""


def by_threshold(relevance: float, threshold: float) -> float:
    """The confidence of a page of that relevance."""
    neutral = NEUTRAL * threshold
    topic, other = log(_distance(max(relevance, SILENT * neutral))), log(_distance(neutral))
    return topic / (topic + other)


def by_position(position: float, threshold: float) -> float:
    """The same where the judge's word was put on a scale from the ordinary page to the plainly relevant one."""
    return by_threshold(min(position, 1.0), max(SOFTER * threshold, 0.0))


def _distance(relevance: float) -> float:
    return min(max(1.0 - relevance, NEAREST), 1.0 - NEAREST)
