"""When does `--until recall=0.9` stop, and is it right? Crawls of recorded webs to their end, judged at every look.

    ./run python benchmarks/stopping.py --web webkb --seed-sets 20            auto on all topics of the web
    ./run python benchmarks/stopping.py --web apache --strategy best-first --topics faq-a,team-a --seed-sets 1
    ./run python benchmarks/stopping.py --web webkb --recheck                 a crawl a topic, of those of older code

A crawl goes on to the end of the web, or to --pages, so that it is known what there was to be found. At every look the
estimate is noted, for several confidences at once: where it would have stopped, whether the interval held the truth.
The first seed set of a topic is its own; the others are pages of its scope drawn at random from which as many targets
can be reached. The oracle crawls from the same seeds. A line a crawl goes to --into, and a crawl that is there is not
made again unless its code has changed; the tables are printed as Markdown. As a whole run takes hours and code changes
every day, `--recheck` makes one crawl a topic again: where each is as it was, look by look, the others stand, too. Ends
with 0, saying so, where the webs are absent.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from msgspec import Struct
from msgspec.structs import replace

import scenthound.judges.auto
import scenthound.strategies.auto  # noqa: F401  both are found by name otherwise, and a result's digest goes by imports
from scenthound import urls
from scenthound.config import Config
from scenthound.crawler import assemble
from scenthound.crawler.coverage.coverage_watch import CoverageWatch
from scenthound.crawler.coverage.recall_estimate import CrawlFigures, RecallEstimate, estimate_recall
from scenthound.crawler.coverage.stop_rules import StopRules
from scenthound.lab.code_digest import code_digest
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls import results
from scenthound.lab.crawls.experiment import Cell, Experiment, StrategyEntry
from scenthound.lab.crawls.lab_crawl import LabFetcher, standing_still
from scenthound.lab.crawls.oracle import NAME as ORACLE
from scenthound.lab.crawls.runner import CellRunner
from scenthound.lab.topics import LabTopic
from scenthound.library import memory_library
from scenthound.model import Step

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CONFIDENCES = (0.5, 0.8, 0.95)
RECALL = 0.9
JUDGE = "auto"
NEVER = StopRules(recall=2.0)
"""Links are drawn and estimates made, and no estimate is ever enough."""

APART = (*results.STORING, "crawler/coverage/recall_estimate.py", "crawler/coverage/missing_quantiles.py")
"""Code that these crawls do not depend on: where nothing is stored, and what is estimated afterwards."""

TRIES = 200
"""Seed sets that are drawn at random until one leads to enough targets."""


class Look(Struct, frozen=True):
    """What was known at one moment, and what had been found by then. What is thought of it is worked out when a table
    is made: another form of the estimate needs no crawls."""

    figures: CrawlFigures
    targets: int

    @property
    def pages(self) -> int:
        return self.figures.pages

    @property
    def found(self) -> int:
        """That the judge calls relevant."""
        return self.figures.found

    def estimate(self, confidence: float) -> RecallEstimate:
        return estimate_recall(self.figures, confidence)


class StoppedCrawl(Struct, frozen=True):
    """One crawl, to its end."""

    web: str
    topic: str
    strategy: str
    seed_set: int
    code: str  # digest of what made it
    ending: str
    pages: int
    found: int
    targets: int
    pages_to_found: int  # until so large a share of what it found by its end was found
    pages_to_targets: int
    oracle_pages: int  # the oracle's, from the same seeds, until it had that share of the targets
    budget: int  # of the topic
    targets_at_budget: int
    targets_without_draws: int  # at the budget, by a crawl that draws nothing
    looks: list[Look]


class Trail:
    """What came, page by page."""

    def __init__(self, targets: frozenset[str]) -> None:
        self.targets = targets
        self.found: list[bool] = []
        self.hits: list[bool] = []

    def __call__(self, step: Step) -> None:
        if step.visit is not None:
            self.found.append(step.visit.relevant and not step.duplicate_of)
            self.hits.append(step.lease.link.url in self.targets)


def crawl(runner: CellRunner, cell: Cell, settings: Config, looks: list[Look] | None) -> tuple[Trail, str]:
    """A crawl as the lab makes it. `looks` takes what is thought on the way, where the settings have links drawn."""
    context = runner._context(cell, settings)
    context = replace(context, judge=assemble.crawl_judge(settings, context))
    parts = assemble.page_crawl_parts(settings, context, runner._strategy(cell, settings, context))
    trail = Trail(cell.topic.scored_targets())

    async def run() -> str:
        async with assemble.assembled(
            settings,
            memory_library(texts=False, answers=False),
            fetcher=LabFetcher(runner.web.answer),
            clock=standing_still,
            observers=[trail],
            parts=replace(parts, parse=runner.crawler.parse),
        ) as made:
            watch = made.coverage
            if watch is not None and looks is not None:
                watch.rules = NEVER

                def note(estimate: RecallEstimate) -> None:
                    looks.append(Look(watch.figures(), sum(trail.hits)))

                watch.on_estimate = note
            return await made.run()

    return trail, asyncio.run(run())


def measured(runner: CellRunner, topic: LabTopic, strategy: StrategyEntry, seed_set: int, cap: int) -> StoppedCrawl:
    cell = Cell(strategy, topic, seed_set + 1)
    settings = plans.settings(runner.experiment, cell)
    looks: list[Look] = []
    drawing = replace(settings, crawl=replace(settings.crawl, pages=cap, until=["recall=0.9"]))
    trail, ending = crawl(runner, cell, drawing, looks)
    if not trail.found:
        sys.exit(f"{topic.name}: not one page came from {list(topic.seeds)}. The benchmark is broken.")
    plain, _ = crawl(runner, cell, settings, None)
    oracle = Cell(StrategyEntry(ORACLE), topic, 1)
    cheap = replace(settings, crawl=replace(settings.crawl, strategy="best-first", judge="keywords", pages=cap))
    best, _ = crawl(runner, oracle, cheap, None)
    return StoppedCrawl(
        web=runner.name,
        topic=topic.name,
        strategy=strategy.label,
        seed_set=seed_set,
        code=_code(strategy),
        ending=ending,
        pages=len(trail.found),
        found=sum(trail.found),
        targets=sum(trail.hits),
        pages_to_found=_pages_to(trail.found, sum(trail.found)),
        pages_to_targets=_pages_to(trail.hits, sum(trail.hits)),
        oracle_pages=_pages_to(best.hits, sum(trail.hits)),
        budget=topic.pages,
        targets_at_budget=sum(trail.hits[: topic.pages]),
        targets_without_draws=sum(plain.hits),
        looks=looks,
    )


def _code(strategy: StrategyEntry) -> str:
    """Of what makes a crawl and its figures; what is estimated from these is not kept."""
    return f"{results.code_of(strategy.name, JUDGE)} {code_digest([CoverageWatch.__module__], APART)}"


def _pages_to(hits: Sequence[bool], whole: int) -> int:
    """How many pages it takes to the wanted share of them; 0: it is never reached."""
    count = 0
    for number, hit in enumerate(hits, start=1):
        count += hit
        if whole and count >= RECALL * whole:
            return number
    return 0


def recheck(runner: CellRunner, strategy: StrategyEntry, given: argparse.Namespace) -> int:
    """Crawls of older code stand if one a topic comes out the same. 1 where one does not; nothing is changed then."""
    kept, code = list(_kept(given.into)), _code(strategy)
    topics = {topic.name: topic for topic in plans.topics_of(runner.experiment)}
    ours = [each for each in kept if (each.web, each.strategy) == (runner.name, strategy.label)]
    samples = {each.topic: each for each in ours if each.topic in topics and each.code != code}
    other = []
    for old in samples.values():
        topic = with_seeds(runner, topics[old.topic], old.seed_set)
        now = measured(runner, topic, strategy, old.seed_set, given.pages)
        print(f"{old.topic} {old.seed_set}: {now.pages} pages", file=sys.stderr, flush=True)
        if replace(now, code=old.code) != old:
            other.append(old.topic)
    if other:
        print(f"{runner.name}: nothing stands, for these are not as they were: {', '.join(other)}")
        return 1
    made_by = {(each.topic, each.code) for each in samples.values()}
    standing = {id(each) for each in ours if (each.topic, each.code) in made_by}
    lines = [replace(each, code=code) if id(each) in standing else each for each in kept]
    aside = given.into.with_suffix(".new")
    aside.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in lines))
    aside.replace(given.into)
    print(f"{runner.name}: {len(standing)} crawls stand, as {len(samples)} of them came out the same")
    return 0


# Seeds


def with_seeds(runner: CellRunner, topic: LabTopic, seed_set: int) -> LabTopic:
    """The topic from other seeds: as many pages of its scope that are no targets, drawn at random; of a topic that
    starts on several hosts one page of each."""
    if seed_set == 0:
        return topic
    graph = Reach(runner, topic)
    targets = topic.scored_targets()
    enough = RECALL * len(targets & graph.reached(topic.seeds))
    pages = [url for url in graph.pages if url not in targets]
    chance = Random(f"{topic.name} {seed_set}")
    hosts = sorted({urls.host(seed) for seed in topic.seeds})
    of_each = [[url for url in pages if urls.host(url) == host] for host in hosts] if len(hosts) > 1 else []
    for _ in range(TRIES):
        seeds = [chance.choice(group) for group in of_each if group]
        seeds = seeds or chance.sample(pages, min(len(topic.seeds), len(pages)))
        if len(targets & graph.reached(seeds)) >= enough:
            return replace(topic, seeds=tuple(seeds))
    sys.exit(f"{topic.name}: no other seeds lead to as many targets.")


class Reach:
    """Who can be reached from whom, within a topic's scope."""

    def __init__(self, runner: CellRunner, topic: LabTopic) -> None:
        domains = tuple(topic.scope)
        known = runner.statistics
        self.pages = [url for url in known.pages if _within(urls.host(url), domains)]
        inside = set(self.pages)
        self._links: dict[str, list[str]] = {}
        for source, target in zip(known.sources.tolist(), known.targets.tolist(), strict=True):
            if known.pages[source] in inside and known.pages[target] in inside:
                self._links.setdefault(known.pages[source], []).append(known.pages[target])

    def reached(self, seeds: Sequence[str]) -> set[str]:
        found, open_ = set(seeds), list(seeds)
        while open_:
            for target in self._links.get(open_.pop(), ()):
                if target not in found:
                    found.add(target)
                    open_.append(target)
        return found


