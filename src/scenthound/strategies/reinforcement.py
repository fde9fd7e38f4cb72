from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from scenthound.bounded_cache import Memo
from scenthound.learn.chains.labels import lessons_of, untrained
from scenthound.learn.chains.layer_bayes import LayerBayes, train
from scenthound.learn.links import reward
from scenthound.learn.model_file import MADE_IN_BEGIN
from scenthound.model import Link, Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy
from scenthound.text.analysis import Analyzer, analyzer

REMEMBERED = 50_000

LinkTexts = tuple[str, str, str]
"""Anchor or title, surroundings, URL."""


@strategy("reinforcement")
@dataclass
class Reinforcement:
    """Links by the reward that following them brought in training (Liu 1; Rennie, McCallum).

    Believes that the words of a link tell how many targets lie behind it, and how soon they come.

        priority = sum over bins b of P(b | words of the link) * mean reward of b
        reward   = sum over targets i behind the link of discount^t_i, nearest first, one page a step

    | symbol | meaning, parameter |
    |---|---|
    | t_i | steps until the i-th target is fetched: 0 where the link leads to one |
    | discount | `discount`: what a target is worth one step later |
    | b | `bins`: links of no reward, and so many less one groups of equal size among the others |
    | P(b given words) | naive Bayes, on the words of anchor, surroundings and URL |

    Must be trained, on a graph: `scenthound train FOLDER --model reinforcement`.

    Source: Liu 1, on Rennie, McCallum, "Using reinforcement learning to spider the web efficiently" (1999).
    """

    published: ClassVar[Presets] = {"liu": {}}

    discount: float = 0.5
    bins: int = 4

    model_: LayerBayes = field(init=False, repr=False)
    means_: npt.NDArray[np.float64] = field(init=False, repr=False)
    analyzer_: Analyzer = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    expected_: Memo[LinkTexts, float] = field(init=False, repr=False, metadata=MADE_IN_BEGIN)

    def __post_init__(self) -> None:
        if not 0.0 < self.discount < 1.0:
            raise ValueError("discount must be between 0 and 1")
        if not 2 <= self.bins <= 20:
            raise ValueError("bins must be from 2 to 20")

    def train(self, context: Context) -> None:
        lessons = lessons_of(context, "reinforcement")
        values = reward.of_pages(lessons, self.discount)
        place = {page.url: number for number, page in enumerate(lessons.pages)}
        reader = analyzer(context.topic.language)
        links = [link for page in lessons.pages for link in page.links if link.url in place and link.url != page.url]
        worth = np.array([values[place[link.url]] for link in links])
        bins, self.means_ = reward.bins(worth, self.bins) if links else (np.zeros(0, np.intp), np.zeros(1))
        self.model_ = train([_words(_texts(link), reader) for link in links], bins.tolist(), len(self.means_))

    def begin(self, context: Context) -> None:
        if not hasattr(self, "model_"):
            raise untrained("reinforcement")
        self.analyzer_, self.expected_ = analyzer(context.topic.language), Memo(self._expected, REMEMBERED)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        return [Ranked(link, self.expected_[_texts(link)]) for link in visit.page.links]

    def _expected(self, texts: LinkTexts) -> float:
        return float(self.model_.posterior(_words(texts, self.analyzer_)) @ self.means_)


def _texts(link: Link) -> LinkTexts:
    return link.anchor or link.title, link.context, link.url


def _words(texts: LinkTexts, reader: Analyzer) -> Counter[str]:
    """Words by where they stand: a word in an anchor is another feature than the same word in a URL."""
    anchor, context, url = texts
    words = Counter("anchor " + term for term in reader.terms(anchor))
    words.update("near " + term for term in reader.terms(context))
    words.update("url " + term for term in reader.terms(url.partition("//")[2].partition("/")[2]))
    return words
