"""A damaged library made whole: what can be read of it, and what its WARC files have.

    outcome = await repair_library(folder)
    outcome.repaired.pages, outcome.kept_as

The damaged `library.db` is kept under another name. Pages that had to be made anew are judged again.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from scenthound import config as toml
from scenthound.app.judge import JudgeSession
from scenthound.app.library_check import LibraryCheck, check_library
from scenthound.config import Config
from scenthound.crawler.assemble import make_scope
from scenthound.crawler.link_filter import LinkFilter
from scenthound.errors import ConfigError, ScenthoundError
from scenthound.library.damage import Damage, repair_command
from scenthound.library.folder_check import Told
from scenthound.library.folder_repair import FolderRepair, remove_derived, repair_folder, take_first_judgements
from scenthound.library.run_settings import SETTINGS
from scenthound.model import Link, Page


class LibraryRepair(Struct, frozen=True):
    """What a repair came to."""

    folder: str
    whole: bool  # afterwards
    found: list[Damage] = []  # before
    repaired: FolderRepair | None = None  # None: there was nothing that it could mend
    left: list[Damage] = []  # what is damaged still, and needs a hand or another copy
    judged: int = 0  # pages judged again
    not_judged: str = ""  # why pages that were made anew could not be


async def repair_library(folder: Path, told: Told = lambda what, done, whole: None) -> LibraryRepair:
    """Looks first; a library that is whole is left alone. `told` hears what is being done."""
    before = check_library(folder, told)
    if before.whole:
        return LibraryRepair(str(folder), whole=True)
    mendable = [damage for damage in before.damages if damage.remedy == repair_command(folder)]
    if not mendable:
        remove_derived(folder)
        left = check_library(folder, told).damages
        return LibraryRepair(str(folder), not left, before.damages, left=left)
    repaired = repair_folder(folder, *_settings(folder), told)
    judged, not_judged = await _judge(folder, told) if repaired.pages or repaired.finished_earlier else (0, "")
    after: LibraryCheck = check_library(folder, told)
    return LibraryRepair(str(folder), after.whole, before.damages, repaired, after.damages, judged, not_judged)


class FollowedLinks:
    """Which links a crawl with these settings would follow."""

    def __init__(self, config: Config) -> None:
        self._filter = LinkFilter(config, make_scope(config))

    def __call__(self, page: Page, depth: int) -> Iterable[Link]:
        links, onward, _ = self._filter.sort(page, depth, 0)
        return (*links, *onward)


def _settings(folder: Path) -> tuple[str, FollowedLinks]:
    """The topic's language and its links, by topic.toml; by the defaults where that cannot be read."""
    try:
        config = toml.load(folder / SETTINGS) if (folder / SETTINGS).is_file() else Config()
        return config.topic.language, FollowedLinks(config)
    except ConfigError:
        return Config().topic.language, FollowedLinks(Config())


async def _judge(folder: Path, told: Told) -> tuple[int, str]:
    """How many pages were judged again, or why none was. A crawl that goes on does it then."""
    try:
        outcome = await JudgeSession(folder, progress=lambda done, whole: told("Judging page", done, whole)).run()
    except ScenthoundError as error:
        return 0, str(error)
    take_first_judgements(folder)
    return outcome.judged.pages, ""
