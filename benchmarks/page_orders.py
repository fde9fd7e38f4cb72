"""Do two versions of the program crawl the same pages in the same order? Compares the results of two lab runs.

    ./run lab --web WEB.warc.gz --topics topics.jsonl --strategies ... --into lab/before     (with the one version)
    ./run lab --web WEB.warc.gz --topics topics.jsonl --strategies ... --into lab/after      (with the other)
    ./run python benchmarks/page_orders.py lab/before lab/after

A result carries a digest of the URLs in the order of their download. A line a strategy: the digest of all its topics'
digests, before and after, and the topics on which they differ. It ends with 1 if any does.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
from xxhash import xxh3_64_hexdigest

Orders = dict[str, dict[str, str]]  # strategy -> topic and seed -> digest


def orders(folder: Path) -> Orders:
    found: Orders = {}
    for line in (folder / "results.jsonl").read_bytes().splitlines():
        row = msgspec.json.decode(line)
        found.setdefault(row["strategy"], {})[f"{row['topic']} {row['seed']}"] = row["order"]
    return found


def digest(topics: dict[str, str]) -> str:
    text = "".join(f"{topic}{order}" for topic, order in sorted(topics.items()))
    return xxh3_64_hexdigest(text.encode())[:12]


def compare(before: Orders, after: Orders) -> int:
    """Prints the table; says how many strategies differ."""
    print("| strategy | topics | before | after | differ on |\n|---|---:|---|---|---|")
    differing = 0
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, {}), after.get(name, {})
        other = sorted(topic for topic in old.keys() | new.keys() if old.get(topic) != new.get(topic))
        differing += bool(other)
        print(f"| {name} | {len(new)} | {digest(old)} | {digest(new)} | {', '.join(other) or '-'} |")
    return differing


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Name two folders of lab results: ./run python benchmarks/page_orders.py BEFORE AFTER")
    sys.exit(compare(orders(Path(sys.argv[1])), orders(Path(sys.argv[2]))) > 0)
