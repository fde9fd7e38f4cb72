"""Would judge and search be better if they went by the main text of pages, and not by all of it?

    ./run python benchmarks/main_text_use.py judge            three recorded webs, in ../shared/data
    ./run python benchmarks/main_text_use.py judge --web webkb --topics 3
    ./run python benchmarks/main_text_use.py judge --every 3 --minutes 4    topics 1, 4, 7 ...; goes on when repeated
    ./run python benchmarks/main_text_use.py search

Judge: `auto`, as `scenthound lab --judges auto` tries it, from keywords and with examples, on pages as they are; on
pages as if their main text were all of them (text, headings and links); and, with --lead, on whole pages whose *lead*,
the field of what a page begins with, is that of the main text. Trials are kept in --into: the same command goes on.

Search: an index as `scenthound search` has it, of title and text, beside others: of the main text alone, and with the
rest of the page as a field that counts less. Asked are the keywords of each topic, whose answers are its targets; and
the words of links, whose answer is the page they lead to (`--links` of a web, drawn at random: more than one word, no
other page is called so, and the page itself does not have them as its title). Results: docs/relevance.md and
docs/exporting.md.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

import msgspec
from msgspec import Struct

import scenthound.judges.auto  # noqa: F401  found by its name otherwise, and a result's digest goes by imports
from main_text_parts.main_pages import MainTexts, PagesOfMainText
from main_text_parts.search_fields import INDEXES, Questions, SearchFields
from scenthound.lab.code_digest import code_digest
from scenthound.lab.crawls.results import read_rows
from scenthound.lab.judges.judge_experiment import JudgeExperiment, trials_of
from scenthound.lab.judges.judge_results import trial_roots
from scenthound.lab.judges.judge_trial import try_judge
from scenthound.lab.judges.web_pages import WebPages
from scenthound.lab.report.tables import markdown_table, p_value
from scenthound.lab.statistics import compare
from scenthound.lab.webs import open_web

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TOPICS = {"apache": "topics-apache.jsonl"}  # of the others: topics.jsonl
WEBS = ("schools-wikipedia", "webkb", "apache")
WHOLE, MAIN, LEAD = "whole page", "main text", "lead of the main text"
FIGURES = {"f1": "F1", "average-precision": "average precision"}


class TriedJudge(Struct, frozen=True):
    web: str
    topic: str
    given: str
    pages: str  # what the judge went by
    code: str
    figures: dict[str, float]

    def key(self) -> tuple[str, ...]:
        return self.web, self.topic, self.given, self.pages, self.code


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("judge", "search"))
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the webs and their topics")
    parser.add_argument("--web", default=",".join(WEBS), help="names of webs, with commas in between")
    parser.add_argument("--lead", action="store_true", help="with judge: the lead of the main text, too")
    parser.add_argument("--topics", type=int, default=100, help="how many topics of each web")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="with judge: of each N topics the first")
    parser.add_argument("--minutes", type=float, default=0.0, help="with judge: try no more after these; 0 = try all")
    parser.add_argument("--links", type=int, default=400, help="how many links are asked for, of each web")
    parser.add_argument("--into", type=Path, default=Path("lab/main-text-judge.jsonl"), help="where trials are kept")
    options = parser.parse_args()
    webs = [web for web in options.web.split(",") if warc_of(web, options).is_file()]
    if not webs:
        print(f"There is none of {options.web} in {options.data}: nothing to measure. Name the folder with --data.")
        return 0
    if options.what == "search":
        print(search_tables(webs, options))
        return 0
    if (tables := judge_tables(webs, options)) is None:
        print("Trials are left: the same command goes on with them.")
        return 1
    print(tables)
    return 0


def warc_of(web: str, options: argparse.Namespace) -> Path:
    return Path(options.data) / f"{web}.warc.gz"


# --- the judge ------------------------------------------------------------------------------------------------------


def judge_tables(webs: Sequence[str], options: argparse.Namespace) -> str | None:
    """None where time was over before all was tried."""
    ways = (WHOLE, MAIN, LEAD) if options.lead else (WHOLE, MAIN)
    last = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
    tried = list[TriedJudge]()
    for web in webs:
        rows = trials(web, ways, options, last)
        if rows is None:
            return None
        tried += rows
    return "\n\n".join("\n".join(judge_table(tried, webs, ways, figure)) for figure in FIGURES)


def trials(web: str, ways: Sequence[str], options: argparse.Namespace, last: float) -> list[TriedJudge] | None:
    """Every topic, from keywords and with examples, for each way to read a page; kept ones are not made again.

    None where `last` had come before all were made.
    """
    code = code_digest([*trial_roots("auto"), "scenthound.parse.main_content"])
    kept = {row.key(): row for row in read_rows(options.into, TriedJudge) if row.code == code}
    topics = str(options.data / TOPICS.get(web, "topics.jsonl"))
    experiment = JudgeExperiment(judges=["auto"], web=[str(warc_of(web, options))], topics=topics)
    asked = experiment.lab_topics()[: options.topics][:: options.every]
    wanted = [
        (trial, TriedJudge(web, trial.topic.name, trial.given, pages, code, {}))
        for trial in trials_of(experiment, asked)
        for pages in ways
    ]
    if all(row.key() in kept for _, row in wanted):
        return [kept[row.key()] for _, row in wanted]
    opened, main = open_web(experiment.web_spec()), MainTexts(warc_of(web, options))
    read = {
        WHOLE: WebPages(opened),
        MAIN: PagesOfMainText(opened, main),
        LEAD: PagesOfMainText(opened, main, lead_alone=True),
    }
    options.into.parent.mkdir(parents=True, exist_ok=True)
    for trial, row in wanted:
        if row.key() not in kept:
            if time.monotonic() > last:
                opened.close()
                return None
            figures = try_judge(experiment, trial, read[row.pages]).figures
            made = msgspec.structs.replace(row, figures={name: figures[name] for name in FIGURES})
            kept[row.key()] = made
            with options.into.open("ab") as file:
                file.write(msgspec.json.encode(made) + b"\n")
            print(*made.key()[:4], made.figures, file=sys.stderr, flush=True)
    opened.close()
    return [kept[row.key()] for _, row in wanted]


def judge_table(tried: Sequence[TriedJudge], webs: Sequence[str], ways: Sequence[str], figure: str) -> list[str]:
    """A line for each web and way to ask, and one for all webs."""
    lines = []
    for given in ("keywords", "examples"):
        for some in (*([web] for web in webs), *([list(webs)] if len(webs) > 1 else [])):
            values: dict[str, dict[str, float]] = {}
            for row in tried:
                if row.given == given and row.web in some:
                    values.setdefault(row.pages, {})[f"{row.web} {row.topic}"] = row.figures[figure]
            lines.append([some[0] if len(some) == 1 else "all", given, *cells(values, WHOLE)])
    return markdown_table([f"{FIGURES[figure]} of the judge", "given", *heads(ways[1:])], lines)


def heads(others: Iterable[str]) -> list[str]:
    return [WHOLE, *(text for name in others for text in (name, "difference, p (Holm)"))]


def cells(values: Mapping[str, Mapping[str, float]], baseline: str) -> list[str]:
    """Means, and what each is beside the first: the difference with its interval, and Wilcoxon's test."""
    compared = compare(values, baseline)
    found = [f"{mean(values[baseline].values()):.3f}"]
    for name, each in compared.items():
        gap = each.difference
        told = f"{gap.mean:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}], {p_value(each.p_holm)}"
        found += [f"{mean(values[name].values()):.3f}", told]
    return found


