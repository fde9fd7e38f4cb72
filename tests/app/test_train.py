from pathlib import Path

import pytest

from scenthound import registry
from scenthound.app.label import set_labels
from scenthound.app.train import kept_models, model_called, train_strategy
from scenthound.errors import UsageError
from scenthound.learn import model_file
from scenthound.training.training_store import GraphHeader, Node, TrainingStore
from tests.library.collection import collect, stored


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs no training"):
        train_strategy(tmp_path, "best-first")
    with pytest.raises(UsageError, match="There is no folder"):
        kept_models(tmp_path / "none")
    with pytest.raises(UsageError, match="has no model called 'crf'"):
        model_called("crf", kept_models(tmp_path), tmp_path)


PIKE, OTTER, HOME = "http://a.test/pike", "http://a.test/otter", "http://a.test/"


def taught(folder: Path) -> tuple[list[dict[str, int]], list[dict[str, int]]]:
    """What the classifier takes for relevant pages, and for others, once it is trained."""
    train_strategy(folder, "classifier")
    made = registry.strategy.build("classifier", {})
    model_file.load(model_file.path_of(folder / model_file.FOLDER, "classifier", made), "classifier", made)
    relevant, others = made.taught_
    return relevant, others


def test_a_label_changes_what_is_learned(tmp_path: Path) -> None:
    pages = [stored(HOME, "welcome"), stored(PIKE, "pike fishing"), stored(OTTER, "otters swimming")]
    folder = collect(tmp_path / "x", pages)
    (folder / "topic.toml").write_text('[topic]\nname = "fish"\n')
    nodes = [Node(PIKE, 0, 0), Node(OTTER, 1, 1, (0,)), Node(HOME, 1, 1, (0, 1))]
    TrainingStore(folder).keep_graph(GraphHeader(sequences=5), nodes)
    relevant, others = taught(folder)
    assert [sorted(terms) for terms in relevant] == [["fish", "pike"]]
    set_labels(folder, [OTTER], True)
    set_labels(folder, [PIKE], False)
    relevant, others = taught(folder)
    assert [sorted(terms) for terms in relevant] == [["otter", "swim"]]
    assert ["fish", "pike"] in [sorted(terms) for terms in others]
    set_labels(folder, [OTTER, PIKE], None)
    assert [sorted(terms) for terms in taught(folder)[0]] == [["fish", "pike"]]
