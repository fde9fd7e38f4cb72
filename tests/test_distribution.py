"""What is handed to others is whole. `scripts/check_distribution.py` also installs it into an empty environment."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("dist")
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    [made] = place.glob("*.whl")
    return made


def test_the_wheel_has_everything_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    sources = (path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    missing = {path.relative_to(ROOT / "src").as_posix() for path in sources} - names
    assert not missing
    strange = {name for name in names if not name.startswith(("scenthound/", "scenthound-"))}
    assert not strange
    assert any(name.endswith("share/man/man1/scenthound.1") for name in names)


def test_it_runs_without_the_source_tree(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from scenthound.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", program, "strategies"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "best-first" in done.stdout
