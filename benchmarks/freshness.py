"""Which revisit policy keeps a collection freshest, and how good are the tests for change? On real histories.

    ./run python benchmarks/freshness.py                              histories in ../shared/data/openbsd-history
    ./run python benchmarks/freshness.py --histories FOLDER --site https://example.org
    ./run python benchmarks/freshness.py --budgets 1 --pages 40       a quick look
    ./run python benchmarks/freshness.py --svg docs/freshness.svg     the picture

Every policy gets the same requests on the same days and is told what its own looks showed. `clairvoyant` is a bound: it
knows when pages change. Intervals are 95 %, by drawing groups of pages anew, which are put together by the commits that
changed them; so are tests. The program ends with 1 if `learned` is not ahead of
every other policy in freshness at every budget, and with 0, saying so, where there are no histories.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time

from msgspec.structs import replace

from scenthound.lab.freshness.commit_groups import commit_groups, group_means
from scenthound.lab.freshness.detection import Detection
from scenthound.lab.freshness.detection import markdown as detection_tables
from scenthound.lab.freshness.freshness_chart import dots
from scenthound.lab.freshness.page_histories import PageLife, history_files, page_lives
from scenthound.lab.freshness.replayed_revisits import LookRecord, RevisitReplay
from scenthound.lab.measures.freshness import FreshnessAccount, account, by_stretch, staleness
from scenthound.lab.report.tables import p_value, signed
from scenthound.lab.statistics import Estimate, compare
from scenthound.model import Keyword, Page, Topic
from scenthound.revisit.schedule.page_history import PageHistory
from scenthound.revisit.schedule.policies import Policy, build
from scenthound.text.topic_vector import TopicVector

HISTORIES = Path(__file__).resolve().parents[2] / "shared" / "data" / "openbsd-history"
SITE = "http://www.openbsd.org"
TOPIC = Topic("security", (Keyword("security", 0.4), Keyword("errata", 0.3), Keyword("vulnerability", 0.3)))
HALF = 0.01  # the share of words from which a page is more on the topic than not
BUDGETS = (0.5, 1.0, 2.0)
POLICIES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "uniform": ("uniform", {}),
    "proportional": ("proportional", {}),
    "pvalue": ("pvalue", {}),
    "pvalue, rounds": ("pvalue", {"rounds": True}),
    "pvalue, published": ("pvalue", {"order": "pvalue", "rounds": True}),
    "rates": ("rates", {}),
    "learned": ("learned", {}),
    "learned, harmonic": ("learned", {"aim": "harmonic"}),
    "learned, each page alone": ("learned", {"start": 1e-9, "trust": 1e9}),
}
RIVALS = ("uniform", "proportional", "pvalue", "pvalue, rounds", "pvalue, published", "rates")


class Clairvoyant:
    """Asks pages that have changed, first those that will then stay as they are for longest."""

    def __init__(self, lives: Sequence[PageLife]) -> None:
        self.times = {life.url: [version.at for version in life.versions] for life in lives}

    def due(self, pages: Sequence[PageHistory], now: float, n: int) -> list[str]:
        waiting = []
        for page in pages:
            times = self.times[page.url]
            there, held = bisect_right(times, now), bisect_right(times, page.last)
            if there != held and not page.gone:
                waiting.append((-(times[there] if there < len(times) else 1e12), page.url))
        return [url for _, url in sorted(waiting)[:n]]


def main() -> int:
    options = arguments()
    if not options.histories.is_dir():
        print(f"There are no histories in {options.histories}: nothing to measure. Name their folder: --histories.")
        return 0
    files = history_files(options.histories)
    files = [path for path in files if options.half in (None, half_of(path))][: options.pages or None]
    detection, lives = read_all(files, options.site)
    print(f"\n{len(lives)} pages, {sum(len(life.versions) for life in lives):,} versions\n")
    if not options.no_detection:
        print("## Detection\n\n" + detection_tables(detection) + "\n")
    accounts: dict[float, dict[str, FreshnessAccount]] = {}
    behind: list[str] = []
    for budget in options.budgets:
        records = replayed(lives, budget, weighted=False, all_bytes=not options.ignore_noise)
        groups = groups_of(records)
        accounts[budget] = {name: account(kept, groups=groups) for name, kept in records.items()}
        print(f"## {budget:g} requests a page and month, all pages alike\n")
        print(table(accounts[budget]) + "\n\n" + comparison(records) + "\n\n" + over_time(records) + "\n")
        if options.weighted:
            tell_weighted(lives, budget, not options.ignore_noise)
        ours = accounts[budget]["learned"].freshness.mean
        behind += [f"{name} at {budget:g}" for name in RIVALS if accounts[budget][name].freshness.mean >= ours]
    if options.svg:
        options.svg.write_text(picture(accounts), encoding="utf-8")
        print(f"Picture: {options.svg}")
    print(f"learned is not ahead of {', '.join(behind)}." if behind else "learned is ahead of all at every budget.")
    return 1 if behind else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=Path, default=HISTORIES, help="folder with a file of versions a page")
    parser.add_argument("--site", default=SITE, help="where the pages were")
    parser.add_argument("--budgets", type=lambda text: [float(each) for each in text.split(",")], default=BUDGETS)
    parser.add_argument("--pages", type=int, default=0, help="only so many pages, for a quick look")
    parser.add_argument(
        "--half", choices=["first", "second"], help="only the pages parameters were chosen on, or others"
    )
    parser.add_argument("--ignore-noise", action="store_true", help="versions that differ in noise are no changes")
    parser.add_argument("--no-detection", action="store_true", help="leave out the tests for change")
    parser.add_argument("--weighted", action="store_true", help="also weigh pages by their relevance to a topic")
    parser.add_argument("--svg", type=Path, help="where to draw the picture")
    return parser.parse_args()


def half_of(path: Path) -> str:
    """By a hash of the page's name, so that it says nothing about the page."""
    name = path.name.partition(".jsonl")[0].replace("__", "/")
    return "second" if zlib.crc32(name.encode()) % 2 else "first"


