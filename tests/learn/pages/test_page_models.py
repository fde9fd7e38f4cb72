"""What scikit-learn trains and we apply gives what scikit-learn itself would say."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy as np
import pytest
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from scenthound.errors import ConfigError
from scenthound.learn.pages import page_models
from scenthound.learn.pages.page_models import KINDS, Kind, WordIndex, trainer
from scenthound.text import idf


def pages(topic: str, n: int, seed: int) -> list[dict[str, int]]:
    chance = Random(seed)
    return [
        {f"{topic if chance.random() < 0.3 else 'all'}{chance.randrange(12)}": chance.randint(1, 4) for _ in range(15)}
        for _ in range(n)
    ]


RELEVANT, IRRELEVANT = pages("bird", 15, 1), pages("rail", 25, 2)
UNSEEN = [*pages("bird", 5, 3), *pages("rail", 5, 4), {}, {"unheard": 3}]


@pytest.mark.parametrize("kind", KINDS)
def test_tells_birds_from_rails(kind: Kind) -> None:
    model = trainer(kind, idf.none(), 1)(RELEVANT, IRRELEVANT)
    scores = [model.score(page) for page in UNSEEN]
    assert np.mean(scores[:5]) > np.mean(scores[5:10])
    assert all(np.isfinite(scores))
    assert scores == [trainer(kind, idf.none(), 1)(RELEVANT, IRRELEVANT).score(page) for page in UNSEEN]


def training_rows() -> tuple[WordIndex, Any, list[int]]:
    vocabulary = WordIndex([*RELEVANT, *IRRELEVANT], idf.none())
    return vocabulary, vocabulary.matrix([*RELEVANT, *IRRELEVANT]), [1] * 15 + [0] * 25


def test_svm_as_scikit_learn() -> None:
    vocabulary, rows, labels = training_rows()
    oracle = LinearSVC(class_weight="balanced", random_state=1, max_iter=5000).fit(rows, labels)
    model = trainer("svm", idf.none(), 1)(RELEVANT, IRRELEVANT)
    assert [model.score(page) for page in UNSEEN] == pytest.approx(
        oracle.decision_function(vocabulary.matrix(UNSEEN)).tolist()
    )


def test_net_as_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    import sklearn.neural_network as networks

    made = []

    class Watched(networks.MLPClassifier):  # type: ignore[misc]
        def fit(self, x: Any, y: Any) -> Any:
            made.append(self)
            return super().fit(x, y)

    monkeypatch.setattr(networks, "MLPClassifier", Watched)
    model = trainer("net", idf.none(), 1)(RELEVANT, IRRELEVANT)
    vocabulary, _, _ = training_rows()
    expected = made[0].predict_proba(vocabulary.matrix(UNSEEN))[:, 1]
    assert [1 / (1 + np.exp(-model.score(page))) for page in UNSEEN] == pytest.approx(expected.tolist())


def test_tree_as_scikit_learn() -> None:
    vocabulary, rows, labels = training_rows()
    oracle = DecisionTreeClassifier(min_samples_leaf=2, random_state=1).fit(rows, labels)
    model = trainer("tree", idf.none(), 1)(RELEVANT, IRRELEVANT)
    leaves = oracle.apply(vocabulary.matrix(UNSEEN))
    for page, leaf in zip(UNSEEN, leaves, strict=True):
        n, share = oracle.tree_.n_node_samples[leaf], oracle.tree_.value[leaf, 0, 1]
        assert model.score(page) == pytest.approx(np.log((share * n + 1) / ((1 - share) * n + 1)))


def test_the_vocabulary_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_models, "MOST_TERMS", 2)
    vocabulary = WordIndex([{"often": 1, "once": 1}, {"often": 3, "twice": 1}, {"twice": 1}], idf.none())
    columns, weights = vocabulary.row({"once": 2, "twice": 2, "often": 1})
    assert columns == [1, 0]
    assert weights == pytest.approx([2 / 3, 1 / 3])


def test_without_scikit_learn_there_is_bayes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ConfigError, match=r"scenthound\[learn\]"):
        trainer("svm", idf.none(), 1)
    assert trainer("bayes", idf.none(), 1)(RELEVANT, IRRELEVANT).score(RELEVANT[0]) > 0
