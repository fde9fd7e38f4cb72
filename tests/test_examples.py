"""The packages in examples/, and those that `plugin new` begins: each passes its own tests, installed as people do."""

import configparser
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scenthound.app.plugin import KINDS, new_plugin

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/pyproject.toml"))


def as_installed(packages: list[Path], site: Path) -> dict[str, str]:
    """The environment of a process that has the packages: what pip would note of each, and their sources."""
    for package in packages:
        project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
        info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        entries = configparser.ConfigParser()
        entries.read_dict(project["entry-points"])
        with (info / "entry_points.txt").open("w") as file:
            entries.write(file)
    sources = [str(package / "src") for package in packages]
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(site), *sources])}


def outcome_of_tests(packages: list[Path], site: Path) -> str:
    tests = [str(package / "tests") for package in packages]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--import-mode=importlib", "--rootdir", str(site)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-c", os.devnull, *tests],
        env=as_installed(packages, site),
        capture_output=True,
        text=True,
        cwd=site.parent,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_there_are_examples() -> None:
    assert [path.name for path in EXAMPLES] == ["scenthound-office"]


@pytest.mark.parametrize("package", EXAMPLES, ids=lambda path: path.name)
def test_an_example_passes_its_own_tests(package: Path, tmp_path: Path) -> None:
    assert "passed" in outcome_of_tests([package], tmp_path / "site")


def test_whatever_plugin_new_writes_works(tmp_path: Path) -> None:
    packages = []
    for kind in KINDS:
        package = tmp_path / kind
        new_plugin(kind, f"mine-{kind}" if kind != "document" else "mine", package)
        packages.append(package)
    assert f"{len(KINDS)} passed" in outcome_of_tests(packages, tmp_path / "site")
