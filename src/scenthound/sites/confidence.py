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

Judges that say a probability are read by the same rule, with their own threshold. A page that is as likely as not about
the topic speaks for its site, and one that surely is not speaks against it no louder than a silent page does: that a
page is about the topic and that its site is are two questions. Taken for the site's, a page's probability finds less
than half of the sites.

    relevance (threshold 0.5)    0       0.25    0.5     0.75    0.9     1
    confidence                   0.44    0.5     0.71    0.83    0.89    0.98

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


def by_threshold(relevance: float, threshold: float) -> float:
    """The confidence of a page of that relevance."""
    neutral = NEUTRAL * threshold
    topic, other = log(_distance(max(relevance, SILENT * neutral))), log(_distance(neutral))
    return topic / (topic + other)


def _distance(relevance: float) -> float:
    return min(max(1.0 - relevance, NEAREST), 1.0 - NEAREST)
