"""What it costs to find out when a page was published, and how often one does: on recorded pages.

    ./run python -m benchmarks.publication ../shared/data/apache.warc.gz --pages 2000

Each page is parsed as a crawl does, and beside it what only the date needs is done alone, in turns: CPU time, so that a
busy machine slows both.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from scenthound.fetch.replay import ReplayFetcher
from scenthound.model import Link, Page, Response
from scenthound.parse.charset import to_utf8
from scenthound.parse.page import is_html, parse
from scenthound.parse.publication import publication
from scenthound.parse.tree import gather


def pages(path: Path, limit: int) -> Iterator[Response]:
    web = ReplayFetcher([path])
    answers = (web.answer(Link(url)) for url in web.urls())
    return itertools.islice((each for each in answers if isinstance(each, Response) and is_html(each)), limit)


def spent(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("recording", type=Path)
    options.add_argument("--pages", type=int, default=2000)
    given = options.parse_args()
    whole = alone = 0.0
    evidence: Counter[str] = Counter()
    years: Counter[str] = Counter()
    for response in pages(given.recording, given.pages):
        made: list[Page] = []
        whole += spent(lambda response=response, made=made: made.append(parse(response)))  # type: ignore[misc]
        source, _ = to_utf8(response.body, response.header("content-type"))
        words = gather(source).head.dates
        alone += spent(lambda response=response, words=words: publication(response, words))  # type: ignore[misc]
        day, _, by = made[0].published.partition(" ")
        evidence[by or "none"] += 1
        years[day[:4]] += 1
    number = sum(evidence.values())
    print(
        f"{number} pages: {1000 * whole / number:.3f} ms a page to parse, {1e6 * alone / number:.1f} µs for the date,"
    )
    print(f"{100 * alone / whole:.2f} % of it")
    print("known by: " + ", ".join(f"{by} {100 * count / number:.1f} %" for by, count in evidence.most_common()))
    print("years: " + ", ".join(f"{year or 'none'} {count}" for year, count in sorted(years.items(), reverse=True)))


if __name__ == "__main__":
    main()
