"""Imports go leftwards along the chain of layers, and neighbours leave each other alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "scenthound"

LAYERS = [
    {"model", "protocols", "errors", "gc_tuning", "atomic_write", "bounded_cache", "merge_rules"},
    {"urls", "config", "registry", "scope"},
    {"text", "parse", "ontology", "learn"},
    {"judge", "strategies", "frontier", "fetch", "library", "export"},
    {"crawl"},
    {"report", "training"},
    {"sites", "revisit"},
    {"lab"},
    {"app"},
    {"cli", "web", "cluster"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
WITHIN_A_LAYER = {
    ("protocols", "model"),  # protocols speak of the model
    ("atomic_write", "errors"),
    ("merge_rules", "model"),
    ("config", "urls"),
    ("config", "scope"),
    ("scope", "urls"),
    ("parse", "text"),
    ("ontology", "text"),
    ("learn", "text"),
    ("training", "report"),  # a graph is drawn as a report is
}


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            if node.module == "scenthound":
                yield from (alias.name for alias in node.names)
            elif (node.module or "").startswith("scenthound."):
                yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("scenthound."))


def breaches(part: str, imports: Iterator[str]) -> list[str]:
    return [
        other
        for other in imports
        if other in LEVEL and other != part and LEVEL[other] >= LEVEL[part] and (part, other) not in WITHIN_A_LAYER
    ]


FILES = [path for path in sorted(SOURCE.rglob("*.py")) if path != SOURCE / "__init__.py"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_leftwards(path: Path) -> None:
    part = part_of(path)
    assert part in LEVEL, f"{part} has no place in the chain of layers"
    assert not breaches(part, imported_parts(path))


def test_a_breach_is_noticed(tmp_path: Path) -> None:
    module = tmp_path / "late.py"
    module.write_text("from scenthound.crawl.engine import Crawl\nimport scenthound.model\n")
    assert breaches("parse", imported_parts(module)) == ["crawl"]
