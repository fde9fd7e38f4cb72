"""docs/python.md and docs/notebook.ipynb are run as they stand."""

import importlib.util
import re
from pathlib import Path

import pytest

from scenthound import registry

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(autouse=True)
def strategies_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block registers a strategy of its own, which other tests must not meet."""
    registry.strategy.names()
    monkeypatch.setattr(registry.strategy, "_entries", dict(registry.strategy._entries))
    monkeypatch.setattr(registry.strategy, "_origins", dict(registry.strategy._origins))


def test_the_blocks_run_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(BLOCKS) >= 6
    for number, block in enumerate(BLOCKS, 1):
        exec(compile(block, f"docs/python.md, block {number}", "exec"), {"__name__": "docs"})


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat", reason="the notebook needs nbclient and ipykernel")
    spec = importlib.util.spec_from_file_location("make_notebook", ROOT / "scripts" / "make_notebook.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    kept = nbformat.read(script.NOTEBOOK, as_version=4)
    cells = [(cell.cell_type, cell.source) for cell in kept.cells]
    assert cells == script.CELLS, "run: ./run python scripts/make_notebook.py"
    script.run(kept)
