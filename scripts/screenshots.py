"""Pictures of the reports for docs/screenshots, taken by a real browser: light and dark, desktop and phone.

    ./run python scripts/screenshots.py              makes a crawl, a crawl for sites and an experiment, and takes them
    ./run python scripts/screenshots.py FILE.html    takes pictures of this page alone, beside it

It needs Chromium on the machine (`apt-get install chromium`). The webs are built in; nothing is asked but loopback.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "screenshots"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"desktop": (1180, 1500), "phone": (500, 1500)}
"""Width and height of the window. Headless Chromium has none narrower than 500."""

SCHEMES = {"light": 1, "dark": 0}  # as Blink numbers them
PROGRAM = [sys.executable, "-c", "from scenthound.cli.main import main; main()"]


def browser() -> str:
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    raise SystemExit("There is no Chromium here. Install it: apt-get install chromium")


def take(page: Path, picture: Path, width: int, height: int, scheme: int) -> None:
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                browser(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--virtual-time-budget=3000",
                f"--blink-settings=preferredColorScheme={scheme}",
                f"--user-data-dir={profile}",
                f"--window-size={width},{height}",
                f"--screenshot={picture}",
                page.resolve().as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=300,
        )


def take_all(page: Path, name: str, folder: Path) -> None:
    for size, (width, height) in SIZES.items():
        for scheme, number in SCHEMES.items():
            picture = folder / f"{name}-{size}-{scheme}.png"
            take(page, picture, width, height, number)
            print(picture)


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
        take_all(page, page.stem, page.parent)
        return
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        for name, page in make(Path(temporary)).items():
            take_all(page, name, PICTURES)


if __name__ == "__main__":
    main()
