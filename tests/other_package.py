"""A package that somebody else has installed, with things of their own to offer."""

from pathlib import Path


def install(folder: Path, group: str, line: str, source: str, name: str = "outsider") -> Path:
    """A folder to put on the path: a module of that source, and one entry point."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{line}\n")
    return folder
