"""What the rules of a robots.txt cost: reading them, and asking about a URL, beside protego.

./run python benchmarks/robots.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from protego import Protego

from scenthound.fetch.robots_matching import PathRules

RULES = 22_000
URLS = 3_000
URLS_OF_PROTEGO = 50  # it takes so long

KINDS: dict[str, tuple[Callable[[int], str], Callable[[int], str]]] = {
    "/N*a*a*a*$": (lambda n: f"/{n}*a*a*a*$", lambda n: f"/{n * 7}xaxaxa"),
    "/dN/x": (lambda n: f"/d{n}/x", lambda n: f"/d{n * 7}/y"),
    "/*a*b*N$": (lambda n: f"/*a*b*{n % 10}*{n}$", lambda n: "/" + "ab0123456789" * 20 + str(n)),
}


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    print(f"{RULES:,} rules; ms a URL: ours over {URLS:,} URLs, protego over {URLS_OF_PROTEGO}")
    print(
        "| rules | ours: read, s | ours: ms a URL | protego: read, s | protego: ms a URL |\n|---|---:|---:|---:|---:|"
    )
    for name, (pattern, path) in KINDS.items():
        patterns = [pattern(number) for number in range(RULES)]
        text = "User-agent: *\n" + "\n".join(f"Disallow: {given}" for given in patterns)
        paths = [path(number) for number in range(URLS)]
        ours: list[PathRules] = []
        theirs: list[Protego] = []
        read = seconds(lambda given=patterns, into=ours: into.append(PathRules((False, each) for each in given)))
        asked = seconds(lambda table=ours[0], given=paths: [table.allow(each) for each in given])
        read_by_protego = seconds(lambda given=text, into=theirs: into.append(Protego.parse(given)))
        few = [f"http://h.test{each}" for each in paths[:URLS_OF_PROTEGO]]
        asked_of_protego = seconds(lambda table=theirs[0], given=few: [table.can_fetch(each, "*") for each in given])
        ms, ms_of_protego = 1000 * asked / URLS, 1000 * asked_of_protego / URLS_OF_PROTEGO
        print(f"| `{name}` | {read:.2f} | {ms:.3f} | {read_by_protego:.2f} | {ms_of_protego:.1f} |")


if __name__ == "__main__":
    main()
