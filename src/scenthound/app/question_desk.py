"""Questions about a library's pages for somebody who comes and goes: the session is made when first asked.

A question is made in a thread, one at a time. Labels that were set elsewhere meanwhile are taken in by the session,
which reads them from the library.

While a person reads a page, the question after it is made for either answer, so that nobody waits for it; once more
when the judge has learned from the last answer.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Lock

from msgspec import Struct
from msgspec.structs import replace

from scenthound.app.label_questions import AskingSession, open_session, read_session
from scenthound.app.label_session import LabelSession, Question


class QuestionState(Struct, frozen=True):
    """The next question, and how far one is."""

    question: Question | None  # None: there is nothing left to ask
    answered: int
    counting: int  # pages that count, as things stand
    looked_at: int
    can_undo: bool = False


class QuestionDesk:
    """The session of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open = ExitStack()
        self._asking: AskingSession | None = None
        self._lock = Lock()
        self._shown = ""  # URL of the page that somebody reads
        self._ahead: dict[bool, Question | None] = {}  # what comes after it: after a yes, and after anything else
        self._worker: ThreadPoolExecutor | None = None

    def ask(self) -> QuestionState:
        """The page to ask about next."""
        with self._lock:
            session = self._session()
            return self._state(session, session.question())

    def answer(self, url: str, relevant: bool | None) -> QuestionState:
        """Stores the answer, None for a page that is skipped, and asks on."""
        with self._lock:
            session = self._session()
            if url not in session.pages:
                return self._state(session, session.question())
            ready = self._ahead if url == self._shown else {}
            with session.alone():
                session.answer(url, relevant)
                question = ready[relevant is True] if (relevant is True) in ready else session.question()
                return self._state(session, question)

    def undo(self) -> QuestionState:
        """Takes the last answer back, and asks about that page again."""
        with self._lock:
            session = self._session()
            url = session.back()
            return self._state(session, session.question() if url is None else session.question_about(url))

    def start_over(self) -> None:
        """Reads the pages anew the next time: others may have come."""
        if self._worker is not None:
            self._worker.shutdown(wait=True, cancel_futures=True)
        with self._lock:
            self._open.close()
            self._asking = self._worker = None
            self._shown, self._ahead = "", {}

    close = start_over

    def _session(self) -> LabelSession:
        if self._asking is None:
            read = asyncio.run(read_session(self.folder))
            self._asking = self._open.enter_context(open_session(self.folder, read))
            self._worker = ThreadPoolExecutor(1, "question after next")
            self._asking.session.on_scores = self._look_ahead
        return self._asking.session

    def _state(self, session: LabelSession, question: Question | None) -> QuestionState:
        if question is not None:
            question = replace(question, number=len(session.asked) + 1)
        self._shown, self._ahead = question.url if question is not None else "", {}
        self._look_ahead()
        session.change()
        return QuestionState(question, session.answered(), session.counting(), len(session.pages), bool(session.asked))

    def _look_ahead(self) -> None:
        worker = self._worker
        if worker is not None:
            with suppress(RuntimeError):  # it is being closed
                worker.submit(self._prepare)

    def _prepare(self) -> None:
        """Makes the question that comes after the one that is shown."""
        with self._lock:
            if self._asking is None or not self._shown:
                return
            session = self._asking.session
            after_no = session.question_after(self._shown, False)
            likes = session.likes_something()
            self._ahead = {False: after_no, True: after_no if likes else session.question_after(self._shown, True)}
