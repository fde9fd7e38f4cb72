"""Judging stored pages again, in words: how far it is, what came of it, and why it was done."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.app.events import Judged, Judging
from scenthound.report.formatting import count, plural

CAUSES = {
    "topic": "the topic has changed",
    "judge": "another judge is set",
    "threshold": "the threshold has changed",
    "examples": "the examples have changed",
    "labels": "the labels have changed",
    "pages": "the judge has learned from the pages",
}
"""What the parts of a digest say when they change; see `crawler.present_judge.digest_of`."""


def judging_line(event: Judging) -> str:
    return f"Judging again page {count(event.done)} of {count(event.pages)}. Ctrl-C leaves it for the next time."


def judged_line(event: Judged) -> str:
    """What judging again came to, within a crawl."""
    if not event.finished:
        return "Judging the pages again was stopped; nothing is changed, and the next crawl does it."
    because = f", since {causes(event.because)}" if event.because else ""
    same = not (event.came_in or event.went_out)
    before = "as before" if same else f"{count(event.relevant_before)} did before"
    return f"{plural(event.pages, 'page')} judged again{because}: {count(event.relevant)} count as found, {before}."


def causes(changed: Sequence[str]) -> str:
    known = [CAUSES[name] for name in changed if name in CAUSES]
    *others, last = known or ["they were not judged by what is set now"]
    return f"{', '.join(others)} and {last}" if others else last
