"""The command line: see the package's docstring. Ends with 1 if anything failed."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from fuzz.runner import CORPUS, PATIENCE, Failure, Outcome, corpus_of, fuzz, keep, tried
from fuzz.smaller import smaller
from fuzz.targets import TARGETS, Target

MILLION = {
    **{"urls": 120, "charset": 110, "lists": 110, "scope": 110, "label-table": 90, "codings": 90, "html": 90},
    **{
        "robots": 70,
        "ontology": 50,
        "label-file": 40,
        "models": 40,
        "trails": 35,
        "topics": 25,
        "warc": 20,
        "settings": 20,
    },
}
"""Thousands of executions of a long run."""


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--target", action="append", choices=list(TARGETS), help="may be given several times; all")
    parser.add_argument("--executions", type=int, default=2_000, help="inputs for each target")
    parser.add_argument("--million", action="store_true", help="a million of them in all, most for what is quick")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path, help="try this one input")
    parser.add_argument("--engine", choices=("own", "atheris"), default="own", help="atheris is guided by coverage")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="where inputs are, and failures go")
    return parser.parse_args(arguments)


def main() -> int:
    given = options()
    targets = [TARGETS[name] for name in given.target or TARGETS]
    if given.file is not None:
        return 1 if any(isinstance(show(tried(target, given.file.read_bytes())), Failure) for target in targets) else 0
    if given.engine == "atheris":
        from fuzz.atheris_engine import run

        return run(targets[0], given.executions, given.seed, given.corpus)
    print("| target | executions | kinds of result | slowest, CPU ms | failures | seconds |")
    print("|---|---:|---:|---:|---:|---:|")
    total = failures = 0
    for target in targets:
        started = time.monotonic()
        executions = 1_000 * MILLION[target.name] if given.million else given.executions
        outcome = fuzz(target, executions, given.seed, corpus_of(target, given.corpus), progress=tell(target))
        failures += report(target, outcome, time.monotonic() - started, given.corpus)
        total += outcome.executions
    print(f"\n{total:,} executions, {failures} failures")
    return 1 if failures else 0


def tell(target: Target):  # type: ignore[no-untyped-def]
    def progress(outcome: Outcome) -> None:
        if sys.stderr.isatty():
            print(f"\r{target.name}: {outcome.executions:,} ", end="", file=sys.stderr, flush=True)

    return progress


def report(target: Target, outcome: Outcome, seconds: float, folder: Path) -> int:
    print(
        f"| {target.name} | {outcome.executions:,} | {outcome.kinds:,} | {outcome.slowest * 1000:.0f} "
        f"| {len(outcome.failures)} | {seconds:.0f} |",
        flush=True,
    )
    for failure in outcome.failures:
        least = smaller(target, failure, PATIENCE)
        print(f"\n{target.name}: {least.kind}\n  kept as {keep(target, least.data, folder)}", file=sys.stderr)
        print(f"  {least.data[:200]!r}\n{least.text}", file=sys.stderr, flush=True)
    return len(outcome.failures)


def show(result: object) -> object:
    print(result.text if isinstance(result, Failure) else result)
    return result


if __name__ == "__main__":
    sys.exit(main())
