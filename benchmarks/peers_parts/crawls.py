"""The crawlers that are compared, and one crawl of one of them: a program of its own that asks a server of its own.

Each peer is installed from the package index into an environment of its own and never into ours. Processor time is
that of the crawler and of all it starts, told by the system, so that a crawl which is ended has one as well.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

from msgspec import Struct, field

import scenthound.judges.auto
import scenthound.strategies.auto  # noqa: F401  both are found by name otherwise, and a result's digest goes by imports
from peers_parts.recorded_web import ManyHosts, OneHost
from scenthound.lab.crawls.results import code_of
from scenthound.lab.topics import LabTopic

PARTS = Path(__file__).parent
ASKED_BY_ALL = ("race.py", "recorded_web.py")
OURS = "scenthound"
ONE_HOST = "schools-wikipedia"
"""The web that is served as it is; of all others each host has an address of its own."""


class Peer(Struct, frozen=True):
    name: str
    program: str  # in peers_parts/
    package: str  # what is installed for it; ours is there
    strategy: str = ""
    named: bool = False  # it takes several start pages, and is given them; the others get a page that links to them
    connections: int = 0  # requests at a time to a host; 0: as it comes

    @property
    def installed(self) -> str:
        return self.package.partition("=")[0].partition(">")[0]


PEERS = (
    Peer("scenthound-auto", "scenthound_pages.py", OURS, "auto"),
    Peer("scenthound-auto-seeds", "scenthound_pages.py", OURS, "auto", named=True),
    Peer("scenthound-best-first", "scenthound_pages.py", OURS, "best-first"),
    Peer("scrapy-keywords", "scrapy_keywords.py", "scrapy>=2.13"),
    Peer("scrapy-keywords-seeds", "scrapy_keywords.py", "scrapy>=2.13", named=True),
    Peer("bytecrawl-shark", "bytecrawl_pages.py", "bytecrawl==1.4.*", "shark"),
    Peer("bytecrawl-opic", "bytecrawl_pages.py", "bytecrawl==1.4.*", "opic"),
    Peer("crawl4ai-best-first", "crawl4ai_pages.py", "crawl4ai==0.9.*", "best-first"),
    Peer("crawl4ai-adaptive", "crawl4ai_pages.py", "crawl4ai==0.9.*", "adaptive"),
    Peer("pagesift", "pagesift_pages.py", "pagesift==0.80.*"),
)

RACERS = (
    Peer("scenthound-auto-8", "scenthound_pages.py", OURS, "auto", connections=8),
    Peer("scrapy-keywords-1", "scrapy_keywords.py", "scrapy>=2.13", connections=1),
    *PEERS,
)
"""Who takes part where speed is measured: ours and Scrapy also as polite as the other is."""


class Run(Struct):
    """What a crawler did on one topic. `version`: see `version_of`."""

    peer: str
    web: str
    topic: str
    budget: int
    version: str
    urls: list[str] = field(default_factory=list)  # as recorded, in the order in which they were taken
    asking: float = 0.0  # seconds from the first question to the last
    cpu: float = 0.0
    seconds: float = 0.0  # from its start to its end, whatever it does before the first question and after the last
    requests: int = 0
    ended: str = ""  # why the crawl was not let come to its end
    trouble: str = ""  # what the crawler said that could not go on

    def key(self) -> tuple[str, str, str, int, str]:
        return self.peer, self.web, self.topic, self.budget, self.version


class Limits(Struct, frozen=True):
    """When a crawl is ended; what it took until then counts."""

    cpu: int
    seconds: float


def environment(peer: Peer, folder: Path) -> Path:
    """The Python that has the peer's package, installed where it is not there yet."""
    if peer.package == OURS:
        return Path(sys.executable)
    place = folder / peer.installed
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", peer.package], check=True)
    return python


