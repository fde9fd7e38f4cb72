"""What a crawl knows of traps, by their URLs (`traps`) and by the lines of pages in them (`barren_lines`).

It is kept in the library beside what strategy and judge have learned (`crawl_snapshots`), and the pages since are
relived, so that a crawl that goes on leaves a trap where it would have left it. Where nothing was kept, or where it was
made with other settings, what stored pages still tell has to do: `relive_figures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scenthound import urls
from scenthound.config import Config
from scenthound.crawler.barren_lines_file import kept_lines
from scenthound.crawler.traps import Traps
from scenthound.learn.snapshot_arrays import nested
from scenthound.model import Visit, Waiting
from scenthound.protocols.crawl import Clock
from scenthound.protocols.records import StoredPage
from scenthound.protocols.snapshots import Snapshot


class TrapWatch:
    """Learns from every visit, and says which links lead into a trap."""

    def __init__(self, folder: Path | None, clock: Clock) -> None:
        self.traps = Traps(clock)
        self.lines = kept_lines(folder)
        self.goes_on = False  # whether it knows what the last crawl knew, to the last page

    @classmethod
    def of(cls, config: Config, folder: Path | None, clock: Clock) -> TrapWatch | None:
        """As the settings say; `folder` is that of the library, where there is one."""
        return cls(folder, clock) if config.scope.traps else None

    def refuses(self, url: str) -> str | None:
        return self.traps.refuses(url)

    def gives_up(self, waiting: Waiting) -> str | None:
        return self.lines.gives_up(waiting)

    def learn(self, visit: Visit, new: Sequence[str], *, original: str) -> None:
        """`new`: the links that nobody had seen; `original`: the stored page that this one nearly repeats, if any."""
        url = visit.page.url
        if _is_twin(url, original):
            self.lines.twin(url, original)
            return
        known = self.lines.learn(visit, new, duplicate=bool(original))
        # A page with next to no words has no fingerprint to compare. Off the topic, one is like the other.
        repeats = known or not (visit.page.simhash or visit.relevant)
        self.traps.learn(url, duplicate=repeats, relevant=visit.relevant, new=new)

    def relive_figures(self, stored: StoredPage) -> None:
        """What can be learned once more from a stored page that is not read back."""
        if _is_twin(stored.url, stored.duplicate_of):
            return
        relevant = stored.first_relevant  # as the crawl saw it
        repeats = bool(stored.duplicate_of) or not (stored.simhash or relevant)
        self.traps.learn(stored.url, duplicate=repeats, relevant=relevant)

    def snapshot(self) -> Snapshot:
        lines, traps = self.lines.snapshot(), self.traps.snapshot()
        return Snapshot(1, {"lines": nested(lines), "traps": nested(traps)}, lines.arrays)

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(1)
        self.lines.restore(Snapshot(**values["lines"], arrays=arrays))
        self.traps.restore(Snapshot(**values["traps"]))


def _is_twin(url: str, original: str) -> bool:
    """Whether a page repeats itself under http and https: that is a copy of a site, and no trap."""
    return bool(original) and urls.other_scheme(original) == url
