"""Makes the website of the documentation: ./run python -m scripts.docs_site writes it to site/. Takes the extra `docs`.

The pages in docs/ are read by people in the repository as well, so they link to what lies beside them there. Here all
of them are gathered in one folder, README, CONTRIBUTING and the like among them, and links are turned so that they lead
to the page on the site; what is not on it, as source files are, is named and not linked. Then mkdocs builds it, and
whatever it complains about is an error: a page without a place in mkdocs.yml, a link that leads nowhere, a heading that
is gone.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from posixpath import normpath

ROOT = Path(__file__).parents[1]
GATHERED = ROOT / "build" / "docs"

ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
    "examples/scenthound-office/README.md": "example-office.md",
    "examples/scrapy-focused/README.md": "example-scrapy.md",
}
"""Pages that lie outside docs/, and what they are called on the site."""

FILES = ("*.svg", "*.png", "*.ipynb")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def site_pages() -> dict[str, str]:
    """Path in the repository -> name on the site, of every page."""
    return {f"docs/{path.name}": path.name for path in sorted((ROOT / "docs").glob("*.md"))} | ELSEWHERE


def turned(text: str, path: str, pages: dict[str, str]) -> str:
    """The page with its links as they must be on the site. Code blocks stay as they are."""
    blocks = re.split(r"(^```.*?^```\s*$)", text, flags=re.DOTALL | re.MULTILINE)
    folder = path.rpartition("/")[0]

    def turn(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        place, mark, anchor = target.partition("#")
        if "://" in target or target.startswith("mailto:") or not place:
            return found.group()
        full = normpath(f"{folder}/{place}") if folder else normpath(place)
        if full in pages:
            return f"{picture}[{words}]({pages[full]}{mark}{anchor})"
        if full.startswith("docs/") and (ROOT / full).is_file():
            return f"{picture}[{words}]({full.removeprefix('docs/')})"
        return words  # a file of the source: there to be read in the repository

    return "".join(block if block.startswith("```") else LINK.sub(turn, block) for block in blocks)


def gather(into: Path = GATHERED) -> None:
    """All pages and pictures in one folder."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    pages = site_pages()
    for path, name in pages.items():
        (into / name).write_text(turned((ROOT / path).read_text(encoding="utf-8"), path, pages), encoding="utf-8")
    for pattern in FILES:
        for source in (ROOT / "docs").rglob(pattern):
            target = into / source.relative_to(ROOT / "docs")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


def build(into: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(into)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    gather()
    done = build(ROOT / "site")
    sys.stderr.write(done.stderr)
    sys.exit(done.returncode)
