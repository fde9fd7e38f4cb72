"""Labels on a screen: the list of them, what a label changed, and questions about pages with one key an answer."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import typer
from rich.console import Console
from rich.text import Text

from scenthound.app.judgement_words import WordWeight
from scenthound.app.label import LabelChange, LabelEffect, LabelRow
from scenthound.app.label_questions import ProgramReport
from scenthound.app.label_session import CountChange, LabelSession, Question
from scenthound.cli.started_as import program
from scenthound.report.formatting import day, plural, printable

PATIENCE = 0.05
"""Seconds that a person waits for scores that take the last answer in; then the next page is shown by the old ones."""

KEYS = {"y": "yes", "n": "no", "s": "skip", "b": "back", "o": "open", "q": "quit"}
PROMPT = "Relevant?  y yes · n no · s skip · b back · o open · q quit "
NAMED = 3  # pages that came in or went out, by title

SAID = {True: "relevant", False: "not relevant"}
STATES = {"waiting": "not fetched yet", "failed": "could not be fetched", "refused": "was not asked for"}
STYLE = {True: "green", False: "red"}


# Labels


def label_list(rows: Sequence[LabelRow], folder: Path) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if not rows:
        there = shlex.quote(str(folder))
        console.print(Text(f"No labels yet. To be asked about pages: {program()} label {there} --ask"))
        return
    yes = sum(row.relevant for row in rows)
    console.print(Text(f"{plural(len(rows), 'label')}: {yes:,} yes, {len(rows) - yes:,} no", style="bold"))
    who = max(len(row.by) for row in rows)
    for row in rows:
        judged = f"{row.relevance:.2f}" if row.relevance is not None else ""
        console.print(
            Text.assemble(
                (f"{'yes' if row.relevant else 'no':<5}", STYLE[row.relevant]),
                (f"{day(row.at) if row.at else '':<18}{printable(row.by):<{who}}  {judged:<6}", "dim"),
                printable(row.subject),
                (f"  {printable(row.title)}" if row.title else "", "dim"),
            )
        )


def change_lines(changes: Sequence[LabelChange]) -> Iterator[str]:
    """What was said, and what it was before."""
    for change in changes:
        yield f"{_said(change)}: {printable(change.subject)}{_note(change)}"
        if change.kind == "page" and not change.state:
            yield "  The crawl never saw it; the label is kept for when it does."
            yield from (f"  Did you mean {printable(url)}" for url in change.near)
        if change.copy_of:
            yield f"  It is a copy of {printable(change.copy_of)}, and only that one counts."
        if not change.teaches:
            yield "  It asks not to be indexed, so its text was not kept, and nothing is learned from it."


def _said(change: LabelChange) -> str:
    if change.relevant is None:
        return "label taken back" if change.changed else "no label"
    return SAID[change.relevant]


def _note(change: LabelChange) -> str:
    if not change.changed:
        return " (as before)" if change.relevant is not None else ""
    if change.before is not None:
        return f" (was: {SAID[change.before]})"
    if change.kind == "site":
        return " (a site)"
    if change.state not in ("", "fetched"):
        return f" ({STATES.get(change.state, change.state)})"
    return f" (judged {change.relevance:.2f})" if change.relevance is not None else ""


def site_lines(changes: Sequence[LabelChange], folder: Path) -> Iterator[str]:
    """Where labels of sites show."""
    sites = [change for change in changes if change.kind == "site"]
    there = shlex.quote(str(folder))
    if any(change.state for change in sites):
        yield f"The list of sites goes by it: {program()} sites {there} --list"
    elif sites:
        yield f"It is kept for a crawl for sites: {program()} sites TOPIC --into {there}"


def import_line(changes: Sequence[LabelChange], where: str) -> str:
    new = sum(change.changed for change in changes)
    unknown = sum(change.kind == "page" and change.relevance is None for change in changes)
    overruled = sum(not change.changed for change in changes)
    told = f"{plural(len(changes), 'label')} from {where}: {new:,} new"
    told += f", {overruled:,} as before or overruled by a person" if overruled else ""
    return told + (f", {unknown:,} about pages this crawl does not have" if unknown else "")


def effect_lines(effect: LabelEffect) -> Iterator[str]:
    """What labels did to the judgement of all pages, or when they will."""
    judged = effect.judged
    if judged is not None:
        yield f"Judged again: {judged.relevant_before:,} → {plural(judged.relevant, 'page')} count"
        for name, pages, number in (("in", judged.now_in, judged.came_in), ("out", judged.now_out, judged.went_out)):
            if number:
                yield _named(name, [page.title or page.url for page in pages], number)
    if effect.later:
        yield effect.later


def _named(name: str, titles: Sequence[str], number: int) -> str:
    more = f" and {number - NAMED:,} more" if number > NAMED else ""
    return f"  {name:<8}{'; '.join(map(printable, titles[:NAMED]))}{more}"


def program_lines(report: ProgramReport) -> Iterator[str]:
    """What a program said, and what was learned from it."""
    answers = report.yes + report.no + report.unsure
    yield (
        f"{printable(report.program)} answered {plural(answers, 'time')}: {report.yes:,} yes, {report.no:,} no, "
        f"{report.unsure:,} unsure" + (f" ({report.known_before:,} known from before)" if report.known_before else "")
    )
    for reason, number in report.in_vain.items():
        said = printable(report.details.get(reason, ""))
        yield f"  no answer {plural(number, 'time')}: {reason}" + (f" ({said})" if said else "")
    if report.gave_up:
        yield "  It was not asked any more after that. What it answered is kept."
    yield f"{report.counted_before:,} → {report.counted_now:,} of {plural(report.looked_at, 'page')} looked at count"


# Questions


def ask(session: LabelSession, read: Callable[[], str], show: QuestionView, patience: float | None) -> None:
    """Until nothing is left, or a person has enough. What was answered is stored at once.

    `read` gives a key, or nothing at the end. `patience`: how long new scores are waited for; None: until they come.
    """
    question = session.question()
    while question is not None:
        show.question(question)
        key = _key(read, show, question)
        if key == "q":
            return
        taken_back = session.back() if key == "b" else None
        if key == "b" and taken_back is None:
            show.note("There is no answer to take back.")
            continue
        if key != "b":
            session.answer(question.url, {"y": True, "n": False}.get(key))
        session.settle(patience)
        if (change := session.change()) is not None:
            show.change(change, session)
        question = session.question_about(taken_back) if taken_back else session.question()
    show.note("No page is left to ask about.")


def _key(read: Callable[[], str], show: QuestionView, question: Question) -> str:
    """A key that means something."""
    while True:
        show.prompt()
        given = read().strip().lower()
        show.answered(given[:1])
        if not given:
            return "q"
        if given[0] == "o":
            show.open(question.url)
        elif given[0] in KEYS:
            return given[0]
        else:
            show.note(", ".join(f"{key} {meaning}" for key, meaning in KEYS.items()))


def line_reader() -> str:
    """The next answer of a pipe or file; blank lines are passed over, nothing is left at its end."""
    for line in sys.stdin:
        if line.strip():
            return line
    return ""


class QuestionView:
    """Questions for a person."""

    def __init__(self, keys: bool) -> None:
        self.console = Console(highlight=False, soft_wrap=True)
        self.keys = keys  # somebody sits there and presses keys

    def question(self, question: Question) -> None:
        say = self.console.print
        say(Text.assemble("\n", (f"{question.number}  ", "dim"), (printable(question.title) or "(no title)", "bold")))
        say(Text(printable(question.url), style="cyan"))
        say(Text(printable(question.snippet)))
        counts = "counts" if question.relevant else "does not count"
        say(Text.assemble((f"{question.probability:.2f}", STYLE[question.relevant]), (f", {counts}", "dim")))
        for speaking_for, name in ((True, "for"), (False, "against")):
            if words := _words(question.words, speaking_for):
                say(Text.assemble((f"  {name:<8}", "dim"), printable(", ".join(words))))

    def prompt(self) -> None:
        self.console.print(Text(PROMPT, style="bold"), end="")

    def answered(self, key: str) -> None:
        self.console.print(Text(KEYS.get(key, "") if self.keys else key))

    def change(self, change: CountChange, session: LabelSession) -> None:
        told = f"{change.before:,} → {change.now:,} of {plural(change.looked_at, 'page')} count"
        self.console.print(Text(told, style="bold"))
        for urls, name in ((change.came_in, "in"), (change.went_out, "out")):
            if urls:
                self.console.print(Text(_named(name, [session.pages[url].title or url for url in urls], len(urls))))

    def effect(self, effect: LabelEffect) -> None:
        for line in effect_lines(effect):
            self.console.print(Text(line))

    def open(self, url: str) -> None:
        self.console.print(Text(printable(url), style="cyan"))
        if self.keys:
            typer.launch(url)

    def note(self, text: str) -> None:
        self.console.print(Text(text, style="dim"))


class JsonQuestionView(QuestionView):
    """Questions for a program that holds the other end of both pipes: a line of JSON each."""

    def question(self, question: Question) -> None:
        self._tell({"event": "question", **msgspec.to_builtins(question)})

    def prompt(self) -> None:
        pass

    def answered(self, key: str) -> None:
        pass

    def change(self, change: CountChange, session: LabelSession) -> None:
        self._tell({"event": "change", **msgspec.to_builtins(change)})

    def effect(self, effect: LabelEffect) -> None:
        self._tell({"event": "judged", **msgspec.to_builtins(effect)})

    def open(self, url: str) -> None:
        pass

    def note(self, text: str) -> None:
        sys.stderr.write(f"{text}\n")

    def _tell(self, event: object) -> None:
        sys.stdout.write(msgspec.json.encode(event).decode() + "\n")
        sys.stdout.flush()


def _words(words: Sequence[WordWeight], speaking_for: bool) -> list[str]:
    return [each.word for each in words if (each.part > 0) is speaking_for]
