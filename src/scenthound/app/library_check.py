"""Is a library whole? Looks at every part of its folder, and names what is damaged.

check = check_library(folder)
check.whole or [damage.part for damage in check.damages]
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from scenthound import config as toml
from scenthound.config import Config
from scenthound.errors import ConfigError, LibraryMissing, RecordingError
from scenthound.fetch.recording import Recording
from scenthound.library.damage import Damage
from scenthound.library.folder_check import FolderFindings, Told, check_folder, holds_library
from scenthound.library.run_settings import SETTINGS


class LibraryCheck(Struct, frozen=True):
    """What a check came to."""

    folder: str
    whole: bool
    answers: int  # in the archive, as they should be
    damages: list[Damage]
    being_written: bool = False  # by a crawl, meanwhile


def check_library(folder: Path, told: Told = lambda what, done, whole: None) -> LibraryCheck:
    """Reads everything that is stored. `told` hears what is being looked at."""
    if not holds_library(folder):
        raise LibraryMissing(f"There is no library in {folder}. Start one with: scenthound crawl TOPIC --into {folder}")
    findings: FolderFindings = check_folder(folder, told)
    damages = [*findings.damages, *_settings_damage(folder, told)]
    return LibraryCheck(str(folder), not damages, findings.answers, damages, findings.being_written)


def _settings_damage(folder: Path, told: Told) -> list[Damage]:
    if not (folder / SETTINGS).is_file():
        return []
    try:
        config = toml.load(folder / SETTINGS)
    except ConfigError as error:
        return [Damage(SETTINGS, f"cannot be used ({error})", remedy="Mend it with an editor.")]
    return _recording_damage(config, told)


def _recording_damage(config: Config, told: Told) -> list[Damage]:
    found = []
    for done, name in enumerate(config.fetch.recorded):
        told("Reading recording", done, len(config.fetch.recorded))
        try:
            faults = Recording([Path(name)]).damaged
        except RecordingError as error:
            faults = [str(error)]
        remedy = "Put another copy in its place. What was crawled from it is in the library."
        found += [Damage(name, f"is a recording that is not whole ({fault})", remedy=remedy) for fault in faults]
    return found
