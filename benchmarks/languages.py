"""What it costs to recognise a language, and how it does: on the pages of recorded webs, and beside py3langid.

    ./run python benchmarks/languages.py schools-wikipedia.warc.gz webkb.warc.gz apache.warc.gz

Of each web every so manieth page is read, and it is counted which languages are told. The three webs are English but
for a few pages, which `--others` lists by URL. py3langid is asked about the same short topics where it is installed.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
from collections import Counter
from collections.abc import AsyncIterator
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from scenthound.fetch.recording import Recording
from scenthound.fetch.replay import ReplayFetcher
from scenthound.model import Link, Page, Response
from scenthound.parse.page import parse
from scenthound.text.language_recognition import FILE, of_pages, recognize

TOPICS = ["dengue fever", "orchid nursery", "dinosaurs", "coral bleaching", "solar power companies"]


def memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def first_question() -> None:
    before, start = memory(), perf_counter()
    recognize(TOPICS[0])
    size = len(files("scenthound.text").joinpath("data", FILE).read_bytes())
    print(f"table {size / 1000:.0f} KB; first question {perf_counter() - start:.2f} s, {memory() - before:.0f} MB")
    print("topics:", ", ".join(f"{topic} → {_told(topic)}" for topic in TOPICS))


def _told(topic: str) -> str:
    found = recognize(topic)
    return found.language if found else "not told"


def beside_py3langid() -> None:
    if find_spec("py3langid") is None:
        print("py3langid is not installed: pip install py3langid")
        return
    before, start = memory(), perf_counter()
    import py3langid

    py3langid.classify(TOPICS[0])
    print(f"py3langid: first question {perf_counter() - start:.2f} s, {memory() - before:.0f} MB")
    print("topics:", ", ".join(f"{topic} → {py3langid.classify(topic)[0]}" for topic in TOPICS))


async def pages(warc: Path, every: int) -> AsyncIterator[Page]:
    recording = Recording([warc])
    urls = list(recording.urls())[::every]
    recording.close()
    fetcher = ReplayFetcher([warc])
    for url in urls:
        answer = await fetcher(Link(url=url))
        if isinstance(answer, Response) and "html" in answer.media_type and answer.status == 200:
            yield parse(answer, "en")
    await fetcher.close()


async def web(warc: Path, every: int, others: bool) -> None:
    told: Counter[str] = Counter()
    async for page in pages(warc, every):
        language = of_pages([page]) or "not told"
        told[language] += 1
        if others and language != "en":
            print(f"  {language}  {page.url}")
    shares = ", ".join(f"{language} {number:,}" for language, number in told.most_common())
    print(f"{warc.name}: {told.total():,} pages: {shares}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warcs", type=Path, nargs="*")
    parser.add_argument("--every", type=int, default=10, help="every so manieth page of a web")
    parser.add_argument("--others", action="store_true", help="list the pages that are not in English")
    options = parser.parse_args()
    first_question()
    beside_py3langid()
    for warc in options.warcs:
        asyncio.run(web(warc, options.every, options.others))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
