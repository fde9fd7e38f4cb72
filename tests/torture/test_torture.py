"""Some of the kills of `python -m tests.torture`, always the same ones, and whether it would notice a loss."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.torture import scenes
from tests.torture.scenes import SCENES
from tests.watchdog import PATIENCE

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no kill -9, and no fork")

KILLS = 32


def tortured(*arguments: str) -> str:
    """In a process of its own: whoever forks must have no threads."""
    command = [sys.executable, "-m", "tests.torture", "--seed", "7", *arguments]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=5 * PATIENCE)
    assert ended.returncode == 0, ended.stdout + ended.stderr[-4000:]
    return ended.stdout


def test_kills() -> None:
    said = tortured("--kills", str(KILLS))
    assert f"{KILLS} kills; wrong: 0" in said
    assert all(f"| {name} |" in said for name in SCENES)


def test_full_and_read_only_disks_and_no_handles() -> None:
    said = tortured("--faults", "--scene", "label", "--scene", "migration")
    assert said.splitlines() == [
        "full disk: 10 jobs let down",
        "read-only disk: 2 jobs let down",
        "no file handles: 14 jobs let down",
        "wrong: 0",
    ]


def test_power_cuts() -> None:
    assert "2 power cuts; wrong: 0" in tortured("--power-cuts", "1")


COUNTER = """
import time
from pathlib import Path
from random import Random
from tests.torture.scenes import Scene
from tests.torture.trials import Calm, Tally, one_life
import scenthound.atomic_write as ours

def lines(folder):
    path = folder / "numbers"
    return path.read_text().split() if path.exists() else []

def job(folder):
    folder.mkdir(exist_ok=True)
    for number in range(len(lines(folder)), 20):
        {append}

def forgetful(folder):
    with ours.replacing(folder / "numbers") as stream:
        stream.write("")
    time.sleep(0.01)  # for most of its time it has nothing, so that whoever kills it finds it so, on any machine
"""


def torture_of(append: str, folder: Path) -> str:
    """What torture says of a program that counts to twenty, and stores each number so."""
    program = COUNTER.format(append=append) + (
        "scene = Scene('count', lambda folder: None, job, lines, lines)\n"
        f"root, tally, dice = Path({str(folder)!r}), Tally(), Random(3)\n"
        "calm = Calm(scene, root)\n"
        "try:\n"
        "    for turn in range(12):\n"
        "        one_life(scene, root / str(turn), calm, dice, tally, 1000)\n"
        "except AssertionError as error:\n"
        "    print(error)\n"
        "print('kills', tally.killed)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    return ended.stdout


def test_a_job_that_loses_nothing(tmp_path: Path) -> None:
    whole = "before = lines(folder)\n        with ours.replacing(folder / 'numbers') as stream:\n"
    said = torture_of(whole + "            stream.write(' '.join([*before, str(number)]))", tmp_path)
    assert said.startswith("kills")
    assert int(said.split()[1]) > 5


def test_a_job_that_loses_something_is_caught(tmp_path: Path) -> None:
    careless = "before = lines(folder)\n        forgetful(folder)\n"
    careless += "        with ours.replacing(folder / 'numbers') as stream:\n"
    said = torture_of(careless + "            stream.write(' '.join([*before, str(number)]))", tmp_path)
    assert "are lost" in said or "in peace" in said


def test_every_scene_is_described() -> None:
    assert all(f"| `{name}` |" in (scenes.__doc__ or "") for name in SCENES)