def read_all(files: Sequence[Path], site: str) -> tuple[Detection, list[PageLife]]:
    vector = TopicVector(TOPIC)

    def relevance(page: Page) -> float:
        share = vector.of_page(page)
        return share / (share + HALF)

    detection, lives = Detection(), []
    started = process_time()
    for life in page_lives(files, site, relevance, detection.take):
        lives.append(life)
        progress(f"reading {len(lives)}/{len(files)} pages")
    versions = sum(len(life.versions) for life in lives)
    progress("")
    print(f"Read {versions:,} versions, {1000 * (process_time() - started) / versions:.1f} ms of CPU each")
    return detection, lives


def replayed(
    lives: Sequence[PageLife], budget: float, *, weighted: bool, all_bytes: bool, names: Sequence[str] | None = None
) -> dict[str, list[LookRecord]]:
    told = [life if weighted else unweighted(life) for life in lives]
    records: dict[str, list[LookRecord]] = {}
    for name in names or [*POLICIES, "clairvoyant"]:
        policy: Policy = Clairvoyant(told) if name == "clairvoyant" else build(*POLICIES[name])
        started = process_time()

        def tell(share: float, name: str = name) -> None:
            progress(f"{budget:g} a month, {name}: {100 * share:.0f} %")

        records[name] = RevisitReplay(told, policy, budget, all_bytes=all_bytes).run(tell)
        looks = sum(len(record.looks) for record in records[name])
        progress(
            f"{budget:g} a month, {name}: {1e6 * (process_time() - started) / max(looks, 1):.0f} us a look", last=True
        )
    return records


def unweighted(life: PageLife) -> PageLife:
    return PageLife(life.url, [replace(version, relevance=1.0) for version in life.versions])


def table(accounts: Mapping[str, FreshnessAccount]) -> str:
    lines = [
        "| policy | freshness | age, days | harmonic penalty | delay, days | wasted |",
        "|---|---|---|---|---|---|",
    ]
    for name, each in accounts.items():
        cells = [each.freshness, each.age, each.harmonic, each.delay, each.wasted]
        digits = (3, 2, 3, 1, 2)
        lines.append(f"| {name} | " + " | ".join(_cell(*pair) for pair in zip(cells, digits, strict=True)) + " |")
    return "\n".join(lines)


def _cell(estimate: Estimate, digits: int) -> str:
    return f"{estimate.mean:.{digits}f} [{estimate.low:.{digits}f}, {estimate.high:.{digits}f}]"


def groups_of(records: Mapping[str, Sequence[LookRecord]]) -> list[list[str]]:
    """Pages that change by the same commits."""
    return commit_groups({record.url: record.changes for record in records["learned"]})


def comparison(records: Mapping[str, Sequence[LookRecord]]) -> str:
    """`learned` against each of the others; pages that change by the same commits count as one."""
    groups = groups_of(records)
    fresh = {
        name: group_means({record.url: staleness(record).freshness for record in kept}, groups)
        for name, kept in records.items()
        if name == "learned" or name in RIVALS
    }
    lines = [
        "| freshness of learned minus that of | difference | groups better / same / worse | p (Holm) |",
        "|---|---|---|---|",
    ]
    for name, found in compare(fresh, "learned").items():
        gap = found.difference
        lines.append(
            f"| {name} | {signed(-gap.mean)} [{signed(-gap.high)}, {signed(-gap.low)}] | "
            f"{found.losses} / {found.ties} / {found.wins} | {p_value(found.p_holm)} |"
        )
    return "\n".join(lines)


def over_time(records: Mapping[str, Sequence[LookRecord]]) -> str:
    """In how many of equal stretches of time `learned` is ahead."""
    begin = min(record.born for record in records["learned"])
    end = max(record.until for record in records["learned"])
    parts = max(1, round((end - begin) / (365.25 * 86_400)))
    ours = by_stretch(records["learned"], begin, end, parts)
    told = []
    for name in RIVALS:
        theirs = by_stretch(records[name], begin, end, parts)
        told.append(f"{name} {sum(a > b for a, b in zip(ours, theirs, strict=True))}")
    return f"Of {parts} years, learned is ahead of: {', '.join(told)}."


def tell_weighted(lives: Sequence[PageLife], budget: float, all_bytes: bool) -> None:
    names = ["uniform", "proportional", "pvalue", "rates", "learned"]
    records = replayed(lives, budget, weighted=True, all_bytes=all_bytes, names=names)
    weights = [life.versions[0].relevance for life in lives]
    print(f"## {budget:g} requests a page and month, weighted by relevance to {TOPIC.name}\n")
    groups = groups_of(records)
    print(table({name: account(kept, weights, groups=groups) for name, kept in records.items()}) + "\n")


def picture(accounts: Mapping[float, Mapping[str, FreshnessAccount]]) -> str:
    shown = [name for name in POLICIES if name in next(iter(accounts.values()))]
    panels = {
        f"{budget:g} a page and month": {name: of[name].freshness for name in shown} for budget, of in accounts.items()
    }
    return dots("Freshness by policy and budget, with 95 % intervals", panels, "learned")


def progress(text: str, *, last: bool = False) -> None:
    """On a terminal one line that is written over; elsewhere only the last word on a matter."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="\n" if last else "", file=sys.stderr, flush=True)
    elif last:
        print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
