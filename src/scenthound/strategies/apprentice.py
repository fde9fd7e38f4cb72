from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scenthound.learn.link_features import LinkFeatures
from scenthound.learn.online import OnlineLogistic
from scenthound.learn.recent import Recent
from scenthound.model import Link, MergeRule, Ranked, Visit
from scenthound.protocols import Ground
from scenthound.registry import strategy

BEFORE_LEARNING = (-2.0, 2.0, 2.0, 1.0)
"""Weights of bias, page, anchor and context to begin with: best-first, until experience says otherwise."""

PARENTS = 100_000
"""Pages whose relevance is kept for rescoring their links, about 12 MB."""


@strategy("apprentice")
@dataclass
class Apprentice:
    """A second classifier, on links, taught by what their targets turned out to be (Batsakis 2.5).

    Believes that the judge, who sees pages, can teach an apprentice, who sees only links, what a good link looks like
    on this part of the web: which words around it, which words in its URL, on how good a page.

        priority = p(link) = 1 / (1 + exp(-w . x(link)))
        after each page:     w moves against (p(link) - relevance) * x(link), at its own rate for each feature

    | symbol | meaning, parameter |
    |---|---|
    | x | bias; relevance of the page; cosine of anchor and of context with the query; words of anchor, context, URL |
    | w | weights: an array of 2^`bits` numbers into which the words are hashed; it never grows |
    | rate | `rate`: how far one lesson moves them (AdaGrad) |

    The target is the relevance itself rather than yes or no, so p is the relevance expected, whatever the threshold.
    Before the first lesson the weights are those of best-first. A link that brings no page teaches only the words of
    its URL: it says that the place is dead, not that its name is off the topic. (After a restart such lessons are
    missing: only pages are relived.) Every `rescore_every` pages the links that wait are judged anew.

    Of Chakrabarti, Punera and Subramanyam (2002) this keeps the two roles, the features around the link and the
    learning during the crawl; naive Bayes became logistic regression, because the features overlap, and the distance
    of words from the link became two kinds, inside the anchor and around it.

    Source: Batsakis 2.5, on Chakrabarti, Punera, Subramanyam, "Accelerated focused crawling through online relevance
    feedback" (2002).
    """

    rate: float = 0.3
    bits: int = 18
    rescore_every: int = 50

    features_: LinkFeatures = field(init=False, repr=False)
    model_: OnlineLogistic = field(init=False, repr=False)
    relevance_: Recent[float] = field(init=False, repr=False)  # of pages, to rescore their links
    pages_: int = field(init=False, repr=False, default=0)
    mean_: float = field(init=False, repr=False, default=0.0)  # relevance of the pages so far

    merge: MergeRule = field(init=False, repr=False, default="max")