def _within(host: str, domains: Sequence[str]) -> bool:
    return not domains or any(host == domain or host.endswith(f".{domain}") for domain in domains)


# Tables


Stops = list[tuple[StoppedCrawl, Look]]
"""Crawls that ended early, each with the look at which it did."""


class Estimates:
    """What was thought at every look of some crawls, so sure."""

    def __init__(self, crawls: Sequence[StoppedCrawl], confidence: float) -> None:
        self._looks = [[(look, look.estimate(confidence)) for look in done.looks] for done in crawls]
        self._crawls = crawls

    def stops(self) -> Stops:
        """Each crawl's first look at which it would have ended."""
        firsts = (next((look for look, said in looks if said.at_least >= RECALL), None) for looks in self._looks)
        return [(done, look) for done, look in zip(self._crawls, firsts, strict=True) if look is not None]

    def held(self) -> list[bool]:
        """Whether the interval held what was missing, of all looks that said anything."""
        return [
            said.fewest <= done.found - look.found <= said.most
            for done, looks in zip(self._crawls, self._looks, strict=True)
            for look, said in looks
            if not said.unknown
        ]


def table(crawls: Sequence[StoppedCrawl]) -> Iterator[str]:
    thought = {confidence: Estimates(crawls, confidence) for confidence in CONFIDENCES}
    stopped = {confidence: each.stops() for confidence, each in thought.items()}
    yield "| confidence | stopped before the end | recall >= 0.9 there, by the judge | by the targets | interval held |"
    yield "|---|---:|---:|---:|---:|"
    for confidence, stops in stopped.items():
        right = [look.found >= RECALL * done.found for done, look in stops]
        true = [look.targets >= RECALL * done.targets for done, look in stops if done.targets]
        early, held = f"{len(stops)} of {len(crawls)}", thought[confidence].held()
        yield f"| {confidence} | {early} | {_share(right)} | {_share(true)} | {_share(held)} |"
    yield ""
    yield "| confidence | pages at the stop / the oracle's to 0.9 of the targets | / own to 0.9 found | / all pages |"
    yield "|---|---:|---:|---:|"
    for confidence, stops in stopped.items():
        by_oracle = [look.pages / done.oracle_pages for done, look in stops if done.oracle_pages]
        by_own = [look.pages / done.pages_to_found for done, look in stops if done.pages_to_found]
        by_all = [look.pages / done.pages for done, look in stops]
        yield f"| {confidence} | {_median(by_oracle)} | {_median(by_own)} | {_median(by_all)} |"
    yield ""
    own = [done.pages_to_targets / done.oracle_pages for done in crawls if done.oracle_pages and done.pages_to_targets]
    unknown = [bool(look.estimate(RECALL).unknown) for done in crawls for look in done.looks]
    with_draws, without = sum(c.targets_at_budget for c in crawls), sum(c.targets_without_draws for c in crawls)
    yield f"- Pages until 0.9 of the targets, strategy / oracle: {_median(own)} (median)"
    yield f"- Looks at which nothing could be said: {_share(unknown)} of {len(unknown)}"
    yield f"- What drawing costs: {with_draws} targets at the topics' budgets with draws, {without} without"


