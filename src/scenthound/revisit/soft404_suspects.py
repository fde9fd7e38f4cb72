"""Pages that may be soft 404s wait here until their host has answered a probe: a request for a page that cannot exist.

A host is probed once for all its suspects. What it answers is stored, and believed for a month.
"""

from __future__ import annotations

from hashlib import blake2b

from msgspec import Struct

from scenthound import urls
from scenthound.crawler.answer_digest import REDIRECTS
from scenthound.model import Failed, Link, Page, Response, Visit, Waiting
from scenthound.protocols.library import Library
from scenthound.protocols.records import MissingPage, WatchedPage
from scenthound.revisit.detect import soft404
from scenthound.revisit.detect.changes import PageChange
from scenthound.revisit.detect.stored_page import StoredText
from scenthound.text.simhash import simhash

PROBED_FOR = 30 * 86_400.0  # seconds for which a host's answer to nonsense is remembered


class Suspect(Struct, frozen=True):
    """A page that answered with something new. It may be a soft 404, if there is a reason `why`."""

    lease: Waiting
    page: WatchedPage
    response: Response
    visit: Visit
    old: StoredText
    change: PageChange
    why: soft404.Suspicion


class Soft404Suspects:
    """Who waits for a probe of which host, and what hosts answer to nonsense."""

    def __init__(self, history: Library) -> None:
        self._history = history
        self._answers: dict[str, MissingPage | None] = {}
        self._waiting: dict[str, list[Suspect]] = {}

    def hosts(self) -> list[str]:
        """Those on which suspects wait."""
        return list(self._waiting)

    def missing_page(self, host: str) -> MissingPage | None:
        """What the host answered to nonsense, if it was ever asked."""
        if host not in self._answers:
            self._answers[host] = self._history.missing(host)
        return self._answers[host]

    def must_wait(self, suspect: Suspect) -> bool:
        """Whether nothing can be said of it before its host is probed."""
        if not suspect.why:
            return False
        known = self.missing_page(suspect.page.host)
        return known is None or suspect.response.at - known.at > PROBED_FOR

    def wait(self, suspect: Suspect, priority: float) -> Waiting | None:
        """Lets it wait. For the first of a host, the probe to make is returned."""
        page = suspect.page
        waiting = self._waiting.setdefault(page.host, [])
        waiting.append(suspect)
        if len(waiting) > 1:
            return None
        token = f"{blake2b(f'{page.url} {page.fetched_at}'.encode(), digest_size=8).hexdigest()}-no-such-page"
        url = urls.Base(page.url).resolve(token)
        if not isinstance(url, str):
            return None
        link = Link(url=url, source=page.url, anchor=token, kind="probe")
        return Waiting(urls.fingerprint(url), link, page.host, priority, 0)

    def learn(self, probe: Waiting, answer: Response | Failed, page: Page, at: float) -> None:
        """What the host answered; `page` is what the parser read of it, empty where there was nothing to read."""
        target = ""
        if isinstance(answer, Response) and answer.status in REDIRECTS:
            found = urls.Base(probe.link.url).resolve(answer.header("location"))
            target = found if isinstance(found, str) else ""
        digest = soft404.text_digest(page, probe.link.anchor)
        known = MissingPage(probe.host, at, answer.status, target, simhash(page.terms), digest)
        self._answers[probe.host] = known
        self._history.note_missing(known)

    def release(self, host: str) -> list[Suspect]:
        """Those that waited for the host's probe: it was made, or never will be."""
        return self._waiting.pop(host, [])

    def not_found(self, suspect: Suspect) -> str:
        """How the page says that it is not there; empty if it does not."""
        page = suspect.page
        front = self._history.page(f"{urls.origin(page.url)}/")
        others = front.simhash if front is not None and front.url != page.url else 0
        return soft404.not_found(suspect.visit.page, suspect.why, self.missing_page(page.host), others)
