"""Other crawlers that say they are focused, and this one: the same recorded web over HTTP, topics, words and budgets.

    ./run python benchmarks/peers.py                          twelve topics of schools-wikipedia, in ../shared/data
    ./run python benchmarks/peers.py --topics 3 --pages 300
    ./run python benchmarks/peers.py --only scenthound-auto,scrapy-keywords
    ./run python benchmarks/peers.py --minutes 5              some of it; the same command goes on with the rest

Each peer is installed from the package index into an environment of its own, in --environments, and never into ours.
All are told the same: a page that links to the topic's start pages, the topic's keywords, and how many pages they may
take. What they found is counted here, from the URLs they say they took, in their order.

Pages a second are those of the crawl itself, by the server's clock: from the first question to the last. CPU time is
that of all but starting (an interpreter, libraries, an empty library on the disk), which a crawl of one page tells.
Crawls are kept in --into, and made again only where the code or the package that made them is another. Results:
docs/peers.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import mean
from urllib.parse import urlsplit
from urllib.request import urlopen

import msgspec
from msgspec import Struct, field

from scenthound.lab.crawls.results import code_of, read_rows
from scenthound.lab.topics import LabTopic, load

PARTS = Path(__file__).parent / "peers_parts"
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WEB = "schools-wikipedia.warc.gz"
OURS = "scenthound"


STARTS = (
    3  # crawls of one page, of which the cheapest counts: it is what starting costs on a machine with nothing to do
)


class Peer(Struct, frozen=True):
    name: str
    program: str  # in peers_parts/
    package: str  # what is installed for it; ours is there
    strategy: str = ""


PEERS = (
    Peer("scenthound-auto", "scenthound_pages.py", OURS, "auto"),
    Peer("scenthound-best-first", "scenthound_pages.py", OURS, "best-first"),
    Peer("bytecrawl-shark", "bytecrawl_pages.py", "bytecrawl==1.4.*", "shark"),
    Peer("bytecrawl-opic", "bytecrawl_pages.py", "bytecrawl==1.4.*", "opic"),
    Peer("crawl4ai-best-first", "crawl4ai_pages.py", "crawl4ai==0.9.*", "best-first"),
    Peer("crawl4ai-adaptive", "crawl4ai_pages.py", "crawl4ai==0.9.*", "adaptive"),
    Peer("scrapy-keywords", "scrapy_keywords.py", "scrapy>=2.13"),
    Peer("pagesift", "pagesift_pages.py", "pagesift==0.80.*"),
)


class Run(Struct):
    """What a crawler did on one topic. `version`: of its package, and of our own code."""

    peer: str
    topic: str
    budget: int
    version: str
    urls: list[str] = field(default_factory=list)
    seconds: float = 0.0  # from the start of the program to its end
    asking: float = 0.0  # from the first question to the last
    cpu: float = 0.0
    requests: int = 0
    trouble: str = ""

    def key(self) -> tuple[str, str, int, str]:
        return self.peer, self.topic, self.budget, self.version


class Figures(Struct, frozen=True):
    """Means over topics."""

    area: float
    recall: float
    pages: float
    requests: float
    speed: float  # pages a second, from the first question to the last
    cpu: float  # milliseconds a page, all but the start
    seconds: float  # of a whole crawl


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the web and topics.jsonl")
    parser.add_argument("--topics", type=int, default=12, help="how many topics, the first ones")
    parser.add_argument("--pages", type=int, default=0, help="pages a crawl may take, in place of what the topic says")
    parser.add_argument("--only", default="", help="names of crawlers, with commas in between")
    parser.add_argument("--without", default="", help="names of crawlers that are left out")
    parser.add_argument("--environments", type=Path, default=Path(tempfile.gettempdir()) / "scenthound-peers")
    parser.add_argument("--patience", type=float, default=1800.0, help="seconds that one crawl may take")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no crawl after these; 0 = make all")
    parser.add_argument("--no-speed", action="store_true", help="leave out what depends on how busy the machine was")
    parser.add_argument("--into", type=Path, default=Path("lab/peers.jsonl"), help="where crawls are kept")
    options = parser.parse_args()
    if not (options.data / WEB).is_file():
        print(f"There is no {WEB} in {options.data}: nothing to measure. Name its folder with --data.")
        return 0
    chosen = [peer for peer in PEERS if not options.only or peer.name in options.only.split(",")]
    chosen = [peer for peer in chosen if peer.name not in options.without.split(",")]
    topics = [topic for topic in load(options.data / "topics.jsonl") if topic.web == WEB][: options.topics]
    kept = KeptRuns(options)
    for peer in chosen:
        kept.crawl(peer, topics)
    if kept.left:
        print(f"{kept.left} crawls are left: the same command goes on with them.")
        return 1
    print(f"\n{table(kept, chosen, topics)}")
    return 0


class KeptRuns:
    """Crawls that were made, a line each in a file, and those that are made now."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.runs = {run.key(): run for run in read_rows(options.into, Run)} if options.into.is_file() else {}
        self.left = 0
        self.last = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")

    def crawl(self, peer: Peer, topics: Sequence[LabTopic]) -> None:
        """What is not kept of a peer: a few crawls of one page, and one of each topic."""
        python = environment(peer, self.options.environments)
        version = version_of(peer, python)
        first = topics[0]
        for run in starts_of(peer, version, first) + self.of(peer, topics, version):
            if run.key() in self.runs:
                continue
            if time.monotonic() > self.last:
                self.left += 1
                continue
            topic = next((topic for topic in topics if topic.name == run.topic), first)
            race(peer, python, topic, run, self.options)
            self.keep(run)
            if run.budget > 1:
                print(line(run, topic), flush=True)

    def of(self, peer: Peer, topics: Iterable[LabTopic], version: str) -> list[Run]:
        return [Run(peer.name, topic.name, self.options.pages or topic.pages, version) for topic in topics]

    def keep(self, run: Run) -> None:
        self.runs[run.key()] = run
        self.options.into.parent.mkdir(parents=True, exist_ok=True)
        with self.options.into.open("ab") as file:
            file.write(msgspec.json.encode(run) + b"\n")


