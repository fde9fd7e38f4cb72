"""A digest of the code that a result comes from, and of no other: so that a figure is made again when it must be.

What has a share is found by following imports, those inside functions too, from where the work begins: the program
that runs an experiment, the strategy, the judge. What those find by name alone (`registry.py`) is named as a root. Of a
package with code in it, data files have a share as well: tables that come with the program decide as code does.

Comments, docstrings and blank lines decide nothing and are left out: explaining a formula better is no new formula.
A test runs crawls and holds what was called against the files found here, so what is left out by name is really unused.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct
from xxhash import xxh3_64, xxh3_64_hexdigest

from scenthound import version

PROGRAM = "scenthound"
ROOT = Path(version.__file__).parent
BEFORE_COMMENT = re.compile(r'(?:"(?:[^"\\]|\\.)*"|' r"'(?:[^'\\]|\\.)*'" r"""|[^"'#])*""")
"""Of a line with whole strings: all up to a # outside of them."""
NO_DATA = (".py", ".pyc", ".md", ".pyi", ".typed")


class SourceFile(Struct, frozen=True):
    """What a Python file says: the modules it imports, and a digest of all that is no comment."""

    imports: tuple[str, ...]
    digest: str


def code_digest(roots: Iterable[str], without: tuple[str, ...] = ()) -> str:
    """Of all code that these modules need. `without`: places, as `fetch/http.py` or `app/`, that have no share."""
    digest = xxh3_64(version.__version__.encode())
    for path in code_files(tuple(roots), without):
        digest.update(_name(path).encode() + b"\0" + _content(path).encode())
    return digest.hexdigest()


@cache
def code_files(roots: tuple[str, ...], without: tuple[str, ...] = ()) -> list[Path]:
    """The files behind `code_digest`: Python files in reach of the roots, and the data of their packages."""
    tops = {PROGRAM, *(root.partition(".")[0] for root in roots)}
    found: set[Path] = set()
    waiting = [_file_of(root) for root in roots]
    while waiting:
        path = waiting.pop()
        if path is None or path in found or place(path).startswith(without):
            continue
        found.add(path)
        waiting += (_file_of(name) for name in read_source(path).imports if name.partition(".")[0] in tops)
        waiting.append(_package_above(path))
    packages = {path.parent for path in found}
    data = [path for path in _data_files() if _package_of(path) in packages and not place(path).startswith(without)]
    return sorted([*found, *data])


def modules_in(package: str) -> list[str]:
    """Every module of a package of the program, for roots that are found by name."""
    folder = ROOT.joinpath(*package.split(".")[1:])
    return [f"{package}.{path.stem}" for path in sorted(folder.glob("*.py")) if path.stem != "__init__"]


def place(path: Path) -> str:
    """Where a file is in the program; of other people's packages, the whole path."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()


@cache
def read_source(path: Path) -> SourceFile:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    left_out: set[int] = set()
    kept_whole: set[int] = set()
    prose: set[ast.expr] = set()
    for node in ast.walk(tree):  # a statement comes before the text that it consists of
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            prose.add(node.value)
        elif node in prose:
            continue
        elif isinstance(node, ast.Constant | ast.JoinedStr) and (node.end_lineno or 0) > node.lineno:
            kept_whole.update(range(node.lineno, (node.end_lineno or 0) + 1))
    lines = [
        line.rstrip() if number in kept_whole else _without_comment(line)
        for number, line in enumerate(text.splitlines(), 1)
        if number in kept_whole or number not in left_out
    ]
    code = "\n".join(line for line in lines if line)
    return SourceFile(tuple(dict.fromkeys(_imports(tree))), xxh3_64_hexdigest(code.encode()))


def _without_comment(line: str) -> str:
    """A line that no string goes beyond; empty where it says nothing."""
    found = BEFORE_COMMENT.match(line) if "#" in line else None
    return (line if found is None or line[found.end() : found.end() + 1] != "#" else found[0]).rstrip()


def _imports(tree: ast.Module) -> Iterator[str]:
    """Modules that are imported at run time, at any depth; `from x import y` may name a module `x.y`, too."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _file_of(name: str) -> Path | None:
    """The file of a module, or of the module that has this name in it."""
    while name:
        if name.partition(".")[0] == PROGRAM:
            base = ROOT.joinpath(*name.split(".")[1:])
            for path in (base.with_suffix(".py"), base / "__init__.py"):
                if path.is_file():
                    return path
        elif (module := sys.modules.get(name)) is not None:
            return Path(module.__file__) if module.__file__ else None
        name = name.rpartition(".")[0]
    return None


def _package_above(path: Path) -> Path | None:
    """The file that Python runs before this one, because it is the package that this one is in."""
    folder = path.parent.parent if path.name == "__init__.py" else path.parent
    above = folder / "__init__.py"
    return above if above.is_file() else None


@cache
def _data_files() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*")) if path.is_file() and path.suffix not in NO_DATA]


def _package_of(path: Path) -> Path:
    """The nearest folder above a file that is a package."""
    return next(folder for folder in path.parents if (folder / "__init__.py").is_file())


def _name(path: Path) -> str:
    return place(path) if path.is_relative_to(ROOT) else path.name  # where others' packages are says nothing


def _content(path: Path) -> str:
    return read_source(path).digest if path.suffix == ".py" else _data_digest(path)


@cache
def _data_digest(path: Path) -> str:
    return xxh3_64_hexdigest(path.read_bytes())
