"""Where questions about a library's pages come from, and a program that answers them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from heapq import nsmallest
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from scenthound import config as toml
from scenthound import registry, urls
from scenthound.app.label_session import LabelSession
from scenthound.config import Config, named
from scenthound.crawler import examples
from scenthound.crawler.context import build
from scenthound.crawler.present_judge import present_context, show_pages, stored_sample
from scenthound.crawler.read_back import WORTH_A_PROCESS, read_back
from scenthound.errors import LibraryError
from scenthound.gc_tuning import rare_collection
from scenthound.judges.threshold import threshold_of
from scenthound.library import open_library
from scenthound.library.label_rules import PROGRAM
from scenthound.library.run_settings import SETTINGS, last_settings
from scenthound.model import Page, Topic
from scenthound.parse.parser_pool import ParserPool
from scenthound.protocols.crawl import Begins, Context, Judge, Progress, Watches
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage
from scenthound.training.program_answers import (
    MEANING,
    TIMEOUT,
    KeptAnswers,
    NoAnswer,
    Word,
    ask_program,
    name_of,
    question_about,
)

MOST_PAGES = 2_000
"""Pages that one may be asked about in a session: each is read once at its start, and scored after every answer."""

QUESTIONS = 20
IN_VAIN = 5
"""Runs without an answer, one after the other, after which a program is not asked any more."""


class SessionPages(Struct, frozen=True):
    """What a session begins with: pages as they were read, and what is known of the topic."""

    judge: str | dict[str, Any]  # as the settings name it
    threshold: float
    context: Context
    kept: examples.ExamplePages  # of the topic, without labels
    pages: dict[str, Page]  # to ask about, and labelled ones
    sample: list[Page]  # what is ordinary here


class AskingSession(Struct, frozen=True):
    """Questions about a library, and the topic they are about."""

    session: LabelSession
    topic: Topic


async def read_session(folder: Path, progress: Progress | None = None) -> SessionPages:
    """Reads the pages worth asking about, each once, on all cores. A crawl may go on meanwhile."""
    with open_library(folder, write=False) as library, rare_collection():
        config = toml.load(folder / SETTINGS) if (folder / SETTINGS).is_file() else last_settings(library)
        kept, threshold = examples.load_kept(config, folder), threshold_of(config)
        watches = hook(registry.judge.build(*named(config.crawl.judge, "judge")), Watches) is not None
        asked, sample = pages_to_ask(library, threshold), stored_sample(library) if watches else []
        wanted = sorted({stored.seq: stored for stored in (*asked, *sample)}.values(), key=lambda stored: stored.seq)
        read = await _read(library, wanted, config, progress)
        pages = {stored.url: read[stored.url] for stored in asked if stored.url in read}
        if not pages:
            raise LibraryError(f"{folder} has no pages to ask about yet. Crawl some: scenthound crawl {folder}")
        context = present_context(config, library, kept, folder=folder)
        shown = [read[stored.url] for stored in sample if stored.url in read]
        return SessionPages(config.crawl.judge, threshold, context, kept, pages, shown)


async def _read(
    library: Library, wanted: Sequence[StoredPage], config: Config, progress: Progress | None
) -> dict[str, Page]:
    done, read = 0, {}
    pool = ParserPool.of(config.crawl.parsers) if len(wanted) >= WORTH_A_PROCESS else None
    try:
        async for back in read_back(library, wanted, config.topic.language, pool):
            if back.page is not None:
                read[back.stored.url] = back.page
            done += 1
            if progress is not None:
                progress(done, len(wanted))
    finally:
        if pool is not None:
            await pool.close()
    return read


@contextmanager
def open_session(folder: Path, read: SessionPages) -> Iterator[AskingSession]:
    """Questions about pages that were read, with the judge as of now."""
    judges: list[Judge] = []
    for _ in range(2):
        judges.append(build(registry.judge, read.judge, read.context))
        show_pages(judges[-1], read.context, read.sample)
    with open_library(folder, write=False) as library, rare_collection():
        session = LabelSession(
            library,
            read.pages,
            (judges[0], judges[1]),
            partial(_begin, read),
            read.threshold,
            known=[page.url for page in read.kept.relevant],
        )
        try:
            yield AskingSession(session, read.context.topic)
        finally:
            session.close()


def _begin(read: SessionPages, judge: Judge, labels: Mapping[str, bool]) -> None:
    """Begins a judge anew, as it would at the next crawl: the topic's own examples, and pages that labels speak of."""
    told = {
        relevant: (
            *(page for page in own if labels.get(page.url, relevant) is relevant),
            *(read.pages[url] for url, said in sorted(labels.items()) if said is relevant and url in read.pages),
        )
        for relevant, own in ((True, read.kept.relevant), (False, read.kept.irrelevant))
    }
    if (beginner := hook(judge, Begins)) is not None:
        beginner.begin(replace(read.context, examples=told[True], counterexamples=told[False], labels=labels))


