"""The folders that are served, each by a name that can stand in an address."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from scenthound.app.browsing_trail import TrailWalk
from scenthound.app.coverage import library_recall
from scenthound.app.crawl_plan import folder_name, is_crawl_folder
from scenthound.app.experiments import is_experiment
from scenthound.app.live_crawl import LiveCrawl
from scenthound.app.page_groups import page_groups
from scenthound.app.question_desk import QuestionDesk
from scenthound.app.site_map import site_map
from scenthound.app.site_ranking import rank_sites
from scenthound.errors import LibraryMissing, UsageError
from scenthound.protocols.crawl import Judge
from scenthound.web.answers import library_details
from scenthound.web.readers import Readers
from scenthound.web.slow_answer import SlowAnswer

TAKEN = frozenset({"api", "static", "lab"})
"""First parts of addresses that mean something else."""


class ServedLibrary:
    """One folder: its library, its crawl, and the questions about its pages."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.readers = Readers(folder)
        self.live = LiveCrawl(folder)
        self.questions = QuestionDesk(folder)
        self.judges: dict[str, Judge] = {}  # see `explanation.explain`
        self.trails = TrailWalk(folder)
        self.groups = SlowAnswer(page_groups)
        self.map = SlowAnswer(site_map)
        self.sites = SlowAnswer(rank_sites)
        self.details = SlowAnswer(library_details)
        self.recall = SlowAnswer(library_recall)

    async def close(self) -> None:
        await self.live.close()
        self.questions.close()
        self.readers.close()


class Shelf:
    """All that is served, by name."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.libraries: dict[str, ServedLibrary] = {}
        self.experiments: dict[str, Path] = {}
        for folder in dict.fromkeys(folder.resolve() for folder in folders):
            if is_experiment(folder):
                self.experiments[_free(folder, self.experiments)] = folder
                continue
            if not is_crawl_folder(folder):
                raise LibraryMissing(
                    f"There is no library in {folder}. Start one with: scenthound crawl TOPIC --into {folder}"
                )
            self.add(folder)

    def add(self, folder: Path) -> ServedLibrary:
        name = _free(folder, self.libraries)
        self.libraries[name] = ServedLibrary(name, folder)
        return self.libraries[name]

    def get(self, name: str) -> ServedLibrary:
        found = self.libraries.get(name)
        if found is None:
            raise UsageError(f"No library called {name!r} is served here: {', '.join(self.libraries)}.")
        return found

    def experiment(self, name: str) -> Path:
        found = self.experiments.get(name)
        if found is None:
            raise UsageError(
                f"No experiment called {name!r} is served here: {', '.join(self.experiments) or 'none is'}."
            )
        return found

    async def close(self) -> None:
        for library in self.libraries.values():
            await library.close()


def _free(folder: Path, taken: Collection[str]) -> str:
    """The folder's name as it can stand in an address, with a number where another has it."""
    stem, number = folder_name(folder.name) or "library", 1
    name = stem
    while name in taken or name in TAKEN:
        number += 1
        name = f"{stem}-{number}"
    return name
