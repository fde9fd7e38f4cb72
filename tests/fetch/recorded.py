"""WARC files, written record by record, so that a test can get every byte of them wrong."""

from __future__ import annotations

import gzip
import uuid
from pathlib import Path


def record(url: str, block: bytes, kind: str = "response", **headers: str) -> bytes:
    """One record, uncompressed. `warc_refers_to="..."` and the like add headers."""
    fields = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:{uuid.uuid4()}>",
        "WARC-Date": "2024-01-01T00:00:00Z",
        "WARC-Target-URI": url,
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(block)),
    }
    for name, value in headers.items():
        spelled = name.replace("_", "-").title().replace("Warc", "WARC").replace("Uri", "URI").replace("Ip", "IP")
        fields[spelled] = value
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return b"WARC/1.1\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"


def http(body: bytes = b"<p>page", status: str = "200 OK", **headers: str) -> bytes:
    fields = {"Content-Type": "text/html"} | {name.replace("_", "-").title(): text for name, text in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value)
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


def write(path: Path, *records: bytes) -> Path:
    """A recording; compressed record by record when its name ends in .gz."""
    packed = [gzip.compress(record) for record in records] if path.suffix == ".gz" else list(records)
    path.write_bytes(b"".join(packed))
    return path
