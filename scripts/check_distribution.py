"""Builds wheel and sdist, installs the wheel into an empty environment, and crawls the demo with it.

Where `uvx` or `pipx` is there, the wheel is also run without being installed, as these do.

    ./run python scripts/check_distribution.py

What is installed beside it comes from the package index, in the versions of requirements/run.lock. The wheel that is
installed is made from the sdist: so both are whole.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUNNERS = {"uvx": ("--quiet", "--from"), "pipx": ("run", "--quiet", "--spec")}
"""Programs that run a package which is not installed, and how they are told which."""


def run(*words: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(source: Path, kind: str, into: Path) -> Path:
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", into, cwd=source)
    [made] = into.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        sdist = build(ROOT, "sdist", home / "dist")
        with tarfile.open(sdist) as archive:
            # Python 3.11.3 and older have no filters, and newer ones warn where none is named.
            archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, place: member)
            archive.extractall(home / "source")
        [source] = (home / "source").iterdir()
        wheel = build(source, "wheel", home / "dist")
        python, bin_folder = _empty_environment(home / "empty")
        lock = ROOT / "requirements" / "run.lock"
        if uv := shutil.which("uv"):
            run(uv, "pip", "install", "--quiet", "--python", python, "-c", lock, wheel)
        else:
            run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", lock, wheel)
        print(run(bin_folder / "scenthound", "--version", cwd=home).strip())
        run(bin_folder / "scenthound", "crawl", "--demo", "--pages", "20", "--into", home / "demo", "--quiet", cwd=home)
        manual = home / "empty" / "share" / "man" / "man1" / "scenthound.1"
        if not manual.exists():
            sys.exit("The manual page was not installed.")
        for program, words in RUNNERS.items():
            if runner := shutil.which(program):
                print(f"{program}: {run(runner, *words, wheel, 'scenthound', '--version', cwd=home).strip()}")
        print(f"{sdist.name} and {wheel.name} install into an empty environment and crawl.")


def _empty_environment(place: Path) -> tuple[Path, Path]:
    venv.create(place, with_pip=shutil.which("uv") is None)
    bin_folder = place / ("Scripts" if sys.platform == "win32" else "bin")
    return bin_folder / "python", bin_folder


if __name__ == "__main__":
    main()
