"""Do the WARC files hold what `library.db` says they do? Every file is read through, every answer looked for in it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from msgspec import Struct

from scenthound.library.archive.warc_files import WarcFile, files_in
from scenthound.library.archive.warc_scan import WarcGap, scan
from scenthound.library.damage import Damage, answers, repair_command
from scenthound.library.folder import ARCHIVE, DATABASE
from scenthound.library.sqlite.database_check import SQLITE_ERRORS, Told, connect_raw


class AnswerPlace(Struct, frozen=True):
    """An answer as `library.db` has it."""

    version: int
    url: int
    digest: bytes
    offset: int
    length: int


class ArchiveCheck:
    """One look at the archive. `writing`: a crawl is, so that a file may be longer than was known a moment ago."""

    def __init__(self, folder: Path, told: Told = lambda what, done, whole: None, *, writing: bool = False) -> None:
        self.folder = folder
        self.told = told
        self.writing = writing
        self.answers = 0  # that were found as they should be
        self.damages: list[Damage] = []
        self._listed: dict[int, WarcFile] = {}
        self._places: dict[int, list[AnswerPlace]] = {}
        self._pages: list[tuple[int, int | None]] = []  # of each, its answer, and the one that brought its text first

    def run(self) -> list[Damage]:
        known = self._read_database()
        present = files_in(self.folder / ARCHIVE)
        numbers = sorted({*present, *self._listed})
        for done, number in enumerate(numbers):
            self.told("Reading WARC file", done, len(numbers))
            if number not in present:
                self._missing(number)
            else:
                self._file(number, present[number], known)
        return self.damages

    def _read_database(self) -> bool:
        """What it says of the archive; False where that cannot be read, and then the files speak for themselves."""
        places = "SELECT warc, seq, url, digest, offset, length FROM versions WHERE warc IS NOT NULL"
        try:
            with closing(connect_raw(self.folder / DATABASE)) as connection:
                connection.execute("BEGIN")
                for number, name, size in connection.execute("SELECT id, name, bytes FROM warcs"):
                    self._listed[number] = WarcFile(number, name.decode(), size)
                for number, *place in connection.execute(places):
                    self._places.setdefault(number, []).append(AnswerPlace(*place))
                self._pages = connection.execute(
                    "SELECT p.version, c.version FROM pages p LEFT JOIN contents c ON c.id = p.content"
                ).fetchall()
        except SQLITE_ERRORS:
            return False
        return True

    def _file(self, number: int, path: Path, known: bool) -> None:
        listed = self._listed.get(number)
        records: dict[int, AnswerPlace] = {}
        places = {place.offset for place in self._places.get(number, ())}
        gaps: list[WarcGap] = []
        unknown, end = 0, listed.bytes if listed else 0
        for found in scan(path):
            if isinstance(found, WarcGap):
                if found.offset < end or not known:
                    gaps.append(found)
            elif found.kind in ("response", "revisit"):
                digest = found.digest if found.true_to_digest else b""
                records[found.offset] = AnswerPlace(0, found.id, digest, found.offset, found.length)
                unknown += found.offset >= end or (found.kind == "response" and found.offset not in places)
        bad = [place for place in self._places.get(number, ()) if not _stands(place, records.get(place.offset))]
        self.answers += len(self._places.get(number, ())) - len(bad)
        if listed is not None and path.stat().st_size < listed.bytes:
            what = f"is cut: {path.stat().st_size} of {listed.bytes} bytes are there"
            self._found(path.name, f"{what}, and {answers(len(bad))} cannot be read", self._concerned(bad))
        elif bad or gaps:
            what = f"is damaged: {answers(len(bad))} cannot be read" if known else "is damaged"
            first = f" (from byte {gaps[0].offset} on)" if gaps else ""
            self._found(path.name, f"{what}{first}", self._concerned(bad))
        if known and unknown and not self.writing:
            self._found(path.name, f"holds {answers(unknown)} that {DATABASE} does not know")

    def _missing(self, number: int) -> None:
        gone = self._places.get(number, [])
        remedy = f"Put it back, if you have it; texts and links of its pages are still in {DATABASE}."
        what = f"is missing, and with it {answers(len(gone))}"
        self.damages.append(Damage(f"{ARCHIVE}/{self._listed[number].name}", what, self._concerned(gone), remedy))

    def _concerned(self, bad: list[AnswerPlace]) -> int:
        lost = {place.version for place in bad}
        return sum(version in lost or original in lost for version, original in self._pages)

    def _found(self, name: str, what: str, pages: int | None = None) -> None:
        self.damages.append(Damage(f"{ARCHIVE}/{name}", what, pages, repair_command(self.folder)))


def _stands(place: AnswerPlace, found: AnswerPlace | None) -> bool:
    """Is the record that an answer's place names the answer?"""
    return found is not None and (found.url, found.digest, found.length) == (place.url, place.digest, place.length)
