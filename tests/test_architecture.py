"""The shape of the source: who imports whom (scripts/layers.py), no cycles, one meaning a name, prose that is true."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from scripts import layers_picture
from scripts.layers import LAYERS, MADE_IN, NEIGHBOURS, ONLY_IN

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "scenthound"
FILES = sorted(SOURCE.rglob("*.py"))
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
PYTHON_FILE = re.compile(r"(?<![\w./*{>-])((?:\w+/)*\w+\.py)\b")  # as documents and docstrings name one


def place(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in FILES}


def package_of(module: str) -> str:
    """The package that a module is in; a package is in itself."""
    is_package = module in MODULES and MODULES[module].name == "__init__.py"
    return module if is_package or module not in MODULES else module.rpartition(".")[0]


def imports(path: Path, for_types: bool = True) -> Iterator[str]:
    """Every module that a file imports, at any depth; as `from x import y` may name a module, `x.y` too."""
    waiting: list[ast.AST] = [ast.parse(path.read_text())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and not for_types and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def imported_parts(path: Path) -> set[str]:
    return {name.split(".")[1] for name in imports(path) if name.startswith("scenthound.")}


def breaches(part: str, imported: set[str]) -> list[str]:
    return [
        other
        for other in sorted(imported)
        if other in LEVEL and other != part and LEVEL[other] >= LEVEL[part] and (part, other) not in NEIGHBOURS
    ]


DOORS = {SOURCE / "__init__.py", SOURCE / "__main__.py"}  # they open onto the uppermost layer


@pytest.mark.parametrize("path", [path for path in FILES if path not in DOORS], ids=place)
def test_imports_go_to_lower_layers(path: Path) -> None:
    part = part_of(path)
    assert part in LEVEL, f"{part} has no place in scripts/layers.py"
    assert not breaches(part, imported_parts(path))


def test_a_breach_is_noticed(tmp_path: Path) -> None:
    module = tmp_path / "late.py"
    module.write_text("from scenthound.crawler.engine import Crawl\nimport scenthound.model\n")
    assert breaches("parse", imported_parts(module)) == ["crawler"]


def test_every_exception_is_needed() -> None:
    used = {(part_of(path), other) for path in FILES for other in imported_parts(path)}
    assert set(NEIGHBOURS) <= used


@pytest.mark.parametrize("name", ONLY_IN)
def test_some_modules_are_imported_in_one_place_only(name: str) -> None:
    elsewhere = [
        place(path)
        for path in FILES
        if not place(path).startswith(ONLY_IN[name])
        and any(f"{other}.".startswith(f"{name}.") for other in imports(path))
    ]
    assert not elsewhere


def made_classes(path: Path) -> Iterator[str]:
    """Names that are called, or whose methods are: `Crawl(...)`, `PoliteFrontier.resume(...)`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = node.func.value if isinstance(node.func, ast.Attribute) else node.func
            if isinstance(called, ast.Name):
                yield called.id


def test_some_classes_are_made_in_one_place_only() -> None:
    places = {(name, place(path)) for path in FILES for name in made_classes(path) if name in MADE_IN}
    assert places == set(MADE_IN.items())


def cycle(files: dict[str, Path], for_types: bool) -> list[str]:
    """Modules that import each other in a ring, if any do."""
    graph = {}
    for module, path in files.items():
        names = [name if name in files else name.rpartition(".")[0] for name in imports(path, for_types)]
        graph[module] = {name for name in names if name in files and name != module}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("for_types", [False, True], ids=["running", "for types too"])
def test_no_modules_import_each_other_not_even_late(for_types: bool) -> None:
    assert not cycle(MODULES, for_types)


def test_no_packages_import_each_other() -> None:
    """A package and those within it are one thing; beside each other, they build on each other one way only."""
    graph = defaultdict(set)
    for module, path in MODULES.items():
        package = package_of(module)
        for name in imports(path):
            other = package_of(name if name in MODULES else name.rpartition(".")[0])
            if not f"{package}.".startswith(f"{other}.") and not f"{other}.".startswith(f"{package}."):
                graph[package].add(other)
    TopologicalSorter(graph).prepare()  # raises an error that names the packages


def test_a_cycle_of_late_imports_is_noticed(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("def f():\n    from other import g\n")
    other.write_text("if TYPE_CHECKING:\n    import one\nelse:\n    import sys\n")
    assert not cycle({"one": one, "other": other}, for_types=False)
    assert set(cycle({"one": one, "other": other}, for_types=True)) == {"one", "other"}
    other.write_text("import one\n")
    assert set(cycle({"one": one, "other": other}, for_types=False)) == {"one", "other"}


def test_no_class_name_means_two_things() -> None:
    places = defaultdict(list)
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(place(path))
    assert not {name: where for name, where in places.items() if len(where) > 1}


def test_every_module_says_what_it_is_for() -> None:
    """In its own docstring, or, as strategies and judges do, in that of a class."""
    for path in FILES:
        tree = ast.parse(path.read_text())
        holders = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
        assert any((ast.get_docstring(holder) or "").strip() for holder in holders), place(path)


def test_files_that_source_and_documents_name_are_there() -> None:
    there = [
        f"/{path.relative_to(ROOT).as_posix()}"
        for top in ("src", "tests", "scripts", "benchmarks", "fuzz")
        for path in (ROOT / top).rglob("*.py")
    ]
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks").glob("*.md")]
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in [*FILES, *pages]
        for name in PYTHON_FILE.findall(path.read_text())
    }
    gone = sorted((where, name) for where, name in named if not any(path.endswith(f"/{name}") for path in there))
    assert not gone


def test_the_picture_of_the_layers_is_up_to_date() -> None:
    again = "run: ./run python -m scripts.layers_picture"
    assert layers_picture.PICTURE.read_text() == layers_picture.picture(), again
    assert layers_picture.PAGE.read_text() == layers_picture.page(layers_picture.PAGE.read_text()), again
