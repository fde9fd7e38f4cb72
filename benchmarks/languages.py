"""What it costs to recognise a language, and how it does: on the pages of recorded webs, and beside py3langid.

    ./run python benchmarks/languages.py schools-wikipedia.warc.gz webkb.warc.gz apache.warc.gz

Of each web every so manieth page is read, and it is counted which languages are told. The three webs are English but
for a few pages, which `--others` lists by URL. py3langid is asked about the same short topics where it is installed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import NamedTuple

from scenthound.fetch.recording import Recording
from scenthound.fetch.replay import ReplayFetcher
from scenthound.model import Link, Page, Response
from scenthound.parse.page import parse
from scenthound.text.language_recognition import FILE, of_pages, recognize

TOPICS = ["dengue fever", "orchid nursery", "dinosaurs", "coral bleaching", "solar power companies"]


def memory() -> float:
    """MB of this process at its peak. Not as `getrusage` has it, where what the process had that started it counts."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


class Recogniser(NamedTuple):
    """What it took to ask the first question, and the answers to all."""

    name: str
    size: float  # bytes of what it brings
    seconds: float
    megabytes: float
    told: list[str]

    def cells(self) -> list[str]:
        return [f"{self.size / 1000:,.0f} KB", f"{self.seconds:.2f} s, {self.megabytes:.0f} MB", *self.told]


def asked(name: str, load: Callable[[], Callable[[str], str]], size: Callable[[], float]) -> Recogniser:
    before, start = memory(), process_time()
    tell = load()
    tell(TOPICS[0])
    return Recogniser(name, size(), process_time() - start, memory() - before, [tell(topic) for topic in TOPICS])


def here() -> Recogniser:
    def tell(topic: str) -> str:
        found = recognize(topic)
        return found.language if found else "not told"

    return asked("here", lambda: tell, lambda: len(files("scenthound.text").joinpath("data", FILE).read_bytes()))


def py3langid() -> Recogniser:
    """NumPy is loaded before: it is there anyway."""
    import numpy  # noqa: F401

    def load() -> Callable[[str], str]:
        import py3langid

        return lambda topic: str(py3langid.classify(topic)[0])

    def size() -> int:
        return sum(path.stat().st_size for path in Path(str(files("py3langid"))).rglob("*") if path.suffix != ".pyc")

    return asked("py3langid", load, size)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    from scenthound.lab.report.tables import markdown_table  # late: what it loads is nobody's first question

    return markdown_table(head, rows)


def side_by_side(found: Sequence[Recogniser]) -> None:
    what = ["what it brings", "the first question", *(f"*{topic}*" for topic in TOPICS)]
    rows = [[name, *(each.cells()[place] for each in found)] for place, name in enumerate(what)]
    print("\n".join(_table(["", *(each.name for each in found)], rows)) + "\n", flush=True)


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


async def web(warc: Path, every: int, others: bool) -> list[str]:
    told: Counter[str] = Counter()
    async for page in pages(warc, every):
        language = of_pages([page]) or "not told"
        told[language] += 1
        if others and language != "en":
            print(f"  {language}  {page.url}", file=sys.stderr)
    shares = ", ".join(f"{language} {number:,}" for language, number in told.most_common())
    return [warc.name.partition(".")[0], f"{told.total():,}", shares]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warcs", type=Path, nargs="*")
    parser.add_argument("--every", type=int, default=10, help="every so manieth page of a web")
    parser.add_argument("--others", action="store_true", help="list the pages that are not in English")
    options = parser.parse_args()
    found = [here()]
    if find_spec("py3langid") is None:
        print("py3langid is not installed: pip install py3langid", file=sys.stderr)
    else:
        found.append(py3langid())
    side_by_side(found)
    rows = [asyncio.run(web(warc, options.every, options.others)) for warc in options.warcs]
    print("\n".join(_table(["web", "pages", "told"], rows)))


if __name__ == "__main__":
    main()
