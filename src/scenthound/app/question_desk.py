"""Questions about a library's pages for somebody who comes and goes: the session is made when first asked.

A question is made in a thread, one at a time. Labels that were set elsewhere meanwhile are taken in by the session,
which reads them from the library.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from threading import Lock

from msgspec import Struct

from scenthound.app.label_questions import AskingSession, open_session, read_session
from scenthound.app.label_session import Question


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

    def ask(self) -> QuestionState:
        """The page to ask about next."""
        with self._lock:
            return self._state(self._session())

    def answer(self, url: str, relevant: bool | None) -> QuestionState:
        """Stores the answer, None for a page that is skipped, and asks on."""
        with self._lock:
            asking = self._session()
            if url in asking.session.pages:
                asking.session.answer(url, relevant)
            return self._state(asking)

    def undo(self) -> QuestionState:
        """Takes the last answer back, and asks about that page again."""
        with self._lock:
            asking = self._session()
            url = asking.session.back()
            return self._state(asking, url)

    def start_over(self) -> None:
        """Reads the pages anew the next time: others may have come."""
        with self._lock:
            self._open.close()
            self._asking = None

    close = start_over

    def _session(self) -> AskingSession:
        if self._asking is None:
            read = asyncio.run(read_session(self.folder))
            self._asking = self._open.enter_context(open_session(self.folder, read))
        return self._asking

    def _state(self, asking: AskingSession, url: str | None = None) -> QuestionState:
        session = asking.session
        question = session.question() if url is None else session.question_about(url)
        session.change()
        return QuestionState(question, session.answered(), session.counting(), len(session.pages), bool(session.asked))
