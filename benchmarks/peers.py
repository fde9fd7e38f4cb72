"""Other crawlers that say they are focused, and this one: the same recorded webs over HTTP, topics, words and budgets.

    ./run python benchmarks/peers.py                          all topics of three webs, which are in ../shared/data
    ./run python benchmarks/peers.py --web apache --topics 3
    ./run python benchmarks/peers.py --only scenthound-auto,scrapy-keywords
    ./run python benchmarks/peers.py --minutes 5              some of it; the same command goes on with the rest
    ./run python benchmarks/peers.py --so-far                 nothing is crawled: topics that all have crawled by now
    ./run python benchmarks/peers.py --speed --rounds 2       how fast they are, in four minutes, on a quiet machine

Each peer is installed from the package index into an environment of its own, in --environments. All are told the same:
a page that links to the topic's start pages, the topic's keywords, and how many pages they may take. Who takes several
start pages is also given these themselves, in crawls of its own (`-seeds`). What they found is counted here, from the
URLs they say they took, in their order. Crawls are kept in --into, and made again only where the code or the package
that made them is another.

With --speed nothing is kept: each crawler takes one topic's budget, or --seconds of it. Pages a second are those of the
crawl itself, by the server's clock: from the first question to the last. Processor time is that of all but starting
(an interpreter, libraries, an empty library on the disk), which a crawl of one page tells. Seconds in all are those
that somebody waits: start, crawl, and what is done when the last page is there. Two take part who are as polite as
the other is: ours with eight requests to a host at a time, and Scrapy with one. Results: docs/peers.md.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median

import msgspec
from msgspec import Struct

from peers_parts.crawls import PEERS, RACERS, Limits, Peer, Run, environment, race, version_of
from scenthound.lab.crawls.results import read_rows
from scenthound.lab.report.tables import markdown_table, p_value
from scenthound.lab.statistics import compare
from scenthound.lab.topics import LabTopic, load

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TOPICS = {"apache": "topics-apache.jsonl"}  # of the others: topics.jsonl
OURS = "scenthound-"
LEADER = "scenthound-auto"
BEGINNINGS = {LEADER: "one page with links", f"{LEADER}-seeds": "start pages by name"}

Runs = dict[str, list[Run]]
"""Of each crawler, a crawl a topic."""


def main() -> int:
    options = asked()
    chosen = [
        peer
        for peer in (RACERS if options.speed else PEERS)
        if not options.only or peer.name in options.only.split(",")
    ]
    chosen = [peer for peer in chosen if peer.name not in options.without.split(",")]
    webs = {web: topics_of(web, options) for web in options.web.split(",") if web_file(web, options).is_file()}
    if not webs:
        print(f"There is no {options.web}.warc.gz in {options.data}: nothing to measure. Name its folder with --data.")
        return 0
    if options.speed:
        print(speed_table(chosen, *next(iter(webs.items())), options))
        return 0
    kept = KeptRuns(options)
    crawled = {web: kept.crawl(chosen, web, topics) for web, topics in webs.items()}
    if options.so_far:
        webs = {web: by_all(crawled[web], topics) for web, topics in webs.items()}
        webs = {web: topics for web, topics in webs.items() if topics}
        crawled = {web: kept.crawl(chosen, web, topics) for web, topics in webs.items()}
    elif kept.left:
        print(f"{kept.left} crawls are left: the same command goes on with them.")
        return 1
    areas = {web: areas_of(runs, webs[web]) for web, runs in crawled.items()}
    for web, runs in crawled.items():
        print(f"\n{web}, {len(webs[web])} topics\n\n{harvest_table(runs, webs[web], areas[web])}")
    if all(any(not name.startswith(OURS) for name in each) for each in areas.values()):
        print(f"\n{lead_table(areas)}")
    return 0


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the webs and their topics")
    parser.add_argument("--web", default="schools-wikipedia,webkb,apache", help="names of webs, with commas in between")
    parser.add_argument("--topics", type=int, default=100, help="how many topics of each, the first ones")
    parser.add_argument("--pages", type=int, default=0, help="pages a crawl may take, in place of what the topic says")
    parser.add_argument("--only", default="", help="names of crawlers, with commas in between")
    parser.add_argument("--without", default="", help="names of crawlers that are left out")
    parser.add_argument("--environments", type=Path, default=Path(tempfile.gettempdir()) / "scenthound-peers")
    parser.add_argument("--cpu", type=int, default=120, help="seconds of processor time that one crawl may take")
    parser.add_argument("--patience", type=float, default=1800.0, help="seconds that one crawl may take")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no crawl after these; 0 = make all")
    parser.add_argument("--into", type=Path, default=Path("lab/peers.jsonl"), help="where crawls are kept")
    parser.add_argument("--so-far", action="store_true", help="crawl nothing: topics that all crawlers have crawled")
    parser.add_argument("--speed", action="store_true", help="measure speed alone, on the first topic of the first web")
    parser.add_argument("--seconds", type=float, default=12.0, help="with --speed: how long a crawl may take")
    parser.add_argument("--rounds", type=int, default=1, help="with --speed: how often, in turn; medians")
    return parser.parse_args()


def web_file(web: str, options: argparse.Namespace) -> Path:
    return Path(options.data) / f"{web}.warc.gz"


def topics_of(web: str, options: argparse.Namespace) -> list[LabTopic]:
    topics = load(options.data / TOPICS.get(web, "topics.jsonl"))
    return [topic for topic in topics if topic.web == f"{web}.warc.gz"][: options.topics]


# --- what they find -------------------------------------------------------------------------------------------------


class KeptRuns:
    """Crawls that were made, a line each in a file, and those that are made now."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.runs = {run.key(): run for run in read_rows(options.into, Run)} if options.into.is_file() else {}
        self.left = 0
        self.last = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
        if options.so_far:
            self.last = 0.0

    def crawl(self, peers: Sequence[Peer], web: str, topics: Sequence[LabTopic]) -> Runs:
        """All crawls of a web, topic by topic; those that are not kept are made, while there is time."""
        made: Runs = {peer.name: [] for peer in peers}
        pythons = {peer: environment(peer, self.options.environments) for peer in peers}
        versions = {peer: version_of(peer, python) for peer, python in pythons.items()}
        for topic in topics:
            for peer in peers:
                run = Run(peer.name, web, topic.name, self.options.pages or topic.pages, versions[peer])
                if run.key() not in self.runs:
                    if time.monotonic() > self.last:
                        self.left += 1
                        continue
                    self.make(peer, pythons[peer], topic, run)
                made[peer.name].append(self.runs[run.key()])
        return made

    def make(self, peer: Peer, python: Path, topic: LabTopic, run: Run) -> None:
        limits = Limits(self.options.cpu, self.options.patience)
        race(peer, python, web_file(run.web, self.options), topic, run, limits, self.options.environments / "bytecode")
        print(line(run, topic), file=sys.stderr, flush=True)
        self.runs[run.key()] = run
        self.options.into.parent.mkdir(parents=True, exist_ok=True)
        with self.options.into.open("ab") as file:
            file.write(msgspec.json.encode(run) + b"\n")


