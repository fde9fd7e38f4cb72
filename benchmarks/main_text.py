"""How good is the main text of pages, and what does it cost? On a hundred labelled pages of recorded webs.

    ./run python benchmarks/main_text.py ../shared/data
    ./run python benchmarks/main_text.py ../shared/data --held-out

The labels are `main_text_parts/labelled_pages.jsonl`: of each page a few words that belong to its main text, each with
what they stand in (heading, list, table, code), and a few that do not (menus, footers, counters). The pages
themselves are in the recordings. Beside our Markdown stand all text, the main text of resiliparse as it comes,
and trafilatura where that is installed (pip install trafilatura lxml_html_clean).

What was mended in our main text was found on these hundred pages. `held_out_pages.jsonl` has 22 others, drawn by the
digits of their addresses and labelled after that by their text alone: figures that nothing was fitted to.

| column | meaning |
|---|---|
| wanted | share of the words that belong to the main text and are in it |
| unwanted | share of those that do not, and are in it all the same |
| form | of wanted headings, list items, cells and code: the share that is written as such |
"""

from __future__ import annotations

import argparse
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import process_time

import msgspec
from msgspec import Struct
from resiliparse.extract.html2text import extract_plain_text

from scenthound.fetch.recording import Recording
from scenthound.lab.report.tables import markdown_table
from scenthound.model import Response
from scenthound.parse.charset import to_utf8
from scenthound.parse.main_text import main_text
from scenthound.parse.page import parse

LABELS = Path(__file__).parent / "main_text_parts" / "labelled_pages.jsonl"
HELD_OUT = LABELS.with_name("held_out_pages.jsonl")
GOAL_WANTED, GOAL_UNWANTED = 0.95, 0.2
OURS = "Scenthound"


class LabelledPage(Struct, rename={"wanted": "in", "unwanted": "out"}):
    web: str
    url: str
    wanted: list[tuple[str, str]]
    unwanted: list[str]


Extractor = Callable[[Response], str]


def ours(response: Response) -> str:
    return main_text(response).markdown


def source_of(response: Response) -> str:
    return to_utf8(response.body, response.header("content-type"))[0].decode()


def all_text(response: Response) -> str:
    return parse(response).text


def resiliparse_main(response: Response) -> str:
    return str(extract_plain_text(source_of(response), main_content=True, links=False))


def extractors() -> Iterator[tuple[str, Extractor]]:
    yield "all text", all_text
    yield "resiliparse, main content", resiliparse_main
    yield OURS, ours
    if find_spec("trafilatura") is None:
        print("trafilatura is not installed: pip install trafilatura lxml_html_clean", file=sys.stderr)
        return
    import trafilatura

    def extract(**options: bool) -> Extractor:
        return lambda response: trafilatura.extract(
            source_of(response), output_format="markdown", include_tables=True, include_links=True, **options
        ) or ""  # fmt: skip

    name = f"trafilatura {trafilatura.__version__}"
    yield name, extract()
    yield f"{name}, fast", extract(fast=True)
    yield f"{name}, favouring recall", extract(favor_recall=True)


def words(text: str) -> str:
    """Nothing but the words, so that neither markup nor white space matters."""
    without_targets = re.sub(r"\]\([^)]*\)", "]", text).replace("\\", "")
    found = re.findall(r"\w+", without_targets.lower())
    return f" {' '.join(found)} "


def well_formed(text: str, kind: str) -> str:
    """The words of those lines that are written as the kind is: headings, items, rows, code."""
    if kind == "code":
        return words(" ".join(re.findall(r"^\s*(?:> )?```+.*?\n(.*?)```+$", text, re.DOTALL | re.MULTILINE)))
    start = {"heading": ("#",), "list": ("- ", "* "), "table": ("|",)}.get(kind, ("",))
    lines = (line.strip() for line in text.split("\n"))
    numbered = re.compile(r"\d+\. ")
    return words("\n".join(x for x in lines if x.startswith(start) or (kind == "list" and numbered.match(x))))


