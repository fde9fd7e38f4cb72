"""What a recording holds, answer by answer, without its pages: for whoever wants to know what is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from scenthound.fetch.recording import ArchiveIterator, WarcRecordType, target

_answers = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.revisit


class RecordedAnswer(Struct, frozen=True):
    url: str
    status: int  # 0 where it says that nothing has changed since another record
    media_type: str
    at: float  # unix time; 0 where it is not told
    bytes: int

    @property
    def is_page(self) -> bool:
        return self.status // 100 == 2 and self.media_type in ("text/html", "application/xhtml+xml")


def recorded_answers(path: Path, on_bytes: Callable[[int], None] | None = None) -> Iterator[RecordedAnswer]:
    """Every answer of a file, in its order; what follows a damage is left out. `on_bytes` hears how far it is."""
    with suppress(OSError), path.open("rb") as file:
        for record in ArchiveIterator(file, record_types=_answers, parse_http=True):
            if on_bytes is not None:
                on_bytes(file.tell())
            if not (url := target(record)):
                continue
            http = record.http_headers
            revisit = record.record_type == WarcRecordType.revisit
            status = 0 if revisit else (http.status_code if http is not None else 200) or 599
            stated = record.http_content_type if http is not None else record.headers.get("Content-Type")
            date = record.record_date
            yield RecordedAnswer(
                url=url,
                status=status,
                media_type=(stated or "").partition(";")[0].strip().lower(),
                at=date.timestamp() if date is not None else 0.0,
                bytes=max(0, record.content_length),
            )
