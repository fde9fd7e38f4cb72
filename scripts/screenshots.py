"""Pictures of the reports for docs/screenshots, taken by a real browser: light and dark, desktop and phone.

    ./run python scripts/screenshots.py              makes a crawl, a crawl for sites and an experiment, and takes them
    ./run python scripts/screenshots.py FILE.html    takes pictures of this page alone, beside it

It needs Chromium on the machine (`apt-get install chromium`). The webs are built in; nothing is asked but loopback.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "screenshots"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"desktop": (1180, 1400), "phone": (390, 1400)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
COLOURS = 64
"""Reports have few; a picture with no more is a third as large."""

PROGRAM = [sys.executable, "-c", "from scenthound.cli.main import main; main()"]


def browser() -> str:
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    raise SystemExit("There is no Chromium here. Install it: apt-get install chromium")


def take(pages: Mapping[str, Path], folder: Path) -> None:
    """Of each page four pictures."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        for name, page in pages.items():
            for size, (width, height) in SIZES.items():
                for scheme in SCHEMES:
                    context = chromium.new_context(
                        viewport={"width": width, "height": height}, color_scheme=scheme, offline=True
                    )
                    tab = context.new_page()
                    tab.goto(page.resolve().as_uri())
                    picture = folder / f"{name}-{size}-{scheme}.png"
                    save(tab.screenshot(), picture)
                    print(picture)
                    context.close()
        chromium.close()


def save(png: bytes, path: Path) -> None:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def make(folder: Path) -> dict[str, Path]:
    """The reports, each of a crawl that is small and the same every time."""
    lab = ["lab", "--generated", "1200", "--pages", "60", "--strategies", "breadth-first,best-first,shark-search"]
    for arguments in (
        ["crawl", "--demo", "--pages", "300", "--into", "crawl", "--quiet"],
        ["sites", "--demo", "--into", "sites", "--quiet"],
        [*lab, "--jobs", "1", "--into", "lab"],
    ):
        subprocess.run([*PROGRAM, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return {name: folder / name / "report.html" for name in ("crawl", "sites", "lab")}


def main() -> None:
    if len(sys.argv) > 1:
        page = Path(sys.argv[1])
        take({page.stem: page}, page.parent)
        return
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        take(make(Path(temporary)), PICTURES)


if __name__ == "__main__":
    main()