def _share(values: Sequence[bool]) -> str:
    return f"{sum(values) / len(values):.2f}" if values else "-"


def _median(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.1f}" if values else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", default="webkb", help="webkb, schools-wikipedia or apache")
    parser.add_argument("--strategy", default="auto")
    parser.add_argument("--topics", default="", help="names, with commas; all where not said")
    parser.add_argument("--seed-sets", type=int, default=20)
    parser.add_argument("--pages", type=int, default=6000, help="where a crawl ends at the latest")
    parser.add_argument("--into", type=Path, default=Path("lab/stopping.jsonl"))
    parser.add_argument(
        "--recheck", action="store_true", help="repeat a crawl a topic of what was made with other code"
    )
    given = parser.parse_args()
    web = DATA / f"{given.web}.warc.gz"
    if not web.is_file():
        print(f"There is no {web}: nothing is measured.")
        return
    topics = DATA / ("topics-apache.jsonl" if given.web == "apache" else "topics.jsonl")
    plan = Experiment(
        web=[str(web)],
        topics=str(topics),
        strategies=[given.strategy],
        bounds=False,
        only=[name for name in given.topics.split(",") if name],
    )
    runner, strategy = CellRunner(plan), plans.strategy_entry(given.strategy)
    if given.recheck:
        sys.exit(recheck(runner, strategy, given))
    done = [each for each in _kept(given.into) if each.code == _code(strategy)]
    wanted = [(topic, seed_set) for seed_set in range(given.seed_sets) for topic in plans.topics_of(plan)]
    there = {(each.web, each.topic, each.strategy, each.seed_set) for each in done}
    for topic, seed_set in wanted:
        if (runner.name, topic.name, strategy.label, seed_set) in there:
            continue
        done.append(row := measured(runner, with_seeds(runner, topic, seed_set), strategy, seed_set, given.pages))
        print(f"{row.topic} {row.seed_set}: {row.pages} pages, {row.found} relevant", file=sys.stderr, flush=True)
        given.into.parent.mkdir(parents=True, exist_ok=True)
        with given.into.open("ab") as file:
            file.write(msgspec.json.encode(row) + b"\n")
    names = {(topic.name, seed_set) for topic, seed_set in wanted}
    chosen = [
        each
        for each in done
        if each.web == runner.name and each.strategy == strategy.label and (each.topic, each.seed_set) in names
    ]
    print("\n".join(table(chosen)))


def _kept(path: Path) -> Iterator[StoppedCrawl]:
    """Lines as they were written before looks had figures are passed over: those crawls are made again."""
    if path.is_file():
        for line in path.read_bytes().splitlines():
            with suppress(msgspec.ValidationError):
                yield msgspec.json.decode(line, type=StoppedCrawl)


if __name__ == "__main__":
    main()
