"""The list of sites for programs: a row or a JSON object a site."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any, TextIO

import msgspec

from scenthound.export.csv import cell
from scenthound.export.fields import moment
from scenthound.sites.site_list import FoundSite

COLUMNS = (
    "site", "relevant", "confidence", "decided", "pages", "homepage", "title", "name", "strongest", "found_on",
    "anchor", "way", "first_at", "label", "by", "check",
)  # fmt: skip


def plain_site(row: FoundSite) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(row)
    return plain | {"first_at": moment(row.first_at)}


def write_sites_json(rows: Sequence[FoundSite], stream: TextIO) -> None:
    for row in rows:
        stream.write(msgspec.json.encode(plain_site(row)).decode() + "\n")


def write_sites_csv(rows: Sequence[FoundSite], stream: TextIO) -> None:
    lines = csv.writer(stream, lineterminator="\n")
    lines.writerow(COLUMNS)
    for row in rows:
        plain = plain_site(row)
        plain["strongest"] = " ".join(page.url for page in row.strongest)
        plain["way"] = " > ".join(row.way)
        lines.writerow([cell(plain[name]) for name in COLUMNS])
