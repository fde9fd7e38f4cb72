"""How long a question to a large library takes: `scenthound search` without the program's start.

    ./run python benchmarks/search.py                    20,000 pages
    ./run python benchmarks/search.py --pages 100000     the figure of docs/performance.md (about five minutes)

Pages are made of words drawn by Zipf's law (60,000 words, about 400 a page, as on real pages without their stop
words), stored through a real library, and indexed as after a crawl. Then come the questions people ask: one to three
words, from common to rare; phrases that stand somewhere; a word left out; filters. Each is timed with its snippets,
after one run through all of them to warm up. The last line is the median.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import tempfile
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from random import Random
from time import perf_counter

from scenthound import urls
from scenthound.config import LibrarySection
from scenthound.library import open_library
from scenthound.model import Link, Page, Response, Step, Visit, Waiting
from scenthound.protocols.records import SearchFilters

WORDS, WORDS_A_PAGE, HOSTS = 60_000, 400, 500
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
LIMIT = 100.0

Question = tuple[str, list[str], SearchFilters]


class Prose:
    """Words by Zipf's law: the n-th most frequent one comes up 1 / (n + 3) times as often as all."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.words = list(dict.fromkeys(self._word() for _ in range(WORDS * 2)))[:WORDS]
        self._cumulative = list(accumulate(1 / (rank + 3) for rank in range(len(self.words))))
        self._stock = self.random.choices(self.words, cum_weights=self._cumulative, k=1_000_000)

    def _word(self) -> str:
        return "".join(self.random.choices(SYLLABLES, k=self.random.choice((2, 3, 3, 4)))) + "x"

    def text(self, length: int) -> str:
        start = self.random.randrange(len(self._stock) - length)
        return " ".join(self._stock[start : start + length])

    def word(self, first: int, last: int) -> str:
        """A word between two ranks."""
        return self.words[self.random.randrange(first, last)]


def steps(pages: int, prose: Prose) -> Iterator[Step]:
    draw = prose.random
    for number in range(pages):
        url = f"https://www.host-{draw.randrange(HOSTS)}.example/{number}"
        link = Link(url=url)
        length = min(5000, int(draw.lognormvariate(0, 0.7) * WORDS_A_PAGE) + 20)
        page = Page(url=url, title=prose.text(7), text=prose.text(length), language="en")
        relevance = draw.random() ** 2
        yield Step(
            lease=Waiting(id=urls.fingerprint(url), link=link, host=urls.host(url), priority=0.5, order=number),
            state="fetched",
            at=1_700_000_000.0 + number,
            response=Response(url=url, status=200, headers=(("Content-Type", "text/html"),), body=url.encode()),
            visit=Visit(link=link, page=page, relevance=relevance, relevant=relevance > 0.3, depth=1),
        )


def questions(prose: Prose, count: int) -> list[Question]:
    """As many of each kind."""
    asked: list[Question] = []
    for _ in range(count):
        phrase = " ".join(prose.text(2).split())
        rare, usual, common = prose.word(3000, 20000), prose.word(300, 3000), prose.word(20, 300)
        asked += [
            ("one word", [usual], SearchFilters()),
            ("a common word", [common], SearchFilters()),
            ("two words", [usual, common], SearchFilters()),
            ("three words", [rare, usual, common], SearchFilters()),
            ("a phrase", [phrase], SearchFilters()),
            ("one left out", [usual, f"-{common}"], SearchFilters()),
            ("relevant only", [usual], SearchFilters(relevant=True)),
            ("one host", [common], SearchFilters(host="www.host-7.example")),
        ]
    return asked


def build(folder: Path, pages: int, prose: Prose) -> None:
    started = perf_counter()
    with open_library(folder, create=True, settings=LibrarySection(warc=False)) as library:
        for step in steps(pages, prose):
            library.record(step)
    print(f"stored {pages:,} pages in {perf_counter() - started:.0f} s")


def measure(folder: Path, asked: list[Question]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {}
    with open_library(folder, write=False) as search:
        started = perf_counter()
        search.update_search()
        taken = perf_counter() - started
        size = (folder / "search.db").stat().st_size
        print(f"indexed in {taken:.0f} s, search.db {size / 1e6:,.0f} MB\n")
        for warm in (False, True):
            for kind, words, filters in asked:
                started = perf_counter()
                search.update_search()
                search.search(words, filters)
                if warm:
                    times.setdefault(kind, []).append(1000 * (perf_counter() - started))
    return times


def report(times: dict[str, list[float]]) -> None:
    print("| question | median, ms | 95th percentile, ms |")
    print("|---|---:|---:|")
    everything = [value for values in times.values() for value in values]
    for kind, values in [*times.items(), ("all", everything)]:
        print(f"| {kind} | {statistics.median(values):.1f} | {statistics.quantiles(values, n=20)[-1]:.1f} |")
    median = statistics.median(everything)
    print(f"\n{'within' if median < LIMIT else 'OVER'} the goal of {LIMIT:.0f} ms")
    print(f"median {median:.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=25, help="of each kind")
    given = parser.parse_args()
    print(f"search, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    prose = Prose(seed=1)
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), given.pages, prose)
        report(measure(Path(folder), questions(prose, given.questions)))


if __name__ == "__main__":
    main()
