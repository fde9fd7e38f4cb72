"""What a strategy costs: CPU per page of learning, ranking, taking in and rescoring, with 100,000 links waiting.

    ./run python benchmarks/ranking.py                                    every strategy (half a minute)
    ./run python benchmarks/ranking.py --strategies apprentice,pagerank
    ./run python benchmarks/ranking.py --pages 600 --waiting 1000000

Pages are those of a generated web, two put together and ordinary English words mixed in, until they are like real ones:
about 430 different terms and 77 links. Half of them are on the topic; the half the judge likes better
counts as relevant. A page keeps the links it has and gets the others from a pool of twice as many URLs as wait: so half
of these are known already.

Each strategy gets a topic with ten examples and ten counterexamples, and a frontier of its own, all in memory; one that
learns ahead of the crawl also gets lessons, a few hundred pages of the same generated web with the links among them,
and learns from these before the clock starts. It reads 40 pages; then the frontier is filled with links of these, with
priorities and memories such as it gave. From there on every page is one the frontier hands out, as in a crawl, and the
steps of the engine are timed, each alone:

| column | what |
|---|---|
| learn | `strategy.learn` |
| rank | `strategy.rank` |
| put | `frontier.put` of what was ranked, with the strategy's rule for links found again |
| rescore | the best 1,000 waiting links, ranked anew and put in their places; divided by how many pages lie between |

Times are CPU times of the thread. Fetching, parsing, judging, scope and storing are left out: `throughput.py` has them.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random
from statistics import median
from time import perf_counter, thread_time
from typing import Any, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from msgspec.structs import replace

from scenthound import registry
from scenthound.config import Config, PolitenessSection, TopicSection
from scenthound.crawler.assemble import build
from scenthound.crawler.rescored_links import rescored
from scenthound.errors import ScenthoundError
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.lab.crawls.lessons import linked
from scenthound.lab.generated.web import GeneratedWeb
from scenthound.lab.report.tables import markdown_table
from scenthound.learn.graphs.hops import hops
from scenthound.learn.graphs.sequences import walks
from scenthound.model import Lessons, Link, MergeRule, Page, Ranked, Response, Visit, Waiting
from scenthound.parse.page import parse
from scenthound.protocols.crawl import Context
from scenthound.protocols.rescoring import rescore_interval
from scenthound.text import idf
from scenthound.text.background import background

LINKS, RARE_WORDS, EXAMPLES = 77, 200, 10
OPENING = 40
LESSONS, WAYS = 300, 1000
HOSTS = 2000
GOAL = 3.0  # ms


class Material(NamedTuple):
    """What all strategies get to read: pages with their relevance, what is known before, and URLs to come across."""

    pages: list[tuple[Page, float]]
    examples: tuple[Page, ...]
    counterexamples: tuple[Page, ...]
    pool: list[Link]
    lessons: Lessons
    config: Config

    @property
    def threshold(self) -> float:
        """The better half is relevant, so that what strategies do with either kind is measured."""
        return median(relevance for _, relevance in self.pages)

    def context(self) -> Context:
        """A new one each time: its chance is used up by whoever draws from it."""
        topic, weights = self.config.make_topic(), idf.background("en")
        return Context(topic, weights, Random(1), self.examples, self.counterexamples, lessons=self.lessons)


class Cost(NamedTuple):
    """Microseconds a page."""

    learn: float
    rank: float
    put: float
    rescore: float

    @property
    def total(self) -> float:
        """Milliseconds."""
        return sum(self) / 1000


# --- pages --------------------------------------------------------------------------------------------------------


class Printer:
    """Makes pages on and off one topic of a generated web."""

    def __init__(self, seed: int = 1) -> None:
        self.draw = Random(seed)
        self.web = GeneratedWeb(seed=seed, pages=3000)
        self.topic = self.web.topics()[0]
        numbers = range(len(self.web))
        self.on = [page for page in numbers if self.web.grade(page, 0)]
        self.off = [page for page in numbers if not self.web.grade(page, 0)]
        table = background("en")
        self.words = sorted(table.frequency) if table else []

    def page(self, relevant: bool) -> Page:
        first, second = self.draw.sample(self.on if relevant else self.off, 2)
        rare = self.draw.choices(self.words, k=RARE_WORDS)
        aside = "".join(f"<p>{' '.join(rare[start : start + 30])}.</p>" for start in range(0, RARE_WORDS, 30))
        html = self.web.renderer.html(first) + aside + self.web.renderer.html(second)
        header = (("Content-Type", "text/html; charset=utf-8"),)
        return parse(Response(self.web.url(first), 200, header, html.encode()), "en")

    def pages(self, count: int) -> list[Page]:
        """On the topic and off it, in turn."""
        return [self.page(number % 2 == 0) for number in range(count)]

    def lessons(self) -> Lessons:
        """Pages about the topic and around them, as they are in the web, with the ways that lead to the former."""
        chosen = Random(3).sample(self.on, min(len(self.on), LESSONS // 3))
        for _ in range(2):  # what leads there, and what leads to that
            reached = set(chosen)
            leading = [page for page in range(len(self.web)) if not reached.isdisjoint(self.web.links(page))]
            chosen += [page for page in leading if page not in reached][: LESSONS // 3]
        header = (("Content-Type", "text/html; charset=utf-8"),)
        answers = [
            Response(self.web.url(number), 200, header, self.web.renderer.html(number).encode()) for number in chosen
        ]
        pages = tuple(parse(answer, "en") for answer in answers)
        edges = linked(pages, {page.url: number for number, page in enumerate(pages)})
        states = hops(len(pages), edges, [place for place, number in enumerate(chosen) if self.web.grade(number, 0)])
        return Lessons(pages, edges, states, walks(edges, states, WAYS, random=Random(0)))

    def pool(self, pages: Sequence[Page], size: int) -> list[Link]:
        """Links with the words of the pages' own, and addresses of words: to as many places as asked for."""
        own = [link for page in pages for link in page.links]
        links = []
        for number in range(size):
            name = "-".join(self.draw.choices(self.words, k=3)).encode("ascii", "ignore").decode()
            address = f"http://www.site-{self.draw.randrange(HOSTS)}.test/{name}-{number}.html"
            links.append(replace(self.draw.choice(own), url=address))
        return links