def starts_of(peer: Peer, version: str, topic: LabTopic) -> list[Run]:
    return [Run(peer.name, f"{topic.name}, start {number}", 1, version) for number in range(STARTS)]


def version_of(peer: Peer, python: Path) -> str:
    """What a crawl depends on: our own code, or the release that was installed."""
    if peer.package == OURS:
        return code_of(peer.strategy, "auto")
    name = package_of(peer)
    asked = f"from importlib.metadata import version; print(version({name!r}))"
    return subprocess.run([str(python), "-c", asked], capture_output=True, text=True, check=True).stdout.strip()


def package_of(peer: Peer) -> str:
    return peer.package.partition("=")[0].partition(">")[0]


def environment(peer: Peer, folder: Path) -> Path:
    """The Python that has the peer's package, installed where it is not there yet."""
    if peer.package == OURS:
        return Path(sys.executable)
    place = folder / package_of(peer)
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", peer.package], check=True)
    return python


def race(peer: Peer, python: Path, topic: LabTopic, run: Run, options: argparse.Namespace) -> None:
    with serving(options.data / WEB, topic.seeds) as port:
        task = {
            "start": f"http://127.0.0.1:{port}/start.html",
            "query": " ".join(keyword.term for keyword in topic.keywords),
            "pages": run.budget,
            "strategy": peer.strategy,
        }
        command = [str(python), str(PARTS / peer.program), json.dumps(task)]
        started = time.perf_counter()
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=options.patience, env=compiled(options)
            )
            said, complaint = done.stdout, done.stderr
        except subprocess.TimeoutExpired as error:
            said = error.stdout.decode() if isinstance(error.stdout, bytes) else error.stdout or ""
            complaint = f"took more than {options.patience:g} seconds"
        run.seconds = time.perf_counter() - started
        read_run(run, said, complaint)
        with urlopen(f"http://127.0.0.1:{port}/requests") as answer:
            told = json.load(answer)
            run.requests, run.asking = told["requests"], told["seconds"]


