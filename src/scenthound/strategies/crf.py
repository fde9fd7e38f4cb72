from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scenthound.protocols.crawl import Presets
from scenthound.registry import strategy
from scenthound.strategies.memm import LIU, Memm


@strategy("crf")
@dataclass
class Crf(Memm):
    """Learned ways to the topic, by a conditional random field (Liu 5).

    Believes what `memm` believes, and that a way should be judged as a whole: weights are learned so that the right
    states of the whole sequence become likeliest, not each next state by itself.

        alpha(j, t) = sum over i of alpha(i, t-1) * exp(t(i, j) + score(j, o_t))                        (eq. 37)
        score(j, o) = sum over features f of o of w(f, j) * value
        priority = alpha / sum of alpha, each rounded to 0.001, the first that differs decides          (eq. 38)

    Symbols and parameters as for `memm`.

    Must be trained: `scenthound train FOLDER --model crf`.

    Source: Liu, section 5, on Lafferty, McCallum, Pereira (2001).
    """

    published: ClassVar[Presets] = LIU

    kind: ClassVar[str] = "crf"
    name: ClassVar[str] = "crf"


@strategy("crf-viterbi")
@dataclass
class CrfViterbi(Crf):
    """`crf` with the likeliest way in place of the sum over all ways (Liu 5.3).

    Believes, as `crf` does, that the way to a page tells how many hops are left; and that the best explanation of the
    way is enough to know.

        delta(j, t) = max over i of delta(i, t-1) * exp(t(i, j) + score(j, o_t)), scaled to sum to 1    (eq. 39)

    Parameters and all else as for `crf`. Source: Liu, section 5.3.
    """

    published: ClassVar[Presets] = LIU

    name: ClassVar[str] = "crf-viterbi"
    best: ClassVar[bool] = True