def padded(page: Page, pool: Sequence[Link], draw: Random) -> Page:
    """The page with LINKS links, the missing ones drawn from the pool."""
    links = list(page.links[:LINKS])
    for link in draw.sample(pool, LINKS - len(links)):
        block = draw.randrange(max(len(page.blocks), 1))
        links.append(replace(link, source=page.url, block=block, position=len(links)))
    return replace(page, links=tuple(links))


def prepared(pages: int, waiting: int) -> Material:
    printer = Printer()
    examples = tuple(printer.page(True) for _ in range(EXAMPLES))
    counterexamples = tuple(printer.page(False) for _ in range(EXAMPLES))
    read = printer.pages(OPENING + pages)
    pool = printer.pool(read[:OPENING], 2 * waiting)
    config = Config(topic=TopicSection(name=printer.topic.name, keywords=list(printer.topic.keywords)))
    material = Material([], examples, counterexamples, pool, printer.lessons(), config)
    judge = build(registry.judge, config.crawl.judge, material.context())
    material.pages.extend((padded(page, pool, printer.draw), judge(page)) for page in read)
    return material


# --- measuring ----------------------------------------------------------------------------------------------------


class Trial:
    """One strategy over one frontier. Raises what the strategy raises when it cannot begin."""

    def __init__(self, name: str, material: Material, waiting: int) -> None:
        self.material, self.threshold = material, material.threshold
        self.strategy: Any = build(registry.strategy, name, material.context())
        self.learn = getattr(self.strategy, "learn", None)
        self.rescore = getattr(self.strategy, "rescore", None)
        self.every = rescore_interval(self.strategy, waiting)
        merge: MergeRule = getattr(self.strategy, "merge", "max")
        self.frontier = PoliteFrontier(None, PolitenessSection(delay=0.0, robots=False), merge=merge)
        self._fill(self._open(), waiting)

    def _open(self) -> list[Ranked]:
        """What the strategy says to the links of the first pages."""
        said: list[Ranked] = []
        for page, relevance in self.material.pages[:OPENING]:
            visit = self._visit(Link(url=page.url, kind="seed"), page, relevance)
            if self.learn:
                self.learn(visit)
            said += self.strategy.rank(visit)
        return said

    def _fill(self, said: Sequence[Ranked], waiting: int) -> None:
        draw, filler = Random(2), iter(self.material.pool)
        if getattr(self.strategy, "ranks_to_learn", False):
            self._fill_by_ranking(filler, waiting)
        while missing := waiting - len(self.frontier):
            as_before = draw.choices(said or [Ranked(self.material.pool[0], 0.0)], k=min(1000, missing))
            links = zip(islice(filler, len(as_before)), as_before, strict=True)
            self.frontier.put([Ranked(link, known.priority, known.memory) for link, known in links], 1)
        if self.rescore:
            self.frontier.best(1)  # what it keeps for this is made once, on the first question

    def _fill_by_ranking(self, filler: Iterator[Link], waiting: int) -> None:
        """For one that takes note of every link: each of those that wait was on a page it ranked."""
        for page, relevance in cycle(self.material.pages[:OPENING]):
            if len(self.frontier) >= waiting:
                return
            links = tuple(replace(old, url=new.url) for old, new in zip(page.links, filler, strict=False))
            visit = self._visit(Link(url=page.url, kind="seed"), replace(page, links=links), relevance)
            self.frontier.put(self.strategy.rank(visit)[: waiting - len(self.frontier)], 1)

    def measure(self, pages: int) -> Cost:
        learn = rank = put = rescore = 0.0
        times, now = 0, 0.0
        gc.collect()
        for number, (page, relevance) in enumerate(islice(cycle(self.material.pages[OPENING:]), pages)):
            now += 1.0
            (lease,) = self.frontier.take(1, now)
            self.frontier.done(lease, now)
            visit = self._visit(lease.link, page, relevance, lease)
            started = thread_time()
            if self.learn:
                self.learn(visit)
            learned = thread_time()
            ranked = self.strategy.rank(visit)
            judged = thread_time()
            self.frontier.put(ranked, visit.depth + 1)
            taken = thread_time()
            learn, rank, put = learn + learned - started, rank + judged - learned, put + taken - judged
            if self.rescore and number % self.every == 0:
                rescored(self.strategy, self.frontier)
                rescore += thread_time() - taken
                times += 1
        share = rescore / times / self.every if times else 0.0
        return Cost(1e6 * learn / pages, 1e6 * rank / pages, 1e6 * put / pages, 1e6 * share)

    def _visit(self, link: Link, page: Page, relevance: float, lease: Waiting | None = None) -> Visit:
        """The page as it would be had it been found behind this link."""
        links = tuple(replace(found, source=link.url) for found in page.links) if lease else page.links
        depth, memory = (lease.depth, lease.memory) if lease else (0, None)
        page = replace(page, url=link.url, links=links)
        return Visit(link, page, relevance, relevance >= self.threshold, depth, memory)