def by_all(runs: Runs, topics: Sequence[LabTopic]) -> list[LabTopic]:
    """The topics that every crawler has crawled."""
    done = [{run.topic for run in made} for made in runs.values()]
    return [topic for topic in topics if all(topic.name in each for each in done)]


def recall_curve(run: Run, topic: LabTopic) -> list[float]:
    """The share of targets taken after each page of the budget. Start page and repetitions are pages, too."""
    targets = topic.scored_targets()
    found: set[str] = set()
    curve = []
    for url in run.urls[: run.budget]:
        found |= {url} & targets
        curve.append(len(found) / len(targets))
    return curve + [curve[-1] if curve else 0.0] * (run.budget - len(curve))


def areas_of(runs: Runs, topics: Sequence[LabTopic]) -> dict[str, dict[str, float]]:
    """Recall areas by crawler and topic."""
    return {
        name: {topic.name: mean(recall_curve(run, topic)) for run, topic in zip(made, topics, strict=True)}
        for name, made in runs.items()
    }


def line(run: Run, topic: LabTopic) -> str:
    curve = recall_curve(run, topic)
    told = f"{run.peer:22} {topic.name:24} area {mean(curve):.3f}  recall {curve[-1]:.3f}  {len(run.urls)} pages"
    return f"{told}  {run.cpu:.1f} s  {run.ended}{run.trouble}".rstrip()


def harvest_table(runs: Runs, topics: Sequence[LabTopic], areas: Mapping[str, Mapping[str, float]]) -> str:
    rows = []
    for name in sorted(runs, key=lambda each: -mean(areas[each].values())):
        curves = [recall_curve(run, topic) for run, topic in zip(runs[name], topics, strict=True)]
        cut = sum(bool(run.ended) for run in runs[name])
        rows.append([
            name,
            f"{mean(areas[name].values()):.3f}",
            f"{mean(curve[-1] for curve in curves):.3f}",
            f"{mean(len(run.urls) for run in runs[name]):.0f}",
            f"{mean(run.requests for run in runs[name]):.0f}",
            f"{cut} of {len(topics)}" if cut else "",
            "could not crawl" if all(run.trouble and not run.urls for run in runs[name]) else "",
        ])  # fmt: skip
    head = ["crawler", "recall area", "recall at the end", "pages", "requests", "ended at the limit", ""]
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    return "\n".join(markdown_table(head, rows))


