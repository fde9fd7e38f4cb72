from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.learn.chains import belief
from scenthound.learn.chains.hmm_model import Clustering, HmmModel, teach
from scenthound.learn.chains.labels import Ints, lessons_of, untrained
from scenthound.model import Lessons, Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy

BATSAKIS: Presets = {"batsakis": {}}


@strategy("hmm")
@dataclass
class HmmCrawler:
    """Learned ways to the topic, by a hidden Markov model over clusters of pages (Batsakis 2.5, 3.4.1).

    Believes that pages of a kind are equally far from the topic, and that the kinds of pages on the way here tell how
    far that is.

        alpha(j, 0)   = pi(j)
        alpha(j, t)   = b(j, cluster of page t) * sum over i of alpha(i, t-1) * a(i, j)    (eq. 5)
        alpha(j, t+1) = sum over i of alpha(i, t) * a(i, j)                                (eq. 6)
        priority      = alpha(0, t+1); where two are closer than epsilon, alpha(0, t+2) decides

    | symbol | meaning, parameter |
    |---|---|
    | 0 .. 4 | states: hops to the nearest relevant page on the trails; 4 is four or more, or none in reach |
    | cluster | that of most of the `neighbours` nearest training pages, by cosine |
    | clusters | K-Means, `k` of them: the relevant pages are one by themselves, the others make up the rest |
    | a, b, pi | transition, emission and first probabilities, counted in the training data |
    | epsilon | `epsilon` |
    | | `scaled`: alpha sums to 1 after each page, the first one's cluster counts as well, and counts are Laplace's |

    Scaled, depth alone does not shrink a priority, and a pair that was never seen is unlikely, not impossible. That
    sounds better and was not shown to be: what is published is the default. All links of a page are equally good. Must
    be trained: `scenthound train FOLDER --model hmm`.

    Source: Batsakis 2.5 and 3.4.1, on Liu, Milios, Janssen (2004).
    """

    published: ClassVar[Presets] = BATSAKIS

    k: int = 5
    neighbours: int = 5
    epsilon: float = 0.001
    scaled: bool = False

    model_: HmmModel = field(init=False, repr=False)

    name: ClassVar[str] = "hmm"
    clustering: ClassVar[Clustering] = "k-means"

    def __post_init__(self) -> None:
        if not 2 <= self.k <= 1_000:
            raise ValueError("k must be from 2, the relevant pages and the others, to 1000")
        if self.neighbours < 1:
            raise ValueError("neighbours must be at least 1")
        if not 0.0 < self.epsilon < 1.0:
            raise ValueError("epsilon must be between 0 and 1")

    def train(self, context: Context) -> None:
        smoothing = 1.0 if self.scaled else 0.0
        self.model_ = teach(lessons_of(context, self.name), context, self.clustering, self.k, smoothing)

    def begin(self, context: Context) -> None:
        if not hasattr(self, "model_"):
            raise untrained(self.name)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        priority, memory = self.forecast(visit)
        return [Ranked(link, priority, memory) for link in visit.page.links]

    def states_of(self, lessons: Lessons, context: Context) -> tuple[Ints, Ints]:
        """The likeliest state of each page of some lessons, at the end of the way to it."""
        return self.model_.filtered(lessons, self.neighbours)

    def forecast(self, visit: Visit) -> tuple[float, bytes]:
        """The priority of the page's links, and what is to be remembered with them: the belief about the page."""
        here = self.model_.step(visit, self.neighbours, self.scaled)
        one, two = self.model_.tables.ahead(here, 1), self.model_.tables.ahead(here, 2)
        return float(belief.with_second(one[0], two[0], self.epsilon)), belief.packed(here[None, :])[0]


@strategy("hmm-xmeans")
@dataclass
class HmmXMeans(HmmCrawler):
    """`hmm` with X-Means, which finds the number of clusters itself (Batsakis 3.4.1, variant b).

    Believes what `hmm` does, and that the pages know best how many kinds of them there are.

        number of clusters = the one of the greatest BIC; idf from the training set; relevant pages not set apart

    Parameters and all else as for `hmm`, but `k` has no say. Source: Batsakis 3.4.1, on Pelleg, Moore (2000).
    """

    published: ClassVar[Presets] = BATSAKIS

    name: ClassVar[str] = "hmm-xmeans"
    clustering: ClassVar[Clustering] = "x-means"
