"""Plug-ins: packages that offer more through entry points. Which are installed, and the beginnings of a new one."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from pathlib import Path

from msgspec import Struct

from scenthound.app.plugin_templates import KINDS, PYPROJECT, README
from scenthound.errors import UsageError
from scenthound.registry import nearest

GROUPS = {kind.group: name for name, kind in KINDS.items()} | {
    "scenthound.measures": "measure",
    "scenthound.revisit_policies": "revisit policy",
}
"""Group of entry points -> what it holds."""

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


class InstalledPlugin(Struct, frozen=True):
    kind: str
    name: str
    package: str
    place: str  # module:Class
    problem: str = ""  # why it cannot be loaded


def installed_plugins() -> list[InstalledPlugin]:
    """All there are, each loaded once to see whether it can be."""
    found = []
    for group, kind in GROUPS.items():
        for entry in entry_points(group=group):
            package = f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else ""
            problem = ""
            try:
                entry.load()
            except Exception as error:  # whatever is in it
                problem = f"{type(error).__name__}: {error}"
            found.append(InstalledPlugin(kind, entry.name, package, entry.value, problem))
    return sorted(found, key=lambda plugin: (plugin.kind, plugin.name))


def new_plugin(kind: str, name: str, into: Path) -> list[Path]:
    """Writes a package that works, with a test, into a folder of its own; which files it has."""
    if kind not in KINDS:
        raise UsageError(f"There is no kind of plug-in called {kind!r}. {nearest(kind, KINDS, 'There are')}")
    if not _NAME.fullmatch(name):
        raise UsageError(f"A name has small letters, digits and hyphens, as in short-urls; {name!r} has not.")
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise UsageError(f"{into} is there already. Choose another folder with --into.")
    chosen, module = KINDS[kind], f"scenthound_{name.replace('-', '_')}"
    words = {
        "name": f"scenthound-{name}",
        "entry": name,
        "module": module,
        "cls": "".join(part.capitalize() for part in name.split("-")),
        "what": chosen.what,
        "group": chosen.group,
    }
    files = {
        "pyproject.toml": PYPROJECT,
        "README.md": README.replace("{use}", chosen.use),
        f"src/{module}/__init__.py": chosen.module,
        f"tests/test_{name.replace('-', '_')}.py": chosen.test,
    }
    for path, text in files.items():
        (into / path).parent.mkdir(parents=True, exist_ok=True)
        (into / path).write_text(text.format(**words), encoding="utf-8")
    return [into / path for path in files]
