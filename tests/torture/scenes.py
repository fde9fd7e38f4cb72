"""The jobs that are killed, each with a folder to begin with and what may never happen to it.

| scene | the job | after every kill | in the end |
|---|---|---|---|
| `crawl` | a crawl; files of the archive change often | stored pages are there, in their order | as one left in peace |
| `checkpoint` | the same, the disk made to take it every four steps | the same | the same |
| `migration` | a library of an earlier version is opened | its pages are there | as opened in peace |
| `export` | pages into a file that is there | the file is the old or the new one | the new one, and nothing beside it |
| `search` | the index of a library is made | pages are there | the same pages are found |
| `revisit` | pages are looked at again | pages are there, versions can be read | changed pages have a new version |
| `judge` | all pages are judged again | pages are there | judged as in peace |
| `train` | a strategy learns, and is kept | its model is the old one or the new one | the new one |
| `label` | labels are set | what was reported is set | all are set |
| `repair` | a damaged library is repaired | it opens or is refused; the archive is untouched | every page is there |
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scenthound import config as toml
from scenthound.app.export import export
from scenthound.app.judge import JudgeSession
from scenthound.app.label import set_labels
from scenthound.app.library_repair import repair_library
from scenthound.app.train import train_strategy
from scenthound.config import Config
from scenthound.crawler import judge_again
from scenthound.crawler.assemble import assembled
from scenthound.errors import LibraryError
from scenthound.lab.generated.web import GeneratedFetcher, GeneratedWeb
from scenthound.learn import model_file
from scenthound.library import open_library
from scenthound.library.sqlite import transactions
from scenthound.revisit.rounds import RevisitOptions, Revisits
from scenthound.training.training_store import GraphHeader, Node, TrainingStore
from tests.library.breaking import overwrite_table
from tests.torture.portrait import check, check_archive, portrait
from tests.unpacking import unpack

OLD_LIBRARY = Path(__file__).parents[1] / "library" / "sqlite" / "data" / "library-0.1.0.tar.gz"
PAGES = 24
LATER = 30 * 86_400.0


@dataclass(frozen=True)
class Scene:
    """`prepare` fills a folder, `job` is what is killed, `check` looks after each kill, `result` is compared."""

    name: str
    prepare: Callable[[Path], None]
    job: Callable[[Path], None]
    check: Callable[[Path], Any]
    result: Callable[[Path], Any]
    finished: Callable[[Path], bool] = lambda folder: False  # nothing is left to be killed


@cache
def web() -> GeneratedWeb:
    return GeneratedWeb(seed=3, pages=1000, hosts=20, topics=4)


def settings(**crawl: Any) -> Config:
    topic = web().topics()[0]
    config = Config()
    config.topic.name, config.topic.keywords = topic.name, list(topic.keywords)
    config.crawl = replace(config.crawl, seeds=list(topic.seeds), pages=PAGES, judge="keywords", parsers=0, **crawl)
    config.politeness.delay, config.politeness.robots = 0.0, False
    config.fetch.backoff = 0.0
    config.library.warc_bytes = 30_000  # several files, so that some moment hits a change of file
    return config


class ChangedWeb:
    """The same web a month later: every third page says something more."""

    def respond(self, url: str) -> Any:
        answer = web().respond(url)
        if answer.status == 200 and sum(url.encode()) % 3 == 0:
            return answer._replace(body=answer.body.replace(b"<p>", b"<p>News of the month for all who read this. ", 1))
        return answer


async def _crawl(folder: Path, **changes: Any) -> None:
    async with assembled(settings(**changes), folder, fetcher=GeneratedFetcher(web())) as crawl:
        await crawl.run()


def crawl(folder: Path, **changes: Any) -> None:
    asyncio.run(_crawl(folder, **changes))


def crawl_with_checkpoints(folder: Path, **changes: Any) -> None:
    transactions.CHECKPOINT_STEPS = 4
    crawl(folder, **changes)


@cache
def _template(root: Path) -> Path:
    folder = root / "template"
    if not folder.exists():
        crawl(folder)
        toml.save(settings(), folder / "topic.toml")
    return folder


def nothing(folder: Path) -> None:
    pass


def harvest(folder: Path) -> None:
    """A crawled library, made once a run and copied."""
    shutil.copytree(_template(folder.parent), folder, dirs_exist_ok=True)


def crawled(folder: Path) -> bool:
    return len(check(folder)) >= PAGES


# An older library


def old_library(folder: Path) -> None:
    folder.mkdir()
    unpack(OLD_LIBRARY, folder)


def open_it(folder: Path) -> None:
    open_library(folder).close()


# Export


def exported_before(folder: Path) -> None:
    harvest(folder)
    (folder / "pages.jsonl").write_text("what was here before\n")


def export_again(folder: Path) -> None:
    export(folder, folder / "pages.jsonl")


def check_export(folder: Path) -> Any:
    found = (folder / "pages.jsonl").read_bytes()
    whole = found == b"what was here before\n" or (found.count(b"\n") == PAGES and found.endswith(b"}\n"))
    assert whole, "half an export"
    return check(folder)


def export_result(folder: Path) -> Any:
    assert not list(folder.glob("*.part")), "an unfinished export is left"
    return (folder / "pages.jsonl").read_bytes().count(b"\n"), portrait(folder)


# Search


def index(folder: Path) -> None:
    with open_library(folder) as library:
        library.update_search()


def found(folder: Path) -> Any:
    with open_library(folder) as library:
        library.update_search()
        words = [keyword if isinstance(keyword, str) else keyword.term for keyword in settings().topic.keywords]
        return sorted(hit.url for hit in library.search(words[:1]).hits)


# Revisits


def revisit(folder: Path) -> None:
    import time

    config = settings()
    rounds = Revisits(
        config,
        folder,
        RevisitOptions(requests=1000, discover=0.0),
        make_fetcher=lambda: GeneratedFetcher(ChangedWeb(), later),
        clock=(later := lambda: time.time() + LATER),
    )
    asyncio.run(rounds.round())


def revisited(folder: Path) -> Any:
    """The text of each page; how often it was looked at depends on the moments of the kills."""
    with open_library(folder, write=False) as library:
        assert all(
            library.text(page.url, version) for page in library.pages() for version in library.versions(page.url)
        )
        return sorted((page.url, library.text(page.url)) for page in library.pages())


# Judging again


def other_topic(folder: Path) -> None:
    harvest(folder)
    config = settings()
    config.topic.keywords = list(web().topics()[1].keywords)
    toml.save(config, folder / "topic.toml")


def judge(folder: Path) -> None:
    judge_again.WRITTEN_AT_ONCE = 5  # so that some is written when it is killed
    asyncio.run(JudgeSession(folder).run())


# Training


def lessons(folder: Path) -> None:
    harvest(folder)
    with open_library(folder, write=False) as library:
        urls = [page.url for page in library.pages()][:12]
    nodes = [Node(url, n // 4, n // 4, (n - 4,) if n >= 4 else ()) for n, url in enumerate(urls)]
    TrainingStore(folder).keep_graph(GraphHeader(sequences=5), nodes)
    train(folder)


def train(folder: Path) -> None:
    train_strategy(folder, "classifier")


def model(folder: Path) -> Any:
    (path,) = (folder / model_file.FOLDER).glob("*.model")
    header = model_file.read_header(path)
    return header.strategy, header.learned


# Labels


def _report(folder: Path) -> Path:
    """Beside the folder: whatever happens to that one, this is a witness."""
    return folder.parent / f"{folder.name}-reported.txt"


def label(folder: Path) -> None:
    """One after the other, and a line after each that is said to be set."""
    with open_library(folder, write=False) as library:
        urls = [page.url for page in library.pages()]
    with _report(folder).open("a", buffering=1) as report:
        for number, url in enumerate(urls):
            set_labels(folder, [url], number % 2 == 0)
            report.write(f"{url}\n")


def check_labels(folder: Path) -> Any:
    said = _report(folder).read_text().splitlines() if _report(folder).exists() else []
    with open_library(folder, write=False) as library:
        there = library.labels()
    lost = [url for url in said if url not in there]
    assert not lost, f"labels that were reported are lost: {lost}"
    return check(folder)


def labelled(folder: Path) -> Any:
    with open_library(folder, write=False) as library:
        return {url: label.relevant for url, label in library.labels().items()}


# Repair


def damaged(folder: Path) -> None:
    harvest(folder)
    for table in ("pages", "contents", "links"):
        overwrite_table(folder, table)


def repair(folder: Path) -> None:
    asyncio.run(repair_library(folder))


def check_repair(folder: Path) -> list[str]:
    """Half repaired, it is refused as damaged or unfinished; the archive, from which all comes, is whole."""
    assert check_archive(folder) == check_archive(_template(folder.parent)), "answers of the archive are lost"
    refused = "library repair"
    try:
        with open_library(folder, write=False) as library:
            list(library.pages())
    except LibraryError as error:
        refused = str(error)
    assert "library repair" in refused, f"nobody is told to repair it: {refused}"
    return []


def repaired(folder: Path) -> Any:
    """Judgements are left out: where it was killed before pages were judged, the next crawl does that."""
    whole = portrait(folder)
    pages = sorted((page[0], page[1], page[2], *page[7:]) for page in whole["pages"])
    assert [page[0] for page in pages] == sorted(page[0] for page in portrait(_template(folder.parent))["pages"])
    return pages, whole["known"], whole["archive"]


SCENES = {
    scene.name: scene
    for scene in (
        Scene("crawl", nothing, crawl, check, portrait, crawled),
        Scene("checkpoint", nothing, crawl_with_checkpoints, check, portrait, crawled),
        Scene("migration", old_library, open_it, check, portrait),
        Scene("export", exported_before, export_again, check_export, export_result),
        Scene("search", harvest, index, check, found),
        Scene("revisit", harvest, revisit, check, revisited),
        Scene("judge", other_topic, judge, check, portrait),
        Scene("train", lessons, train, lambda folder: (check(folder), model(folder))[0], model),
        Scene("label", harvest, label, check_labels, labelled),
        Scene("repair", damaged, repair, check_repair, repaired),
    )
}
