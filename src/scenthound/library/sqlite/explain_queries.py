"""A library that is asked about its own decisions: why this URL, why not that one."""

from __future__ import annotations

from difflib import SequenceMatcher
from heapq import nlargest

import msgspec

from scenthound import config as toml
from scenthound import urls
from scenthound.config import Config
from scenthound.library.sqlite.library import SqliteLibrary
from scenthound.library.sqlite.url_table import WAITING
from scenthound.protocols.records import UrlRow

SETTINGS = "topic.toml"
MOST_COMPARED = 2000


class ExplainQueries(SqliteLibrary):
    """A library with the questions of `explain`, `search` and the report."""

    def settings(self) -> Config:
        """As the last run had them, options included; else as topic.toml says."""
        runs = self.runs()
        if runs:
            try:
                return msgspec.json.decode(runs[-1].config, type=Config)
            except msgspec.MsgspecError:
                pass  # written by a version with other settings
        path = self.folder / SETTINGS
        return toml.load(path) if path.is_file() else Config()

    def ahead(self, row: UrlRow) -> tuple[int, int]:
        """How many waiting links have a better claim than this one: in all, and on its host."""
        better = f"SELECT count(*) FROM urls WHERE state = {WAITING} AND (priority > ? OR (priority = ? AND nth < ?))"
        claim = (row.priority, row.priority, row.order)
        everywhere = self._ask(better, claim).fetchone()[0]
        return int(everywhere), int(self._ask(f"{better} AND host = ?", (*claim, row.host)).fetchone()[0])

    def near(self, url: str, n: int = 3) -> list[str]:
        """Known URLs of the same host that are spelled most like it."""
        query = f"SELECT url FROM urls WHERE host = ? LIMIT {MOST_COMPARED}"
        known = [row[0] for row in self._ask(query, (urls.host(url),))]
        spelled = [twin for twin in _twins(url) if self.url_row(twin) is not None]
        matcher = SequenceMatcher(b=url, autojunk=False)

        def likeness(other: str) -> float:
            matcher.set_seq1(other)
            return matcher.quick_ratio()

        return list(dict.fromkeys([*spelled, *nlargest(n, known, key=likeness)]))[:n]


def _twins(url: str) -> list[str]:
    """The same address as people mistype it: other scheme, with or without www, with or without the last slash."""
    scheme, _, rest = url.partition("://")
    schemes = (scheme, "http" if scheme == "https" else "https")
    names = (rest, rest.removeprefix("www.") if rest.startswith("www.") else f"www.{rest}")
    spellings = [f"{s}://{n}" for s in schemes for n in names]
    spellings += [each.rstrip("/") if each.endswith("/") else f"{each}/" for each in spellings]
    return [each for each in spellings if each != url and urls.canonical(each) == each]
