"""Which format an answer is in: `pdf`, `csv`, `txt` ...; empty for a web page.

The media type decides where it says something. `application/octet-stream` says nothing, and `text/plain` little: there
the URL's ending decides, and of a PDF its first bytes.
"""

from __future__ import annotations

from collections.abc import Collection

from scenthound import urls
from scenthound.model import Response

PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})

UNTOLD = frozenset(
    {
        "",
        "*/*",
        "unknown/unknown",
        "application/unknown",
        "application/octet-stream",
        "binary/octet-stream",
        "application/force-download",
        "application/download",
        "application/x-download",
    }
)
"""Media types that say nothing."""

_OFFICE, _OPEN = "application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument."
MEDIA_TYPES = {
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "text/plain": "txt",
    "text/markdown": "md",
    "text/csv": "csv",
    "application/csv": "csv",
    "text/comma-separated-values": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
    "text/calendar": "ics",
    "application/msword": "doc",
    "application/vnd.ms-excel": "xls",
    "application/vnd.ms-powerpoint": "ppt",
    f"{_OFFICE}wordprocessingml.document": "docx",
    f"{_OFFICE}spreadsheetml.sheet": "xlsx",
    f"{_OFFICE}presentationml.presentation": "pptx",
    f"{_OPEN}text": "odt",
    f"{_OPEN}spreadsheet": "ods",
    f"{_OPEN}presentation": "odp",
    "application/rtf": "rtf",
    "text/rtf": "rtf",
    "application/epub+zip": "epub",
    "application/zip": "zip",
    "application/x-zip-compressed": "zip",
    "application/gzip": "gz",
    "application/x-parquet": "parquet",
    "application/vnd.apache.parquet": "parquet",
    "image/jpeg": "jpg",
    "image/png": "png",
}

_TEXTS = "txt text md csv tsv json jsonl xml yaml yml log ics vcf bib ris kml gpx sql tex srt"
TEXTS = frozenset(_TEXTS.split())
"""Endings of files that are text, whatever they hold: servers call any of them `text/plain`."""

_LONGEST_ENDING = 8


def file_format(response: Response) -> str:
    """The format of an answer; of one whose body was not read yet, as far as its head tells."""
    media_type = response.media_type.partition(",")[0].strip()
    if media_type in PAGE_TYPES:
        return ""
    if media_type in UNTOLD and response.body.startswith(b"%PDF-"):
        return "pdf"
    ending = urls.extension(response.url)
    if media_type in UNTOLD:
        return ending if ending in urls.FILE_TYPES else ""
    told = MEDIA_TYPES.get(media_type, "")
    if told == "txt" and ending in TEXTS:
        return ending
    return told or (ending if ending.isalnum() and len(ending) <= _LONGEST_ENDING else "")


def is_wanted(name: str, wanted: Collection[str]) -> bool:
    """Whether a format is among those, or of a kind that is: `data` stands for csv, json and their like."""
    return bool(name) and (name in wanted or urls.FILE_TYPES.get(name) in wanted)
