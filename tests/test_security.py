"""The page docs/security.md is true as far as the source can tell: its tests exist, and nothing is run or unpacked."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)
SOURCES = sorted((ROOT / "src").rglob("*.py"))

MODULES = {"pickle", "marshal", "shelve", "dill", "xml.etree", "xml.dom", "xml.sax", "lxml", "yaml", "telnetlib"}
CALLS = {"eval", "exec", "os.system", "os.popen", "tempfile.mktemp", "shutil.unpack_archive"}
ALLOWED = {
    "atom_feed.py": {"xml.etree"},  # writes
    "web_directory.py": {"xml.etree"},  # reads what the user chose; its test has a bomb
}
UNPACKING = {"extractall", "extract", "unpack_archive"}


def test_every_threat_has_its_test() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| threat")]
    assert len(lines) > 25
    assert [line for line in lines if "`tests/" not in line] == []


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED)))
def test_every_test_that_is_named_exists(file: str, name: str) -> None:
    assert (ROOT / file).is_file()
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    known = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    assert not name or name in known


def test_behaviours_that_are_named_exist() -> None:
    promised = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
    for name in re.findall(r"is_promised` \(`([\w-]+)`\)", PAGE):
        assert f"| `{name}` |" in promised


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in SOURCES:
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_nothing_that_is_read_is_run() -> None:
    for path, tree in trees():
        allowed = ALLOWED.get(path.name, set())
        for node in ast.walk(tree):
            assert not (_imports(node) & MODULES) - allowed, f"{path}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call):
                assert ast.unparse(node.func) not in CALLS, f"{path}:{node.lineno}"
                for given in node.keywords:
                    risky = given.arg in ("shell", "allow_pickle")
                    assert not (risky and ast.unparse(given.value) != "False"), f"{path}:{node.lineno}"


def _imports(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
    else:
        return set()
    return {".".join(name.split(".")[:parts]) for name in names for parts in (1, 2)}


def test_nothing_is_unpacked_into_a_folder() -> None:
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                assert node.func.attr not in UNPACKING, f"{path}:{node.lineno}"


@pytest.mark.parametrize("lock", ["run", "dev"])
def test_every_dependency_is_pinned(lock: str) -> None:
    lines = (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8").splitlines()
    pins = {match[1].lower() for line in lines if (match := re.match(r"([A-Za-z0-9._-]+)==[^\s;]+", line))}
    assert len(pins) == len({line.partition("==")[0] for line in lines if line.strip()})
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = list(about["project"]["dependencies"])
    if lock == "dev":
        groups = (*about["project"]["optional-dependencies"].values(), about["dependency-groups"]["dev"])
        wanted += [name for group in groups for name in group]
    names = {re.split(r"[><=!~;\[ ]", name)[0].lower() for name in wanted}
    assert names <= pins
