"""Many kills of everything that writes:

    ./run python -m tests.torture --kills 500 --seed 1
    ./run python -m tests.torture --kills 50 --scene crawl
    ./run python -m tests.torture --faults --power-cuts 20      full and read-only disks, no handles, power cuts

Ends with 1, and says what and with which seed, where something was lost, stored twice, or came to another end.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.torture.faults import suffer
from tests.torture.power_cut import pages_in_peace, power_cut
from tests.torture.scenes import SCENES, Scene, web
from tests.torture.trials import Calm, Tally, torture


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--faults", action="store_true", help="full disk, read-only disk, no file handles")
    parser.add_argument("--power-cuts", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scene", action="append", choices=list(SCENES), help="may be given several times; all")
    given = parser.parse_args()
    scenes = [SCENES[name] for name in given.scene or SCENES]
    web().topics()  # children inherit it
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)  # a child may become somebody else
        if given.kills:
            tally = torture(scenes, given.kills, given.seed, root, _tell)
            report(tally)
            wrong += len(tally.wrong)
        if given.faults:
            wrong += faults(scenes, root)
        if given.power_cuts:
            wrong += power_cuts(given.power_cuts, given.seed, root)
    return 1 if wrong else 0


def faults(scenes: Sequence[Scene], root: Path) -> int:
    done, wrong = Counter[str](), 0
    for fault, scene, problem in suffer(scenes, root):
        done[fault] += 1
        if problem:
            wrong += 1
            print(f"{fault}, {scene}: {problem[-1500:]}", file=sys.stderr, flush=True)
    for fault, times in done.items():
        print(f"{fault}: {times} jobs let down")
    print(f"wrong: {wrong}")
    return wrong


def power_cuts(times: int, seed: int, root: Path) -> int:
    dice, wrong = Random(seed), 0
    calls = Calm(SCENES["checkpoint"], root).writing_calls
    wanted = {strategy: pages_in_peace(root / f"calm-{strategy}", strategy) for strategy in ("auto", "best-first")}
    for number in range(times):
        strategy = dice.choice(list(wanted))
        problem = power_cut(root / f"cut-{number}", wanted[strategy], calls, dice, strategy)
        if problem:
            wrong += 1
            print(f"power cut {number} of seed {seed}: {problem[-1500:]}", file=sys.stderr, flush=True)
        shutil.rmtree(root / f"cut-{number}", ignore_errors=True)
    print(f"{2 * times} power cuts; wrong: {wrong}")
    return wrong


def _tell(tally: Tally) -> None:
    print(f"{tally.killed} kills, {len(tally.wrong)} wrong", file=sys.stderr, flush=True)
    for line in tally.wrong[-1:]:
        print(line[:1500], file=sys.stderr)


def report(tally: Tally) -> None:
    print("| scene | kills | done before its end came | went on and compared |\n|---|---:|---:|---:|")
    for name in SCENES:
        if tally.kills[name] or tally.survived[name]:
            print(f"| {name} | {tally.kills[name]} | {tally.survived[name]} | {tally.compared[name]} |")
    print(f"\n{tally.killed} kills; wrong: {len(tally.wrong)}")


if __name__ == "__main__":
    sys.exit(main())
