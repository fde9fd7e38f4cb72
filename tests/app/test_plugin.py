import sys
from pathlib import Path

import pytest

from scenthound.app.plugin import KINDS, installed_plugins, new_plugin
from scenthound.errors import UsageError
from tests.other_package import install


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_of_four_files(kind: str, tmp_path: Path) -> None:
    written = new_plugin(kind, "two-words", tmp_path / "new")
    assert [path.relative_to(tmp_path / "new").as_posix() for path in written] == [
        "pyproject.toml",
        "README.md",
        "src/scenthound_two_words/__init__.py",
        "tests/test_two_words.py",
    ]
    for path in written:
        if path.suffix == ".py":
            compile(path.read_text(), str(path), "exec")


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("stratgy", "x", "'strategy'"),
        ("judge", "My Judge", "small letters"),
        ("judge", "../x", "small letters"),
        ("judge", "x", "there already"),
    ],
)
def test_slips(kind: str, name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match=words):
        new_plugin(kind, name, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_installed_ones_are_listed_with_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "scenthound.strategies", "mine = outsider:Missing", "x = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    [found] = [plugin for plugin in installed_plugins() if plugin.name == "mine"]
    assert (found.kind, found.package, found.place) == ("strategy", "outsider 1.0", "outsider:Missing")
    assert "Missing" in found.problem
    sys.modules.pop("outsider", None)
