"""WACZ 1.1.1: a zip file with the answers (WARC), an index of them (CDXJ), a list of pages with their texts, and what
says that all of it is whole. https://specs.webrecorder.net/wacz/1.1.1/ ; opened by ReplayWeb.page and pywb.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Any, BinaryIO, cast

import msgspec

from scenthound import urls
from scenthound.export.exporter import ChosenPages, exporter
from scenthound.export.fields import moment
from scenthound.export.file_tree import EPOCH
from scenthound.export.plain_text import plain_text
from scenthound.library.warc_output import WarcOutput, WrittenAnswer, answers_of
from scenthound.protocols.records import StoredPage
from scenthound.version import __version__

ARCHIVE, PAGES = "archive/data.warc.gz", "pages/pages.jsonl"
INDEX = "indexes/index.cdx"  # CDXJ; pywb knows it by this ending only
IN_MEMORY = 8_000_000  # bytes of a part before it goes to a temporary file
_encode = msgspec.json.Encoder().encode


@exporter("wacz")
@dataclass
class WaczExport:
    """A web archive in one file (WACZ): answers, index, list of pages with their texts; for ReplayWeb.page and pywb."""

    extensions = (".wacz",)
    memory_a_page = 2_000

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        with _part() as archive, _part() as listed:
            index, latest = _write_parts(pages, archive, listed)
            with zipfile.ZipFile(stream, "w") as container:
                resources = [
                    _add(container, ARCHIVE, archive, zipfile.ZIP_STORED),  # it is packed, and read from inside
                    _add_bytes(container, INDEX, "".join(sorted(index)).encode()),
                    _add(container, PAGES, listed, zipfile.ZIP_DEFLATED),
                ]
                package = _encode(_package(resources, latest))
                _add_bytes(container, "datapackage.json", package)
                digest = {"path": "datapackage.json", "hash": _sha256(package)}
                _add_bytes(container, "datapackage-digest.json", _encode(digest))


def _write_parts(pages: ChosenPages, archive: IO[bytes], listed: IO[bytes]) -> tuple[list[str], float]:
    """The WARC file and the list of pages; the lines of the index, and when the last page was fetched."""
    listed.write(_encode({"format": "json-pages-1.0", "id": "pages", "title": "Pages", "hasText": True}) + b"\n")
    output = WarcOutput(cast(BinaryIO, archive), "data.warc.gz", 0.0)
    index: list[str] = []
    latest = 0.0
    for page in pages:
        latest = max(latest, page.fetched_at)
        written = [output.add(response) for response in answers_of(pages.library, page.url)]
        if not written:
            pages.leave_out()  # nothing of it could be shown
            continue
        index += map(cdxj_line, written)
        text = plain_text(pages.main_text(page).markdown)
        listed.write(_encode(_page_line(page, text, seed=page.depth == 0)) + b"\n")
    return index, latest


def _page_line(page: StoredPage, text: str, *, seed: bool) -> dict[str, Any]:
    return {
        "id": f"{urls.fingerprint(page.url) & (1 << 64) - 1:016x}",
        "url": page.url,
        "ts": moment(page.fetched_at),
        "title": page.title,
        "text": text,
        "seed": seed,
        "relevance": round(page.relevance, 6),
    }


def cdxj_line(written: WrittenAnswer) -> str:
    """A line of the index: where the record of a URL and a time is."""
    response = written.response
    stamp = datetime.fromtimestamp(max(0.0, response.at), UTC).strftime("%Y%m%d%H%M%S")
    about = {
        "url": response.url,
        "mime": "warc/revisit" if written.revisit else response.media_type or "unk",
        "status": str(response.status),
        "digest": written.digest,
        "length": str(written.length),
        "offset": str(written.offset),
        "filename": ARCHIVE.rpartition("/")[2],
    }
    return f"{surt(response.url)} {stamp} {_encode(about).decode()}\n"


def surt(url: str) -> str:
    """A URL by which lines are sorted: `http://www.a.example/B?c` is `example,a)/b?c`.

    As pywb writes it: scheme and a leading `www.` are left out, names of hosts are turned around.
    """
    host, colon, port = urls.host(url).partition(":")
    names = host.removeprefix("www.").split(".")
    reversed_host = host if host.startswith("[") or host.replace(".", "").isdigit() else ",".join(reversed(names))
    rest = url[len(urls.origin(url)) :] or "/"
    path, mark, query = rest.partition("?")
    query = "&".join(sorted(query.split("&")))
    return f"{reversed_host}{colon}{port}){(path.rstrip('/') or '/')}{mark}{query}".lower()


def _package(resources: list[dict[str, Any]], at: float) -> dict[str, Any]:
    return {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "title": "Pages collected by Scenthound",
        "software": f"Scenthound {__version__}",
        "created": moment(at),
        "modified": moment(at),
        "resources": resources,
    }


def _part() -> IO[bytes]:
    return cast(IO[bytes], tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))


def _info(name: str, packing: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, EPOCH)
    info.compress_type = packing
    info.external_attr = 0o644 << 16
    return info


def _add(container: zipfile.ZipFile, name: str, part: IO[bytes], packing: int) -> dict[str, Any]:
    size = part.tell()
    part.seek(0)
    digest = hashlib.file_digest(part, "sha256").hexdigest()  # type: ignore[arg-type]
    part.seek(0)
    with container.open(_info(name, packing), "w", force_zip64=size > 1 << 31) as target:
        shutil.copyfileobj(part, target, 1 << 20)
    return {"name": name.rpartition("/")[2], "path": name, "hash": f"sha256:{digest}", "bytes": size}


def _add_bytes(container: zipfile.ZipFile, name: str, data: bytes) -> dict[str, Any]:
    container.writestr(_info(name, zipfile.ZIP_DEFLATED), data)
    return {"name": name.rpartition("/")[2], "path": name, "hash": _sha256(data), "bytes": len(data)}


def _sha256(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
