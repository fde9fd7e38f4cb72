"""What a learning crawler may be taught with on a recorded web, topic by topic, before it crawls.

Where a topic names groups of pages to train on (WebKB's universities) and there is a table that says which page is of
which class and group, the lessons are the pages of those groups and the links among them; targets are the pages of
the topic's class. The crawl happens elsewhere.

    url	class	university
    http://cs.cornell.edu/Info/Courses/...	course	cornell

Otherwise the lessons are people's trails to relevant examples, as far as the topic has some, and a graph collected
backwards from the examples. These are pages that the crawl may meet: the lab takes them out of recall, for every
strategy of the experiment alike.

A careless teacher can be had, too: `noise` is the share of the pages that are put into a wrong state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from scenthound import urls
from scenthound.errors import ConfigError
from scenthound.lab.crawls.lab_crawl import LabCrawler
from scenthound.lab.crawls.web_statistics import WebStatistics
from scenthound.lab.topics import LabTopic
from scenthound.learn.chains.labels import flip_labels
from scenthound.learn.graphs.hops import hops, merged
from scenthound.learn.graphs.sequences import SEQUENCES, walks
from scenthound.learn.graphs.target_graph import collect
from scenthound.learn.graphs.trails import click_path
from scenthound.learn.graphs.trails import lessons as browsed
from scenthound.model import Lessons, Page
from scenthound.protocols.crawl import Idf

COLLECTED = 300
"""Pages of a collected graph: what a learner may cost before it has found anything."""

COLUMNS = ("url", "class", "university")


class Labelled:
    """The table of labels: which pages are of which class, and in which group."""

    def __init__(self, rows: Sequence[tuple[str, str, str]]) -> None:
        self._groups: dict[str, list[tuple[str, str]]] = {}
        for url, kind, group in rows:
            self._groups.setdefault(group, []).append((url, kind))

    def of(self, groups: Sequence[str]) -> list[tuple[str, str]]:
        """URL and class of every page of the groups."""
        return [row for group in groups for row in self._groups.get(group, ())]


def read_labels(path: Path) -> Labelled:
    try:
        lines = path.read_bytes().decode().strip("\n").split("\n")  # URLs of the wild hold other line ends
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The table of labels {path} cannot be read: {error}.") from error
    if tuple(lines[0].split("\t")) != COLUMNS:
        raise ConfigError(f"{path} is no table of labels: its first line must be {', '.join(COLUMNS)}, tabs between.")
    rows: list[tuple[str, str, str]] = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            raise ConfigError(f"{path}, line {number}: {len(cells)} cells where {len(COLUMNS)} were expected.")
        url = urls.canonical(cells[0])
        if isinstance(url, str):
            rows.append((url, cells[1], cells[2]))
    return Labelled(rows)


def labels_beside(web: Sequence[str]) -> Path | None:
    """`webkb-labels.tsv` beside `webkb.warc.gz`, if it is there."""
    for file in map(Path, web):
        beside = file.with_name(f"{file.name.partition('.')[0]}-labels.tsv")
        if beside.is_file():
            return beside
    return None


class Teacher:
    """Makes the lessons of a topic; those of the topic asked for last are kept."""

    def __init__(
        self,
        crawler: LabCrawler,
        statistics: WebStatistics,
        labelled: Labelled | None,
        collected: int = COLLECTED,
        noise: float = 0.0,
    ) -> None:
        self._crawler = crawler
        self._statistics = statistics
        self._labelled = labelled
        self._collected = collected
        self._noise = noise
        self._last: tuple[str, Lessons] | None = None

    def lessons(self, topic: LabTopic, idf: Idf) -> Lessons:
        if self._last is None or self._last[0] != topic.name:
            made = self._made(topic, idf)
            made = flip_labels(made, self._noise, Random(0)) if self._noise else made
            if self._last is not None:
                self._crawler.memo.dismiss(self._last[1])
            self._crawler.memo.introduce(made, 0)  # its pages were weighed when they were introduced
            self._last = topic.name, made
        return self._last[1]

    def _made(self, topic: LabTopic, idf: Idf) -> Lessons:
        if topic.train_universities and self._labelled is not None:
            return self._from_labels(topic, self._labelled.of(topic.train_universities))
        return self._from_examples(topic, idf)

    def _page(self, url: str, topic: LabTopic) -> Page | None:
        return self._crawler.page(url, topic.language)

    def _from_labels(self, topic: LabTopic, rows: Sequence[tuple[str, str]]) -> Lessons:
        pages = {url: page for url, _ in rows if (page := self._page(url, topic)) is not None}
        place = {url: number for number, url in enumerate(pages)}
        edges = linked(list(pages.values()), place)
        targets = [place[url] for url, kind in rows if kind == topic.category and url in place]
        states = hops(len(pages), edges, targets)
        return Lessons(tuple(pages.values()), edges, states, walks(edges, states, SEQUENCES, random=Random(0)))

    def _from_examples(self, topic: LabTopic, idf: Idf) -> Lessons:
        trails = [click_path(trail) for trail in topic.trails]
        visited = dict.fromkeys(url for trail in trails for url in trail.urls)
        pages = {url: page for url in visited if (page := self._page(url, topic)) is not None}
        graph = collect(
            topic.relevant_examples,
            self._backlinks,
            lambda url: self._page(url, topic),
            idf=idf,
            random=Random(0),
            limit=self._collected,
        )
        return merged([browsed(trails, pages, topic.relevant_examples), graph])

    def _backlinks(self, url: str) -> list[str]:
        statistics = self._statistics
        number = statistics.number.get(url)
        if number is None:
            return []
        return [
            statistics.pages[source]
            for source in sorted(set(statistics.sources[statistics.targets == number].tolist()))
        ]


def linked(pages: Sequence[Page], place: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    """The links among pages, by their places."""
    found: dict[tuple[int, int], None] = {}
    for source, page in enumerate(pages):
        for link in page.links:
            target = place.get(link.url)
            if target is not None and target != source:
                found[source, target] = None
    return tuple(found)
