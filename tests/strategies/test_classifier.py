from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.learn.model_file import learned_fields
from scenthound.learn.pages.calibration import fit
from scenthound.learn.pages.naive_bayes import NaiveBayes
from scenthound.model import Lessons, Link, Page, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.strategies.classifier import Classifier
from scenthound.text import idf

BIRDS = tuple(Page(f"http://b/{n}", terms={"bird": 3, "nest": 1 + n % 2, "menu": 2}) for n in range(4))
RAILS = tuple(Page(f"http://r/{n}", terms={"rail": 3, "train": 1 + n % 2, "menu": 2}) for n in range(6))


def begun(
    examples: tuple[Page, ...] = BIRDS, counterexamples: tuple[Page, ...] = RAILS, language: str = "en", **params: Any
) -> Classifier:
    made: Classifier = registry.strategy.build("classifier", params)
    topic = Topic("birds", language=language)
    made.begin(Context(topic, idf.background(language), Random(1), examples, counterexamples))
    return made


def priority(strategy: Classifier, **terms: int) -> float:
    page = Page("http://p/", terms=terms, links=(Link("http://p/1"), Link("http://p/2")))
    one, other = strategy.rank(Visit(Link("http://p/"), page, 0.0, False, 1))
    assert one.priority == other.priority
    return one.priority


def test_bayes_worked_by_hand() -> None:
    """The formula, put together from its parts: one page of each kind, so that the folds are the pages themselves."""
    bird, rail = {"bird": 2}, {"rail": 1, "menu": 1}
    strategy = begun((Page("http://b/", terms=bird),), (Page("http://r/", terms=rail),))
    model = NaiveBayes([bird], [rail])
    # V = 3: P(bird | relevant) = 3/5, P(bird | not) = 1/5; menu: 1/5 and 2/5
    assert model.score({"bird": 1, "menu": 1}) == pytest.approx((model.weights["bird"] + model.weights["menu"]) / 2)
    sigmoid = fit([model.score(bird), model.score(rail)], [True, False])
    assert priority(strategy, bird=1, menu=1) == pytest.approx(sigmoid(model.score({"bird": 1, "menu": 1})))


@pytest.mark.parametrize("model", ["bayes", "svm", "net", "tree"])
def test_every_model_tells_the_kinds_apart(model: str) -> None:
    strategy = begun(model=model)
    assert 1 > priority(strategy, bird=3, nest=1, menu=2) > 0.5 > priority(strategy, rail=3, train=1, menu=2) > 0


def test_without_counterexamples_the_language_at_large_stands_in() -> None:
    strategy = begun(counterexamples=())
    assert priority(strategy, bird=3, nest=1) > priority(strategy, govern=3, peopl=1)


@pytest.mark.parametrize("language", ["en", "tlh"])
def test_without_counterexamples_it_learns_from_what_it_meets(language: str) -> None:
    strategy = begun(counterexamples=(), language=language)
    if language == "tlh":  # nothing is known of the language: one page is like another
        assert priority(strategy, bird=3) == priority(strategy, rail=3) == 0.5
    for n in range(20):
        page, relevance = (RAILS[n % 6], 0.1) if n % 2 else (BIRDS[n % 4], 0.2)
        strategy.learn(Visit(Link(page.url), page, relevance, False, 1))
    # none reached the threshold, and yet birds are not taken for counterexamples
    assert priority(strategy, bird=3, menu=2) > 0.5 > priority(strategy, rail=3, menu=2)


def test_what_is_kept_of_the_crawl_is_bounded() -> None:
    strategy, given = begun(counterexamples=(), visited=20), begun()
    for n in range(50):
        for one in (strategy, given):
            one.learn(Visit(Link("http://x/"), RAILS[n % 6], 0.1, False, 1))
    assert strategy.pool_ is not None
    assert len(strategy.pool_) == 20
    assert given.pool_ is None


def test_refusals() -> None:
    with pytest.raises(ConfigError, match="examples = "):
        begun(examples=())
    with pytest.raises(ConfigError, match="bayes, svm, net, tree"):
        begun(model="forest")
    with pytest.raises(ConfigError, match="visited"):
        begun(visited=-1)


def test_lessons_are_examples_too() -> None:
    """Targets join the examples, all else the counterexamples; what was taught is all that a model file keeps."""
    lessons = Lessons(BIRDS + RAILS, ((0, 4),), (0,) * 4 + (1,) * 6)
    context = Context(Topic("birds"), idf.background("en"), Random(1), lessons=lessons)
    made: Classifier = registry.strategy.build("classifier")
    made.train(context)
    made.begin(context)
    assert made.pool_ is None, "there are counterexamples"
    given = begun()
    assert priority(made, bird=3, nest=1) == pytest.approx(priority(given, bird=3, nest=1))
    assert learned_fields(made) == ["taught_"]
