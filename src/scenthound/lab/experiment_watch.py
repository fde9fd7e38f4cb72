"""Who looks on while an experiment runs: a progress bar, a test, or nobody."""

from __future__ import annotations


class ExperimentWatch:
    """Looks on. This one says nothing."""

    def reading(self) -> None:
        """The web is about to be read through, once and for all."""

    def read(self, pages: int) -> None:
        """So many more pages of it were read."""

    def begin(self, total: int, there: int) -> None:
        """There are so many crawls or trials in all, of which some results are there already."""

    def ended(self, topic: str | None) -> None:
        """One ended, on this topic; None where it failed."""

    def say(self, notice: str) -> None:
        """A word to whoever sits before the screen."""
