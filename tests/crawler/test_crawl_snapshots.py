"""A crawl that was stopped goes on as if nobody had stopped it, whatever its strategy and judge have learned.

Each is crawled in one go; and again, stopped by its budget, taken up, killed between two snapshots, taken up. The
pages, their order, what the judge said of them and the links that wait must be the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from scenthound import registry
from scenthound.config import Config, from_dict
from scenthound.crawler import assemble, crawl_snapshots
from scenthound.crawler.assemble import assembled
from scenthound.crawler.budget import Budget
from scenthound.crawler.crawl_judgements import CrawlJudgements
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.crawl_snapshots import CrawlSnapshots
from scenthound.lab.generated.web import GeneratedFetcher, GeneratedWeb
from scenthound.learn.model_file import FOLDER, path_of, save
from scenthound.library import memory_library, open_library
from scenthound.model import Failed, Label, Link, Ranked, Response, Visit
from scenthound.protocols.crawl import Learns, Trains
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library
from scenthound.protocols.snapshots import Snapshot
from scenthound.scope.scope import Scope
from tests.conformance import strategies as suite
from tests.library.steps import entry, fetched

WEB = GeneratedWeb(seed=2, pages=600, hosts=8, topics=3)
TOPIC = WEB.topics()[1]
PAGES = 60
PLAIN = {
    "politeness": {"delay": 0, "robots": False},
    "fetch": {"retries": 0, "backoff": 0.001},
}


class CalmFetcher(GeneratedFetcher):
    """No host is slow or asks to be left alone: a crawl that is stopped does not have to wait, and so asks others."""

    def answer(self, link: Link) -> Response | Failed:
        answer = super().answer(link)
        if isinstance(answer, Failed):
            return replace(answer, elapsed=0.0, retry=False, retry_after=0.0, status=min(answer.status, 500))
        return replace(answer, elapsed=0.0)


class Killed(Exception):
    pass


def settings(folder: Path, **crawl: Any) -> Config:
    """With two example pages, for those who cannot do without."""
    folder.mkdir(exist_ok=True)
    examples = [folder / "one.html", folder / "other.html"]
    for path, seed in zip(examples, TOPIC.seeds[:2] * 2, strict=False):
        path.write_bytes(WEB.respond(seed).body)
    topic = {"name": "x", "keywords": list(TOPIC.keywords), "examples": list(map(str, examples))}
    crawl = {"seeds": list(TOPIC.seeds), "pages": PAGES, "parsers": 0, "random_seed": 5, **crawl}
    return from_dict({"topic": topic, "crawl": crawl, **PLAIN})


def trained(folder: Path, entry: str | dict[str, Any]) -> None:
    """The model that the strategy needs, if it must be trained."""
    name, params = (entry, {}) if isinstance(entry, str) else (entry["name"], {**entry})
    params.pop("name", None)
    made = registry.strategy.build(name, params)
    if (pupil := hook(made, Trains)) is not None:
        pupil.train(suite.make_context())
        save(path_of(folder / FOLDER, name, made), name, made)


async def crawl(place: Path | Library, config: Config, pages: int, kill_at: int = 0) -> None:
    """Until there are so many pages; or until it is killed, some time after its last snapshot."""
    judgements = CrawlJudgements()
    async with assembled(config, place, fetcher=CalmFetcher(WEB), judgements=judgements) as running:
        await running.run(Budget(pages=pages))
        if kill_at:
            snapshots = running.observers[-1]
            assert isinstance(snapshots, CrawlSnapshots)
            snapshots.take()
            await running.run(Budget(pages=kill_at))
            raise Killed
        await judgements.after()


def outcome(library: Library) -> Any:
    pages = [(page.url, page.first_relevance, page.first_relevant) for page in library.pages()]
    waiting = [row for queue in library.queues() for row in library.waiting(queue.host, 100_000)]
    return pages, sorted((row.link.url, row.priority, row.memory, row.order) for row in waiting)


async def check(config: Config, whole: Path | Library, stopped: Path | Library) -> None:
    pages = config.crawl.pages
    await crawl(whole, config, pages)
    await crawl(stopped, config, pages // 3)
    with pytest.raises(Killed):
        await crawl(stopped, config, pages // 2, kill_at=pages * 3 // 4)
    await crawl(stopped, config, pages)
    ends = []
    for place in (whole, stopped):
        if isinstance(place, Path):
            with open_library(place, write=False) as library:
                ends.append(outcome(library))
        else:
            ends.append(outcome(place))
    assert len(ends[0][0]) == pages
    assert ends[0] == ends[1]


@pytest.fixture
def no_full_reliving(monkeypatch: pytest.MonkeyPatch) -> None:
    def relive(parts: CrawlParts, library: Library, config: Config, progress: Any) -> None:
        if parts.topic_update is not None or hook(parts.strategy, Learns) is not None:
            assert not library.counts().fetched, "all pages are relived"

    monkeypatch.setattr(assemble, "replay_visits", relive)


def one_by_one(name: str) -> str | dict[str, Any]:
    """A batch ends with the crawl: strategies that take links in batches take one at a time here."""
    return {"name": name, "n": 1} if name == "best-n-first" else name


@pytest.mark.parametrize("name", registry.strategy.names())
@pytest.mark.usefixtures("no_full_reliving")
async def test_with_every_strategy(tmp_path: Path, name: str) -> None:
    learns = hasattr(registry.strategy.get(name), "learn")
    config = settings(tmp_path / "files", strategy=one_by_one(name))
    if not learns:
        config.crawl.pages, config.crawl.judge = 16, "keywords"
    for folder in (tmp_path / "whole", tmp_path / "stopped"):
        trained(folder, one_by_one(name))
    await check(config, tmp_path / "whole", tmp_path / "stopped")


@pytest.mark.parametrize(
    ("limits", "ending"),
    [
        ({}, "moved"),
        ({"scope": {"host_pages": 12}}, "refused"),
        ({"crawl": {"frontier_limit": 150}}, "given up"),
    ],
)
@pytest.mark.usefixtures("no_full_reliving")
async def test_with_links_that_move_and_links_that_are_refused(
    tmp_path: Path, limits: dict[str, dict[str, int]], ending: str
) -> None:
    """But for the numbers of links that were refused before the stop and are found after it: those are new ones."""
    config = settings(tmp_path, strategy="auto", **limits.get("crawl", {}))
    config.scope.host_pages = limits.get("scope", {}).get("host_pages", 0)
    whole, stopped = memory_library(), memory_library()
    await crawl(whole, config, PAGES)
    with pytest.raises(Killed):
        await crawl(stopped, config, PAGES // 3, kill_at=PAGES * 3 // 4)
    assert ending in {each.ending for each in stopped.misses()}
    await crawl(stopped, config, PAGES)
    (pages, waiting), (pages_again, waiting_again) = outcome(whole), outcome(stopped)
    assert len(pages) == PAGES
    assert pages_again == pages
    assert [row[:-1] for row in waiting_again] == [row[:-1] for row in waiting]


@pytest.mark.parametrize("name", registry.judge.names())
@pytest.mark.usefixtures("no_full_reliving")
async def test_with_every_judge_in_memory(tmp_path: Path, name: str) -> None:
    config = settings(tmp_path / "files", strategy="apprentice", judge=name)
    await check(config, memory_library(), memory_library())


@pytest.mark.parametrize("strategy", ["best-first", "random", "apprentice", "blocks", "embedding", "infospiders"])
@pytest.mark.usefixtures("no_full_reliving")
async def test_with_a_topic_that_is_rebuilt(tmp_path: Path, strategy: str) -> None:
    config = settings(tmp_path / "files", strategy=strategy, rebuild_topic=4)
    await check(config, tmp_path / "whole", tmp_path / "stopped")


@pytest.mark.parametrize("strategy", ["apprentice", "pagerank"])
@pytest.mark.usefixtures("no_full_reliving")
async def test_with_tunnelling(tmp_path: Path, strategy: str) -> None:
    config = settings(tmp_path / "files", strategy=strategy, tunnel={"max_level": 2})
    await check(config, tmp_path / "whole", tmp_path / "stopped")


# When they are taken, and when they are set aside


class Relived(list[int]):
    """How many pages each reliving was about."""

    def __call__(self, done: int, whole: int) -> None:
        self.append(whole)


async def relived(place: Library, config: Config) -> int:
    told = Relived()
    async with assembled(config, place, fetcher=CalmFetcher(WEB), reliving=told):
        return len(told)


@pytest.mark.parametrize("change", ["keywords", "strategy", "random_seed", "label", "software", "nothing"])
async def test_what_was_made_with_something_else_is_set_aside(
    tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, config = memory_library(), settings(tmp_path, strategy="apprentice", judge="keywords")
    await crawl(library, config, 10)
    if change == "keywords":
        config.topic.keywords = ["bees"]
    elif change == "strategy":
        config.crawl.strategy = {"name": "apprentice", "rate": 0.1}
    elif change == "random_seed":
        config.crawl.random_seed = 6
    elif change == "label":
        library.add_labels([Label(TOPIC.seeds[0], "page", False)])
    elif change == "software":
        monkeypatch.setattr(crawl_snapshots, "__version__", "0.0.0")
    assert await relived(library, config) == (0 if change == "nothing" else 10)


async def test_another_model_for_the_strategy_sets_aside_what_was_learned_with_the_old_one(tmp_path: Path) -> None:
    trained(tmp_path / "x", "apprentice")
    config = settings(tmp_path / "files", strategy="apprentice", judge="keywords")
    await crawl(tmp_path / "x", config, 10)
    (tmp_path / "x" / FOLDER / "apprentice.model").unlink()
    with open_library(tmp_path / "x") as library:
        assert await relived(library, config) == 10


async def test_pages_since_the_last_snapshot_are_relived_and_no_others(tmp_path: Path) -> None:
    library, config = memory_library(), settings(tmp_path, strategy="apprentice")
    with pytest.raises(Killed):
        await crawl(library, config, 20, kill_at=26)
    assert await relived(library, config) == 6


async def test_what_cannot_be_read_is_relived(tmp_path: Path) -> None:
    library, config = memory_library(), settings(tmp_path, strategy="apprentice", judge="keywords")
    await crawl(library, config, 20)
    async with assembled(config, library, fetcher=CalmFetcher(WEB)) as running:
        knows = running.digest.strategy.snapshot()  # type: ignore[attr-defined]
    parts = assemble.page_crawl_parts(config, assemble.make_context(config))
    snapshots = CrawlSnapshots(library, parts, "broken")
    library.keep_snapshots(
        {"strategy": Snapshot(1, {"pages": 20, "mean": 0.5}, {"weights": knows.arrays["weights"]})}, "broken"
    )
    before = parts.strategy.snapshot()  # type: ignore[attr-defined]
    assert snapshots.restore() is None
    after = parts.strategy.snapshot()  # type: ignore[attr-defined]
    assert (after.arrays["weights"] == before.arrays["weights"]).all()
    assert after.values == before.values


@dataclass
class Learner:
    """Learns, and cannot say what."""

    size: int = 0
    seen_: int = field(default=0, init=False)

    def learn(self, visit: Visit) -> None:
        self.seen_ += 1

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, float(self.seen_)) for link in visit.page.links]


async def test_one_that_learns_and_has_no_snapshots_relives_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.strategy._entries, "learner", Learner)
    library, config = memory_library(), settings(tmp_path, strategy="learner")
    await crawl(library, config, 10)
    assert await relived(library, config) == 10


class Kept:
    """A library that counts what is kept; taking a snapshot takes so many seconds here."""

    def __init__(self, seconds: float = 0.0, size: int = 0) -> None:
        self.now, self.seconds, self.size = 0.0, seconds, size
        self.kept = 0

    def keep_snapshots(self, snapshots: Mapping[str, Snapshot], made_with: str) -> None:
        self.kept += 1

    def kept_snapshots(self, made_with: str) -> None:
        return None

    def snapshot(self) -> Snapshot:
        self.now += self.seconds
        return Snapshot(1, {}, {"weights": np.zeros(self.size, np.uint8)})

    def restore(self, snapshot: Snapshot) -> None: ...
    def learn(self, visit: Visit) -> None: ...
    def clock(self) -> float:
        return self.now

    def run(self, seconds: int) -> int:
        """A page a second; how many snapshots were kept."""
        parts = CrawlParts(self, lambda page: 0.0, Scope("", "", 0, "", True))  # type: ignore[arg-type]
        snapshots = CrawlSnapshots(self, parts, "", clock=self.clock)  # type: ignore[arg-type]
        page = fetched(entry("http://a.test/"))
        end = self.now + seconds
        while self.now < end:
            self.now += 1.0
            snapshots(page)
        return self.kept


def test_a_snapshot_is_taken_now_and_then() -> None:
    assert Kept().run(600) == 600 / crawl_snapshots.EVERY


@pytest.mark.parametrize("kept", [Kept(seconds=2.0), Kept(size=200_000_000)])
def test_snapshots_take_a_small_part_of_the_time(kept: Kept) -> None:
    assert 4 <= kept.run(1000) <= 5, "2 seconds each, 1 % of the time"


def test_what_is_too_large_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_snapshots, "MOST_BYTES", 100)
    assert Kept(size=101).run(100) == 0
    assert Kept(size=100).run(100) == 3