def compiled(options: argparse.Namespace) -> dict[str, str]:
    """Where an environment keeps Python from writing its bytecode, a checkout would be compiled at every start."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(options.environments / "bytecode")}


def read_run(run: Run, said: str, complaint: str) -> None:
    ended = False
    for each in said.splitlines():
        try:
            told = json.loads(each)
        except ValueError:
            continue  # some print more than they were asked to
        if isinstance(told, dict) and "url" in told:
            run.urls.append(urlsplit(told["url"]).path)
        elif isinstance(told, dict) and "cpu" in told:
            run.cpu, ended = told["cpu"], True
    if not ended:
        run.trouble = complaint.strip()[-300:] or "it ended without a word"


@contextmanager
def serving(warc: Path, seeds: Sequence[str]) -> Iterator[int]:
    command = [sys.executable, str(PARTS / "recorded_web.py"), str(warc), json.dumps(list(seeds))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.kill()


def recall_curve(run: Run, topic: LabTopic) -> list[float]:
    """The share of targets taken after each page of the budget. Start page and repetitions are pages, too."""
    targets = {urlsplit(url).path for url in topic.scored_targets()}
    found: set[str] = set()
    curve = []
    for url in run.urls[: run.budget]:
        found |= {url} & targets
        curve.append(len(found) / len(targets))
    return curve + [curve[-1] if curve else 0.0] * (run.budget - len(curve))


def figures(runs: Sequence[Run], starts: Sequence[Run], topics: Sequence[LabTopic]) -> Figures:
    curves = [recall_curve(run, topic) for run, topic in zip(runs, topics, strict=True)]
    taken = sum(len(run.urls) - 1 for run in runs)
    asking = sum(run.asking for run in runs)
    cpu = sum(run.cpu for run in runs) - len(runs) * min(run.cpu for run in starts)
    return Figures(
        area=mean(mean(curve) for curve in curves),
        recall=mean(curve[-1] for curve in curves),
        pages=mean(len(run.urls) for run in runs),
        requests=mean(run.requests for run in runs),
        speed=taken / asking if asking else 0.0,
        cpu=1000 * cpu / taken if taken > 0 else 0.0,
        seconds=mean(run.seconds for run in runs),
    )


def line(run: Run, topic: LabTopic) -> str:
    curve = recall_curve(run, topic)
    told = f"{run.peer:22} {topic.name:24} area {mean(curve):.3f}  recall {curve[-1]:.3f}  {len(run.urls)} pages"
    return f"{told}  {run.seconds:.1f} s  {run.trouble}".rstrip()


def table(kept: KeptRuns, peers: Sequence[Peer], topics: Sequence[LabTopic]) -> str:
    rows = {}
    for peer in peers:
        version = version_of(peer, environment(peer, kept.options.environments))
        runs = [kept.runs[run.key()] for run in kept.of(peer, topics, version)]
        starts = [kept.runs[run.key()] for run in starts_of(peer, version, topics[0])]
        rows[peer.name] = figures(runs, starts, topics)
    columns = ["crawler", "recall area", "recall at the end", "pages", "requests"]
    columns += [] if kept.options.no_speed else ["pages/s", "CPU ms a page", "seconds in all"]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for name, row in sorted(rows.items(), key=lambda item: -item[1].area):
        cells = [name, f"{row.area:.3f}", f"{row.recall:.3f}", f"{row.pages:.0f}", f"{row.requests:.0f}"]
        cells += [] if kept.options.no_speed else [f"{row.speed:.1f}", f"{row.cpu:.1f}", f"{row.seconds:.1f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
