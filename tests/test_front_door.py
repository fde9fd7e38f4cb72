"""`import scenthound`: what it offers is there, typed, documented, and costs nothing until it is asked for."""

import subprocess
import sys
from pathlib import Path

import pytest

import scenthound

DOCS = Path(__file__).parents[1] / "docs" / "python.md"


@pytest.mark.parametrize("name", scenthound.__all__)
def test_every_name_is_there(name: str) -> None:
    value = getattr(scenthound, name)
    assert value is getattr(scenthound, name)
    assert name in dir(scenthound)
    if name != "__version__":
        assert (value.__doc__ or "").strip(), f"{name} does not say what it is"


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'crwal'"):
        _ = scenthound.crwal  # type: ignore[attr-defined]


def test_no_module_hides_a_name() -> None:
    """A package of ours with the name of a function would take its place as soon as it is imported."""
    inside = {path.stem for path in Path(scenthound.__file__).parent.iterdir()}
    assert not inside & {name for name in scenthound.__all__ if not name.startswith("__")}


def test_importing_it_imports_next_to_nothing() -> None:
    code = "import scenthound, sys; print(*sorted(name for name in sys.modules if name.startswith('scenthound')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["scenthound", "scenthound.version"]


def test_the_functions_are_documented() -> None:
    page = DOCS.read_text(encoding="utf-8")
    assert all(f"scenthound.{name}" in page for name in ("crawl", "open_library", "strategy"))
