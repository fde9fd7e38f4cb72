"""Labels as a table that spreadsheets read and write: `label --to FILE` and `label --from FILE`.

    url,relevant,by,at,kind
    https://a.example/otters,yes,person,2026-11-16T15:44:01+00:00,page
    b.example,no,file,,site

Only `url` and `relevant` must be there. What is read may have a byte order mark, semicolons or tabs in place of commas,
columns of its own, and several words for yes and no. A text that a spreadsheet would take for a formula has an
apostrophe in front, which is taken off again.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime

from scenthound.app.user_input import canonical
from scenthound.errors import UsageError
from scenthound.export.csv import cell, without_apostrophe
from scenthound.library.label_rules import PROGRAM
from scenthound.model import Label

COLUMNS = ("url", "relevant", "by", "at", "kind")
YES = frozenset({"yes", "y", "1", "true", "relevant"})
NO = frozenset({"no", "n", "0", "false", "irrelevant", "not relevant"})
WORDS_OF = ("person", "bookmarks", "list", "file")
MOST_TOLD = 5
"""Broken lines that are named; of the rest there is the number."""


def write_table(labels: Iterable[Label]) -> str:
    """The table, lines ended as everywhere here; by kind and name, so that two of them can be compared."""
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(COLUMNS)
    for label in sorted(labels, key=lambda label: (label.kind, label.subject)):
        at = datetime.fromtimestamp(label.at, UTC).isoformat() if label.at else ""
        said = "yes" if label.relevant else "no"
        rows.writerow([cell(label.subject), said, cell(label.by), at, label.kind])
    return stream.getvalue()


Named = Callable[[str], str]
"""Says which page, or which site, is meant by what was written."""


def read_table(
    data: bytes, where: str, page_named: Named = canonical, site_named: Named = lambda text: text
) -> list[Label]:
    """The labels of a table. One line that cannot be used is an error that names it, and its fellows.

    `where` is what a person calls the file.
    """
    text = _decoded(data, where)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    labels: list[Label] = []
    wrong: list[str] = []
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        _check_names(names, where)
        for row in rows:
            if not any(field.strip() for field in row):
                continue
            try:
                fields = (without_apostrophe(field.strip()) for field in row)
                labels.append(_label(dict(zip(names, fields, strict=False)), page_named, site_named))
            except UsageError as error:
                wrong.append(f"line {rows.line_num}: {error}")
    except csv.Error as error:
        wrong.append(f"line {rows.line_num}: {error}.")
    if wrong:
        raise UsageError(_complaint(where, wrong))
    return labels


def _complaint(where: str, wrong: list[str]) -> str:
    more = f"\n  and {len(wrong) - MOST_TOLD} more lines" if len(wrong) > MOST_TOLD else ""
    lines = "\n  ".join(wrong[:MOST_TOLD])
    return f"{where} cannot be used as it is, and nothing of it was stored:\n  {lines}{more}"


def _decoded(data: bytes, where: str) -> str:
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(f"{where}, line {line} is not UTF-8. Save it as CSV in UTF-8.") from None


def _delimiter(text: str) -> str:
    """Of the first line: the one there is most of."""
    first = text.lstrip("\r\n").partition("\n")[0]
    return max(",;\t", key=first.count)


def _check_names(names: list[str], where: str) -> None:
    missing = [name for name in COLUMNS[:2] if name not in names]
    if missing:
        raise UsageError(
            f"{where}, line 1 has no column {missing[0]!r}. The first line names the columns: "
            f"{','.join(COLUMNS)}, of which the first two are needed."
        )


def _label(row: Mapping[str, str], page_named: Named, site_named: Named) -> Label:
    kind = row.get("kind", "").lower() or "page"
    if kind not in ("page", "site"):
        raise UsageError(f"kind is page or site, not {kind!r}.")
    given = row.get("url", "")
    if not given:
        raise UsageError("there is no URL.")
    relevant = _relevant(row.get("relevant", ""))
    by, at = _by(row.get("by", "")), _at(row.get("at", ""))
    if kind == "site":
        return Label(site_named(given), relevant, by, at, "site")
    return Label(page_named(given), relevant, by, at)


def _relevant(word: str) -> bool:
    if word.lower() in YES:
        return True
    if word.lower() in NO:
        return False
    raise UsageError(f"relevant is yes or no, not {word[:40]!r}.")


def _by(word: str) -> str:
    known = word in WORDS_OF or (word.startswith(PROGRAM) and len(word) > len(PROGRAM))
    if word and not known:
        raise UsageError(f"by is {', '.join(WORDS_OF)} or {PROGRAM}NAME, not {word[:40]!r}.")
    return word or "file"


def _at(word: str) -> float:
    """A date and time, one of this place where it has no zone; a unix time; nothing."""
    if not word:
        return 0.0
    try:
        if word.replace(".", "", 1).isdigit():
            return datetime.fromtimestamp(float(word), UTC).timestamp()
        return datetime.fromisoformat(word).timestamp()
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"at is a date such as 2026-11-15T08:00, not {word[:40]!r}.") from None
