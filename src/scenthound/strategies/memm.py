from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from scenthound.learn.chains.chain_model import ChainModel, ChainSettings, Forecast, teach
from scenthound.learn.chains.labels import Ints, lessons_of, untrained
from scenthound.learn.chains.page_features import FEATURE_SETS, FeatureSet
from scenthound.learn.chains.sequence_batches import VIEWS, View
from scenthound.learn.model_file import MADE_IN_BEGIN
from scenthound.model import Lessons, Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy

TABLE_1: dict[str, Any] = {"features": "table-1", "pairs": False, "discount": 0.0}
LIU: Presets = {"pseudocode": {**TABLE_1, "view": "page"}, "flow-chart": {**TABLE_1, "view": "target"}}
"""What Liu published, in the two ways it can be read."""


@strategy("memm")
@dataclass
class Memm:
    """Learned ways to the topic, by a maximum entropy Markov model (Liu 4).

    Believes that the pages on the way to a target have a pattern, and that every page tells, together with the page
    before it, how many hops are left.

        alpha(j, t) = sum over i of alpha(i, t-1) * p(T_j | T_i, o_t)                                   (eq. 19)
        p(T_j | T_i, o) = exp(t(i, j) + sum over features f of o of w(f, j) * value) / z(i, o)          (eq. 20, 21)
        priority = (alpha(0), alpha(1), ...), each rounded to 0.001, the first that differs decides
                 = sum over j of discount^j * alpha(j)          where `discount` is above 0; this is ours

    | symbol | meaning, parameter |
    |---|---|
    | T_0 .. T_4 | states: hops to the nearest target; T_4 is four or more, or none in reach |
    | alpha | belief about the state; that of the page before is kept with the link |
    | o | `features`: `all`, `words` (of title, meta data, headings) or `no-words` (likeness to targets, anchor, URL); |
    | | or Liu's own and no others, `table-1`, `table-1-words`, `table-1-no-words` |
    | t, w | weights that make the training sequences likeliest, under a Gaussian prior of `variance`; L-BFGS |
    | `view` | what o and alpha are of: `target`, `page` (see below) |
    | `discount` | what a target is worth one step later; 0 = Liu's order, which puts a list of targets last |
    | `pairs` | also learn from every link among the training pages, not only from ways that lead nearer |

    With the view `target`, o is what is known of a link before it is followed (the page it stands on, its words, its
    URL) and alpha is of the page it leads to. With `page`, o is a page and the anchor it is left by, and alpha is of
    that page, which is how Liu's pseudocode reads: links of a page that is a target itself then come first. His flow
    chart reads `target`: "the predicted state for each child URL". So there are two published forms, `pseudocode` and
    `flow-chart`, each with the features of his Table 1 and nothing of ours. He does not say which variance he used.

    Must be trained: `scenthound train FOLDER --model memm`. A way begins at a seed.

    Source: Liu, sections 3 and 4.
    """

    published: ClassVar[Presets] = LIU

    features: FeatureSet = "all"
    view: View = "target"
    variance: float = 0.03
    pairs: bool = True
    discount: float = 0.0

    model_: ChainModel = field(init=False, repr=False)
    forecast_: Forecast = field(init=False, repr=False, metadata=MADE_IN_BEGIN)

    kind: ClassVar[str] = "memm"
    name: ClassVar[str] = "memm"
    best: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.features not in FEATURE_SETS:
            raise ValueError(f"features is one of {', '.join(FEATURE_SETS)}, not {self.features!r}")
        if self.view not in VIEWS:
            raise ValueError(f"view is one of {', '.join(VIEWS)}, not {self.view!r}")
        if not self.variance > 0.0:
            raise ValueError("variance must be above 0")
        if not 0.0 <= self.discount < 1.0:
            raise ValueError("discount must be at least 0 and below 1")

    def train(self, context: Context) -> None:
        settings = ChainSettings(self.kind, self.features, self.view, self.variance, self.pairs)
        self.model_ = teach(lessons_of(context, self.name), context.topic, context.idf, settings)

    def begin(self, context: Context) -> None:
        if not hasattr(self, "model_"):
            raise untrained(self.name)
        self.forecast_ = Forecast(self.model_, context.topic, context.idf, self.best, self.discount)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        return self.forecast_.rank(visit)

    # How well it learned

    @property
    def training_curve(self) -> tuple[float, ...]:
        return self.model_.curve

    def strongest_features(self, n: int) -> list[list[tuple[str, float]]]:
        return self.model_.strongest(n)

    def states_of(self, lessons: Lessons, context: Context) -> tuple[Ints, Ints]:
        return self.model_.paths(lessons, context.topic, context.idf)


@strategy("memm-viterbi")
@dataclass
class MemmViterbi(Memm):
    """`memm` with the likeliest way in place of the sum over all ways (Liu 4.3).

    Believes, as `memm` does, that the way to a page tells how many hops are left; and that the best explanation of the
    way is enough to know.

        delta(j, t) = max over i of delta(i, t-1) * p(T_j | T_i, o_t), scaled to sum to 1               (eq. 24)

    Parameters and all else as for `memm`. Source: Liu, section 4.3.
    """

    published: ClassVar[Presets] = LIU

    name: ClassVar[str] = "memm-viterbi"
    best: ClassVar[bool] = True
