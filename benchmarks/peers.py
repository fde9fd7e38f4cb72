"""Other crawlers that say they are focused, and this one: the same recorded web over HTTP, topics, words and budgets.

    ./run python benchmarks/peers.py                          twelve topics of schools-wikipedia, in ../shared/data
    ./run python benchmarks/peers.py --topics 3 --pages 300
    ./run python benchmarks/peers.py --only scenthound-auto,scrapy-keywords

Each peer is installed from the package index into an environment of its own, in --environments, and never into ours.
All are told the same: a page that links to the topic's start pages, the topic's keywords, and how many pages they may
take. What they found is counted here, from the URLs they say they took, in their order. Results: docs/peers.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from urllib.parse import urlsplit
from urllib.request import urlopen

from scenthound.lab.topics import LabTopic, load

PARTS = Path(__file__).parent / "peers_parts"
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WEB = "schools-wikipedia.warc.gz"
OURS = "scenthound"


@dataclass(frozen=True)
class Peer:
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


@dataclass
class Run:
    """What a crawler did on one topic."""

    urls: list[str] = field(default_factory=list)
    seconds: float = 0.0
    cpu: float = 0.0
    requests: int = 0
    trouble: str = ""


@dataclass(frozen=True)
class Figures:
    """Means over topics."""

    area: float
    recall: float
    pages: float
    requests: float
    speed: float  # pages a second
    cpu: float  # milliseconds a page


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the web and topics.jsonl")
    parser.add_argument("--topics", type=int, default=12, help="how many topics, the first ones")
    parser.add_argument("--pages", type=int, default=0, help="pages a crawl may take, in place of what the topic says")
    parser.add_argument("--only", default="", help="names of crawlers, with commas in between")
    parser.add_argument("--environments", type=Path, default=Path(tempfile.gettempdir()) / "scenthound-peers")
    parser.add_argument("--patience", type=float, default=1800.0, help="seconds that one crawl may take")
    options = parser.parse_args()
    if not (options.data / WEB).is_file():
        print(f"There is no {WEB} in {options.data}: nothing to measure. Name its folder with --data.")
        return 0
    chosen = [peer for peer in PEERS if not options.only or peer.name in options.only.split(",")]
    topics = [topic for topic in load(options.data / "topics.jsonl") if topic.web == WEB][: options.topics]
    results: dict[str, list[Run]] = {}
    for peer in chosen:
        python = environment(peer, options.environments)
        results[peer.name] = [race(peer, python, topic, options) for topic in topics]
        show(peer, results[peer.name], topics, options.pages)
    print(f"\n{table(results, topics, options.pages)}")
    return 0


def environment(peer: Peer, folder: Path) -> Path:
    """The Python that has the peer's package, installed where it is not there yet."""
    if peer.package == OURS:
        return Path(sys.executable)
    place = folder / peer.package.partition("=")[0].partition(">")[0]
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", peer.package], check=True)
    return python


def race(peer: Peer, python: Path, topic: LabTopic, options: argparse.Namespace) -> Run:
    with serving(options.data / WEB, topic.seeds) as port:
        task = {
            "start": f"http://127.0.0.1:{port}/start.html",
            "query": " ".join(keyword.term for keyword in topic.keywords),
            "pages": options.pages or topic.pages,
            "strategy": peer.strategy,
        }
        command = [str(python), str(PARTS / peer.program), json.dumps(task)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=options.patience)
            run = read_run(done.stdout, done.stderr)
        except subprocess.TimeoutExpired as error:
            said = error.stdout.decode() if isinstance(error.stdout, bytes) else error.stdout or ""
            run = read_run(said, f"took more than {options.patience:g} seconds")
        with urlopen(f"http://127.0.0.1:{port}/requests") as answer:
            run.requests = json.load(answer)
    return run


def read_run(said: str, complaint: str) -> Run:
    run, ended = Run(), False
    for line in said.splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            continue  # some print more than they were asked to
        if isinstance(told, dict) and "url" in told:
            run.urls.append(urlsplit(told["url"]).path)
        elif isinstance(told, dict) and "seconds" in told:
            run.seconds, run.cpu, ended = told["seconds"], told["cpu"], True
    if not ended:
        run.trouble = complaint.strip()[-300:] or "it ended without a word"
    return run


@contextmanager
def serving(warc: Path, seeds: Sequence[str]) -> Iterator[int]:
    command = [sys.executable, str(PARTS / "recorded_web.py"), str(warc), json.dumps(list(seeds))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.kill()


def recall_curve(run: Run, topic: LabTopic, pages: int) -> list[float]:
    """The share of targets taken after each page of the budget. Start page and repetitions are pages, too."""
    targets = {urlsplit(url).path for url in topic.scored_targets()}
    found: set[str] = set()
    curve = []
    for url in run.urls[:pages]:
        found |= {url} & targets
        curve.append(len(found) / len(targets))
    return curve + [curve[-1] if curve else 0.0] * (pages - len(curve))


def figures(runs: Sequence[Run], topics: Sequence[LabTopic], pages: int) -> Figures:
    curves = [recall_curve(run, topic, pages or topic.pages) for run, topic in zip(runs, topics, strict=True)]
    taken, seconds, cpu = (sum(values) for values in zip(*((len(r.urls), r.seconds, r.cpu) for r in runs), strict=True))
    return Figures(
        area=mean(mean(curve) for curve in curves),
        recall=mean(curve[-1] for curve in curves),
        pages=taken / len(runs),
        requests=mean(run.requests for run in runs),
        speed=taken / seconds if seconds else 0.0,
        cpu=1000 * cpu / taken if taken else 0.0,
    )


def show(peer: Peer, runs: Sequence[Run], topics: Sequence[LabTopic], pages: int) -> None:
    for run, topic in zip(runs, topics, strict=True):
        curve = recall_curve(run, topic, pages or topic.pages)
        line = f"{peer.name:22} {topic.name:24} area {mean(curve):.3f}  recall {curve[-1]:.3f}  {len(run.urls)} pages"
        print(f"{line}  {run.trouble}".rstrip(), flush=True)


def table(results: dict[str, list[Run]], topics: Sequence[LabTopic], pages: int) -> str:
    rows = {name: figures(runs, topics, pages) for name, runs in results.items()}
    lines = [
        "| crawler | recall area | recall at the end | pages | requests | pages/s | CPU ms a page |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, row in sorted(rows.items(), key=lambda item: -item[1].area):
        lines.append(
            f"| {name} | {row.area:.3f} | {row.recall:.3f} | {row.pages:.0f} | {row.requests:.0f} | {row.speed:.1f} | "
            f"{row.cpu:.1f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