def pages_to_ask(library: Library, threshold: float, most: int = MOST_PAGES) -> list[StoredPage]:
    """The pages worth reading, in the order they were fetched: those labelled, and of the others `most`.

    Where there are more, half of them are those nearest to the threshold, a quarter the best, and a quarter of all
    kinds, by the hash of the URL: what looks poor and is good would never be asked about otherwise.
    """
    labelled = library.labels()
    there = [page for page in library.pages() if _may_be_asked(page) or page.url in labelled]
    others = [page for page in there if page.url not in labelled]
    chosen = {page.url for page in there if page.url in labelled}
    for share, order in (
        (most // 2, lambda page: (abs(page.relevance - threshold), page.seq)),
        (most // 4, lambda page: (-page.relevance, page.seq)),
        (most, lambda page: (urls.fingerprint(page.url),)),
    ):
        left = [page for page in others if page.url not in chosen]
        room = most + len(labelled) - len(chosen)
        chosen.update(page.url for page in nsmallest(min(share, room), left, key=order))
    return [page for page in there if page.url in chosen]


def _may_be_asked(page: StoredPage) -> bool:
    return page.state == "fetched" and not page.duplicate_of and not page.noindex


class ProgramReport(Struct):
    """What came of asking a program."""

    program: str
    runs: int = 0
    known_before: int = 0  # answers that were kept from earlier runs
    yes: int = 0
    no: int = 0
    unsure: int = 0
    in_vain: dict[str, int] = field(default_factory=dict)  # why there was no answer -> how often
    details: dict[str, str] = field(default_factory=dict)  # why -> what the program said, the first time
    gave_up: bool = False
    counted_before: int = 0  # pages, of those looked at
    counted_now: int = 0
    looked_at: int = 0


async def answer_by_program(
    asking: AskingSession,
    argv: list[str],
    folder: Path,
    questions: int = QUESTIONS,
    seconds: float = TIMEOUT,
    progress: Progress = lambda done, whole: None,
) -> ProgramReport:
    """Puts questions to a program, those that teach most first. Its answers are stored as its own, one by one."""
    session, kept = asking.session, KeptAnswers(folder)
    report = ProgramReport(name_of(argv), counted_before=session.counting(), looked_at=len(session.pages))
    in_a_row = 0
    for done in range(questions):
        progress(done, questions)
        session.settle()
        question = session.question()
        if question is None:
            break
        put = question_about(session.pages[question.url], asking.topic)
        answer = await _put(put, argv, kept, seconds, report)
        session.answer(question.url, MEANING[answer] if answer else None, f"{PROGRAM}{report.program}")
        in_a_row = 0 if answer else in_a_row + 1
        if in_a_row == IN_VAIN:
            report.gave_up = True
            break
    session.settle()
    session.change()
    report.counted_now = session.counting()
    return report


async def _put(
    question: dict[str, Any], argv: list[str], kept: KeptAnswers, seconds: float, report: ProgramReport
) -> Word | None:
    """The answer, as it was given before or is given now; None where there is none. The report counts it."""
    answer: Word | NoAnswer | None = kept.get(argv, question)
    if answer is not None:
        report.known_before += 1
    else:
        report.runs += 1
        answer = await ask_program(argv, question, seconds)
    if isinstance(answer, NoAnswer):
        report.in_vain[answer.reason] = report.in_vain.get(answer.reason, 0) + 1
        report.details.setdefault(answer.reason, answer.detail)
        return None
    kept.keep(argv, question, answer)
    setattr(report, answer, getattr(report, answer) + 1)
    return answer
