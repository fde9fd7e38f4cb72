"""A process that sets labels: `python -m tests.library.labeller FOLDER HOST COUNT`. Says which are certainly stored."""

from __future__ import annotations

import sys
from pathlib import Path

from scenthound.library.label_file import LabelFile
from scenthound.model import Label


def main(folder: Path, host: str, count: int) -> None:
    labels = LabelFile(folder)
    for n in range(count):
        labels.add_labels([Label(f"http://{host}/{n}", n % 3 > 0, at=float(n + 1))])
        print(n, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