# --- search ---------------------------------------------------------------------------------------------------------


def search_tables(webs: Sequence[str], options: argparse.Namespace) -> str:
    scores: dict[str, dict[str, dict[str, dict[str, float]]]] = {}  # measure, web, index, question
    for web in webs:
        topics = str(options.data / TOPICS.get(web, "topics.jsonl"))
        plan = JudgeExperiment(judges=["auto"], web=[str(warc_of(web, options))], topics=topics)
        opened = open_web(plan.web_spec())
        pages = PagesOfMainText(opened, MainTexts(warc_of(web, options)))
        fields = SearchFields(WebPages(opened), pages, list(opened.urls()))
        questions = Questions(fields, plan.lab_topics()[: options.topics], options.links)
        for measure, found in questions.asked().items():
            scores.setdefault(measure, {})[web] = found
        opened.close()
    tables = []
    for measure, by_web in scores.items():
        lines = [[web, *cells(found, next(iter(INDEXES)))] for web, found in by_web.items()]
        if len(by_web) > 1:
            lines.append(["all", *cells(pooled(by_web), next(iter(INDEXES)))])
        tables.append("\n".join(markdown_table([measure, *heads(list(INDEXES)[1:])], lines)))
    return "\n\n".join(tables)


def pooled(by_web: Mapping[str, Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    together: dict[str, dict[str, float]] = {}
    for web, found in by_web.items():
        for index, values in found.items():
            together.setdefault(index, {}).update({f"{web} {name}": value for name, value in values.items()})
    return together


if __name__ == "__main__":
    sys.exit(main())