class Score(Struct):
    seconds: float = 0.0
    wanted: int = 0
    of_wanted: int = 0
    unwanted: int = 0
    of_unwanted: int = 0
    formed: int = 0
    of_formed: int = 0

    def add(self, page: LabelledPage, text: str) -> None:
        there = words(text)
        for kind, label in page.wanted:
            self.of_wanted += 1
            self.wanted += words(label) in there
            if kind != "text":
                self.of_formed += 1
                self.formed += words(label) in well_formed(text, kind)
        self.of_unwanted += len(page.unwanted)
        self.unwanted += sum(words(label) in there for label in page.unwanted)

    def shares(self) -> list[str]:
        parts = (self.wanted, self.of_wanted), (self.unwanted, self.of_unwanted), (self.formed, self.of_formed)
        return [f"{some / of:.3f}" for some, of in parts]


def responses(folder: Path, pages: list[LabelledPage]) -> list[Response]:
    recordings = {web: Recording([folder / f"{web}.warc.gz"]) for web in {page.web for page in pages}}
    return [_response(recordings[page.web], page.url) for page in pages]


def _response(recording: Recording, url: str) -> Response:
    record = recording.find(url)
    if record is None:
        sys.exit(f"{url} is not in the recordings: these are others than those that were labelled.")
    record.parse_http()
    headers = tuple((str(name), str(value)) for name, value in record.http_headers)
    return Response(url=url, status=200, headers=headers, body=record.reader.read())


def measured(extract: Extractor, pages: list[LabelledPage], answers: list[Response]) -> Score:
    score = Score()
    for page, answer in zip(pages, answers, strict=True):
        started = process_time()
        text = extract(answer)
        score.seconds += process_time() - started
        score.add(page, text)
    return score


def storage(answers: list[Response]) -> None:
    """What keeping the main text costs, beside making it anew each time."""
    started = process_time()
    kept = [zlib.compress(ours(answer).encode(), 6) for answer in answers]
    making = process_time() - started
    started = process_time()
    for each in kept:
        zlib.decompress(each).decode()
    reading = process_time() - started
    bodies = sum(len(zlib.compress(answer.body, 6)) for answer in answers)
    texts = sum(len(zlib.compress(all_text(answer).encode(), 6)) for answer in answers)
    print(
        f"kept: {sum(map(len, kept)) / len(kept) / 1000:.1f} KB a page, beside "
        f"{bodies / len(kept) / 1000:.1f} KB of the answer and "
        f"{texts / len(kept) / 1000:.1f} KB of all text; made {1000 * making / len(kept):.1f} ms, "
        f"read back {1000 * reading / len(kept):.2f} ms"
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument(
        "folder", type=Path, help="where schools-wikipedia.warc.gz, webkb.warc.gz and apache.warc.gz are"
    )
    arguments.add_argument("--held-out", action="store_true", help="on pages that nothing was fitted to")
    options = arguments.parse_args()
    folder, labels = options.folder, HELD_OUT if options.held_out else LABELS
    pages = [msgspec.json.decode(line, type=LabelledPage) for line in labels.read_bytes().splitlines()]
    missing = [page.web for page in pages if not (folder / f"{page.web}.warc.gz").exists()]
    if missing:
        sys.exit(f"{folder} has no {missing[0]}.warc.gz: name the folder of the recorded webs.")
    answers = responses(folder, pages)
    scores = {name: measured(extract, pages, answers) for name, extract in extractors()}
    print("\n".join(markdown_table(
        [f"on {len(pages)} labelled pages", "wanted", "unwanted", "form", "CPU ms a page"],
        [[name, *score.shares(), f"{1000 * score.seconds / len(pages):.1f}"] for name, score in scores.items()],
    )) + "\n")  # fmt: skip
    storage(answers)
    own = scores[OURS]
    met = own.wanted / own.of_wanted >= GOAL_WANTED and own.unwanted / own.of_unwanted <= GOAL_UNWANTED
    print(f"goal: wanted at least {GOAL_WANTED}, unwanted at most {GOAL_UNWANTED}: {'met' if met else 'NOT met'}")
    sys.exit(not met)


if __name__ == "__main__":
    main()