def version_of(peer: Peer, python: Path) -> str:
    """What a crawl depends on: the package, or our code; the program here that runs it; the server it asks."""
    if peer.package == OURS:
        return f"{code_of(peer.strategy, 'auto')} {digest_of(peer.program, *ASKED_BY_ALL)}"
    asked = f"from importlib.metadata import version; print(version({peer.installed!r}))"
    told = subprocess.run([str(python), "-c", asked], capture_output=True, text=True, check=True).stdout.strip()
    return f"{told} {digest_of(peer.program, *ASKED_BY_ALL)}"


def digest_of(*programs: str) -> str:
    return hashlib.sha256(b"".join((PARTS / name).read_bytes() for name in programs)).hexdigest()[:8]


def places_of(web: str, topic: LabTopic) -> OneHost | ManyHosts:
    return OneHost(topic.seeds) if web == ONE_HOST else ManyHosts(topic.scope)


def race(peer: Peer, python: Path, warc: Path, topic: LabTopic, run: Run, limits: Limits, bytecode: Path) -> None:
    """One crawl, of which `run` says afterwards what came of it."""
    with serving(warc, run.web, topic) as port:
        origin = f"http://127.0.0.1:{port}"
        task = {
            "start": f"{origin}/start.html",  # of who takes one
            "seeds": starts_at(origin) if peer.named else [f"{origin}/start.html"],  # of who takes several
            "query": " ".join(keyword.term for keyword in topic.keywords),
            "pages": run.budget,
            "strategy": peer.strategy,
            "connections": peer.connections,
        }
        command = [str(python), str(PARTS / peer.program), json.dumps(task)]
        before, began = processor_time(), time.perf_counter()
        said, complaint, run.ended = output_of(command, limits, bytecode)
        run.cpu, run.seconds = processor_time() - before, time.perf_counter() - began
        read_run(run, topic, said, complaint)
        with urlopen(f"http://127.0.0.1:{port}/requests") as answer:
            told = json.load(answer)
            run.requests, run.asking = told["requests"], told["seconds"]


def starts_at(origin: str) -> list[str]:
    """Where the server has the topic's start pages."""
    with urlopen(f"{origin}/seeds") as answer:
        return [urljoin(origin, place) for place in json.load(answer)]


def output_of(command: list[str], limits: Limits, bytecode: Path) -> tuple[str, str, str]:
    """What a crawler printed, what it complained of, and why it was ended, if it was."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu, limits.cpu))

    # Where an environment keeps Python from writing its bytecode, a checkout would be compiled at every start.
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    kept["PYTHONPYCACHEPREFIX"] = str(bytecode)
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=limits.seconds,
            env=kept,
            preexec_fn=limited if limits.cpu else None,
        )
    except subprocess.TimeoutExpired as error:
        said = error.stdout.decode() if isinstance(error.stdout, bytes) else error.stdout or ""
        return said, "", f"ended after {limits.seconds:g} s"
    killed = limits.cpu and done.returncode < 0
    return done.stdout, done.stderr, f"ended after {limits.cpu} s of processor time" if killed else ""


def processor_time() -> float:
    """Of all programs started here that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def read_run(run: Run, topic: LabTopic, said: str, complaint: str) -> None:
    places, ended = places_of(run.web, topic), False
    for each in said.splitlines():
        try:
            told = json.loads(each)
        except ValueError:
            continue  # some print more than they were asked to
        if isinstance(told, dict) and "url" in told:
            parts = urlsplit(told["url"])
            run.urls.append(places.url(f"{parts.path}{'?' if parts.query else ''}{parts.query}"))
        elif isinstance(told, dict) and "finished" in told:
            ended = True
    if not ended and not run.ended:
        run.trouble = complaint.strip()[-300:] or "it ended without a word"


@contextmanager
def serving(warc: Path, web: str, topic: LabTopic) -> Iterator[int]:
    asked = {"starts": list(topic.seeds), "scope": list(topic.scope), "hosts": web != ONE_HOST}
    command = [sys.executable, str(PARTS / "recorded_web.py"), str(warc), json.dumps(asked)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.kill()