# --- the program --------------------------------------------------------------------------------------------------


def measured(names: Sequence[str], material: Material, waiting: int) -> tuple[dict[str, Cost], dict[str, str]]:
    """What each strategy costs; and why the others could not be built."""
    costs: dict[str, Cost] = {}
    unbuilt: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        print(f"{number}/{len(names)} {name} ...", end="", file=sys.stderr, flush=True)
        started = perf_counter()
        try:
            costs[name] = Trial(name, material, waiting).measure(len(material.pages) - OPENING)
        except ScenthoundError as error:
            unbuilt[name] = str(error)
        print(f" {perf_counter() - started:.1f} s", file=sys.stderr)
    return costs, unbuilt


def report(costs: dict[str, Cost], unbuilt: dict[str, str]) -> None:
    lines = [
        [name, *(f"{part:,.0f}" for part in cost), f"{cost.total:.2f}{' (over the goal)' if cost.total > GOAL else ''}"]
        for name, cost in sorted(costs.items(), key=lambda item: item[1].total)
    ]
    head = ["strategy", "learn, µs", "rank, µs", "put, µs", "rescore, µs", "ms a page"]
    print("\n".join(markdown_table(head, lines)) + "\n")
    for name, reason in unbuilt.items():
        print(f"{name} was not measured: {reason}")
    if costs:
        print(f"worst {max(cost.total for cost in costs.values()):.2f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategies", default="", help="names, with commas between; all where none is given")
    parser.add_argument("--pages", type=int, default=300, help="pages that are timed, for each strategy")
    parser.add_argument("--waiting", type=int, default=100_000, help="links in the frontier")
    options = parser.parse_args()
    if options.pages < 1 or options.waiting < 1000:
        parser.error("--pages must be at least 1, --waiting at least 1000")
    known = registry.strategy.names()
    names = [name.strip() for name in options.strategies.split(",") if name.strip()] or known
    if unknown := sorted(set(names) - set(known)):
        parser.error(f"no such strategy: {', '.join(unknown)}; there are {', '.join(known)}")
    print("Preparing pages ...", file=sys.stderr, flush=True)
    material = prepared(options.pages, options.waiting)
    gc.freeze()  # the material is no strategy's garbage
    terms = sum(len(page.terms) for page, _ in material.pages) / len(material.pages)
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores{load}")
    print(f"{options.pages} pages, {LINKS} links and {terms:.0f} terms each, {options.waiting:,} links waiting\n")
    costs, unbuilt = measured(names, material, options.waiting)
    report(costs, unbuilt)
    return 0


if __name__ == "__main__":
    sys.exit(main())