def lead_table(areas: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """What the default has over the best of the others, web by web and on all topics, however these began."""
    webs = (*areas.items(), *([("all", pooled(areas))] if len(areas) > 1 else []))
    rows = [
        [beginning, web, *lead(found, ours)]
        for ours, beginning in BEGINNINGS.items()
        for web, found in webs
        if ours in found
    ]
    head = [f"{LEADER}, from", "web", "topics", "its area", "best other", "times its area", "difference"]
    return "\n".join(markdown_table([*head, "wins/ties/losses", "p (Wilcoxon)"], rows))


def lead(found: Mapping[str, Mapping[str, float]], leader: str) -> list[str]:
    theirs = {name: each for name, each in found.items() if not name.startswith(OURS)}
    best = max(theirs, key=lambda name: mean(theirs[name].values()))
    ours, other = mean(found[leader].values()), mean(theirs[best].values())
    compared = compare({leader: found[leader], best: theirs[best]}, best)[leader]
    gap = compared.difference
    return [
        f"{len(found[leader])}",
        f"{ours:.3f}",
        f"{best} {other:.3f}",
        f"{ours / other:.2f}" if other else "",
        f"{gap.mean:+.3f} [{gap.low:.3f}, {gap.high:.3f}]",
        f"{compared.wins}/{compared.ties}/{compared.losses}",
        p_value(compared.p),
    ]


def pooled(areas: Mapping[str, Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    """Areas of each crawler on the topics of all webs."""
    together: dict[str, dict[str, float]] = {}
    for web, found in areas.items():
        for name, values in found.items():
            together.setdefault(name, {}).update({f"{web} {topic}": area for topic, area in values.items()})
    return together


# --- how fast they are ----------------------------------------------------------------------------------------------


class Speed(Struct, frozen=True):
    pages: int
    a_second: float
    cpu: float  # milliseconds a page, all but the start
    seconds: float  # all of it


def speeds_of(
    peers: Sequence[Peer], web: str, topic: LabTopic, options: argparse.Namespace
) -> dict[str, list[Speed | None]]:
    """Of each crawler, a crawl a round; None where it brought no page. All take turns: a machine's speed drifts."""
    starts = {peer: timed_run(peer, web, topic, 1, options) for peer in peers}
    found: dict[str, list[Speed | None]] = {peer.name: [] for peer in peers}
    for _ in range(options.rounds):
        for peer in peers:
            run = timed_run(peer, web, topic, options.pages or topic.pages, options)
            found[peer.name].append(speed_of(run, starts[peer]))
    return found


def timed_run(peer: Peer, web: str, topic: LabTopic, budget: int, options: argparse.Namespace) -> Run:
    run = Run(peer.name, web, topic.name, budget, "")
    limits = Limits(0, options.seconds if budget > 1 else options.patience)  # a start is to come to its end
    python = environment(peer, options.environments)
    race(peer, python, web_file(web, options), topic, run, limits, options.environments / "bytecode")
    print(line(run, topic), file=sys.stderr, flush=True)
    return run


def speed_of(run: Run, start: Run) -> Speed | None:
    more = len(run.urls) - 1
    if more < 1 or not run.asking:
        return None
    return Speed(len(run.urls), more / run.asking, 1000 * (run.cpu - start.cpu) / more, run.seconds)


def speed_table(peers: Sequence[Peer], web: str, topics: Sequence[LabTopic], options: argparse.Namespace) -> str:
    found = speeds_of(peers, web, topics[0], options)
    rows = [speed_row(name, speeds, found.get(LEADER, [])) for name, speeds in found.items()]
    rows.sort(key=lambda row: -float(row[2]) if row[2] != "no page" else 1.0)
    head = ["crawler", "pages", "pages/s", "CPU ms a page", "seconds in all"]
    beside = [f"{LEADER}: times its pages/s", "times less CPU a page"]
    return "\n".join(markdown_table([*head, *beside], rows))


def speed_row(name: str, speeds: Sequence[Speed | None], leader: Sequence[Speed | None]) -> list[str]:
    """Medians over the rounds; beside the leader round by round."""
    timed = [each for each in speeds if each is not None]
    if not timed:
        return [name, "0", "no page", "", "", "", ""]
    pairs = [(ours, each) for ours, each in zip(leader, speeds, strict=False) if ours is not None and each is not None]
    return [
        name,
        f"{median(each.pages for each in timed):.0f}",
        f"{median(each.a_second for each in timed):.1f}",
        f"{median(each.cpu for each in timed):.1f}",
        f"{median(each.seconds for each in timed):.1f}",
        f"{median(ours.a_second / each.a_second for ours, each in pairs):.2f}" if pairs else "",
        f"{median(each.cpu / ours.cpu for ours, each in pairs):.2f}" if pairs else "",
    ]


if __name__ == "__main__":
    sys.exit(main())
