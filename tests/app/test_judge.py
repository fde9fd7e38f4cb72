from __future__ import annotations

import asyncio
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from scenthound import config as toml
from scenthound.app.judge import JudgeOptions, JudgeOutcome, JudgeSession
from scenthound.config import Config
from scenthound.crawler.assemble import assembled
from scenthound.crawler.crawl_judgements import CrawlJudgements
from scenthound.errors import ConfigError, LibraryBusy, LibraryMissing, UnknownName, UsageError
from scenthound.lab.generated.web import GeneratedFetcher, GeneratedWeb
from scenthound.library import open_library
from tests.crawler.judged_library import BIRDS, BOTH, FERNS, crawl, relevant, settings

SCRIPT = Path(__file__).with_name("judging_to_be_killed.py")


async def collected(folder: Path, config: Config, then: Config | None = None) -> Path:
    """A library crawled with settings, and other ones in its topic.toml."""
    await crawl(folder, config)
    toml.save(then or config, folder / "topic.toml")
    return folder


async def judged(folder: Path, judge: str | None = None, threshold: float | None = None) -> JudgeOutcome:
    return await JudgeSession(folder, JudgeOptions(judge, threshold)).run()


async def test_it_says_what_changed(tmp_path: Path) -> None:
    folder = await collected(tmp_path / "x", settings("birds"), settings("birds", "ferns"))
    outcome = await judged(folder)
    assert (outcome.judge, outcome.threshold, outcome.changed) == ("keywords", 0.1, ["topic"])
    assert (outcome.judged.relevant_before, outcome.judged.relevant) == (2, 3)
    with open_library(folder) as library:
        assert relevant(library) == {BIRDS, FERNS, BOTH}
        again = library.judged_again()
        assert again is not None
        assert again.judge == "keywords"
    assert (await judged(folder)).changed == []


async def test_what_is_given_goes_into_topic_toml_and_the_next_crawl_agrees(tmp_path: Path) -> None:
    folder = await collected(tmp_path / "x", settings("birds"))
    path = folder / "topic.toml"
    path.write_text("# mine\n" + path.read_text())
    outcome = await judged(folder, threshold=0.999)
    assert outcome.judged.relevant == 0
    assert path.read_text().startswith("# mine\n")
    now = toml.load(path)
    assert (now.crawl.threshold, now.crawl.judge) == (0.999, "keywords")
    told: list[object] = []
    await crawl(folder, now, CrawlJudgements(on_judged=lambda *what: told.append(what)))
    assert told == []


async def test_another_judge_brings_its_own_scale(tmp_path: Path) -> None:
    folder = await collected(tmp_path / "x", settings("birds", crawl={"threshold": 0.25}))
    outcome = await judged(folder, judge="topic-vector")
    assert (outcome.threshold, outcome.dropped_threshold) == (0.01, 0.25)
    now = toml.load(folder / "topic.toml")
    assert (now.crawl.judge, now.crawl.threshold) == ("topic-vector", None)
    outcome = await judged(folder, judge="topic-vector", threshold=0.3)
    assert (outcome.threshold, outcome.dropped_threshold) == (0.3, None)


async def test_what_cannot_be_done_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    folder = await collected(tmp_path / "x", settings("birds"))
    before = (folder / "topic.toml").read_bytes()
    with pytest.raises(UnknownName, match="topic-vector"):
        await judged(folder, judge="topic-vektor")
    with pytest.raises(ConfigError, match="needs example pages"):
        await judged(folder, judge="examples")
    with pytest.raises(ConfigError, match="from 0 to 1"):
        await judged(folder, threshold=1.5)
    with open_library(folder), pytest.raises(LibraryBusy, match="is writing to"):
        await judged(folder, threshold=0.5)
    assert (folder / "topic.toml").read_bytes() == before
    with pytest.raises(LibraryMissing, match="no library"):
        await judged(tmp_path / "y")
    (folder / "topic.toml").unlink()
    with pytest.raises(UsageError, match="has lost its topic"):
        await judged(folder)


async def test_stopped_it_has_changed_nothing(tmp_path: Path) -> None:
    folder = await collected(tmp_path / "x", settings("birds"), settings("birds", "ferns"))
    session = JudgeSession(folder, progress=lambda done, whole: session.stop())
    outcome = await session.run()
    assert (outcome.judged.finished, outcome.judged.relevant) == (False, 2)
    with open_library(folder) as library:
        assert relevant(library) == {BIRDS, BOTH}


async def test_a_list_of_sites_is_not_judged_by_a_topic(tmp_path: Path) -> None:
    folder = await collected(tmp_path / "x", settings("birds"))
    with open_library(folder) as library:
        library.start_run(json.dumps({"crawl": {"judge": "sites", "threshold": 0.5}}))
        library.end_run("pages")
    with pytest.raises(UsageError, match="scenthound sites"):
        await judged(folder)


async def test_links_that_wait_site_by_site_are_not_ranked_as_pages_are(tmp_path: Path) -> None:
    folder = await collected(tmp_path / "x", settings("birds"), settings("birds", "ferns"))
    with open_library(folder) as library:
        library.start_run(json.dumps({"crawl": {"strategy": {"name": "sites", "weight": "global"}}}))
        library.end_run("pages")
    outcome = await judged(folder)
    assert (outcome.judged.relevant, outcome.judged.ranked) == (3, 0)


def library_of(folder: Path) -> Config:
    web = GeneratedWeb(seed=3, pages=760, hosts=10, topics=4)
    topic, other = web.topics()[:2]
    config = settings(*topic.keywords, pages=120, crawl={"seeds": list(topic.seeds)})
    config.fetch.backoff = 0.01

    async def collect() -> None:
        async with assembled(config, folder, fetcher=GeneratedFetcher(web), judgements=CrawlJudgements()) as running:
            await running.run()

    asyncio.run(collect())
    config.topic.keywords = [*config.topic.keywords, *other.keywords]
    toml.save(config, folder / "topic.toml")
    return config


def test_killed_in_the_middle_nothing_is_lost_and_it_is_done_next_time(tmp_path: Path) -> None:
    """kill -9 at several moments, some after a part was written."""
    folder, calm = tmp_path / "killed", tmp_path / "calm"
    library_of(folder)
    shutil.copytree(folder, calm)
    with open_library(folder, write=False) as library:
        pages = [(page.url, page.first_relevance) for page in library.pages()]
        digest = library.judged_by()
    for moment in (3, 40, 90, 119):
        command = [sys.executable, str(SCRIPT), str(folder), str(moment)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == f"{moment}\n".encode()
            process.kill()
            assert process.wait() == -signal.SIGKILL
        with sqlite3.connect(folder / "library.db") as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        database.close()
        with open_library(folder, write=False) as library:
            assert [(page.url, page.first_relevance) for page in library.pages()] == pages
            assert library.judged_by() == (digest if moment == 3 else "")
            assert library.counts().relevant == sum(
                page.relevant and not page.duplicate_of for page in library.pages()
            ), "counts tell what pages do"
    for each in (folder, calm):
        assert subprocess.run([sys.executable, str(SCRIPT), str(each)], stdout=subprocess.DEVNULL).returncode == 0
    with open_library(folder, write=False) as killed, open_library(calm, write=False) as left:
        assert list(killed.pages()) == list(left.pages())
        assert killed.counts() == left.counts()
        assert (killed.judged_by(), killed.hosts()) == (left.judged_by(), left.hosts())
        queues = [
            [(row.id, row.priority) for host in each.queues() for row in each.waiting(host.host, 10_000)]
            for each in (killed, left)
        ]
        assert queues[0] == queues[1]
        assert queues[0]
