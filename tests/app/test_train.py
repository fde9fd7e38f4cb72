from pathlib import Path

import pytest

from scenthound.app.train import kept_models, model_called, train_strategy
from scenthound.errors import UsageError


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs no training"):
        train_strategy(tmp_path, "best-first")
    with pytest.raises(UsageError, match="There is no folder"):
        kept_models(tmp_path / "none")
    with pytest.raises(UsageError, match="has no model called 'crf'"):
        model_called("crf", kept_models(tmp_path), tmp_path)
