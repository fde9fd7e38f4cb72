from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

from scenthound.errors import UsageError
from scenthound.export.exporter import ChosenPages, exporter
from scenthound.export.fields import MOMENTS, NUMBERS, TRUTHS

ROWS = 500
"""A group of rows is written at a time."""


@exporter("parquet")
@dataclass
class ParquetExport:
    """A table of columns, packed, as pandas, polars and DuckDB read it; needs pyarrow."""

    extensions = (".parquet", ".pq")

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise UsageError(
                "Parquet takes pyarrow, which is not installed: pip install 'scenthound[parquet]'"
            ) from None
        schema = pyarrow.schema([(name, _type(pyarrow, name)) for name in pages.fields])
        with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
            for rows in _groups(pages.rows()):
                for row in rows:
                    row.update((name, datetime.fromisoformat(row[name])) for name in MOMENTS & row.keys())
                writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))


def _type(pyarrow: Any, name: str) -> Any:
    if name in TRUTHS:
        return pyarrow.bool_()
    if name in MOMENTS:
        return pyarrow.timestamp("s", tz="UTC")
    kind = NUMBERS.get(name)
    return pyarrow.string() if kind is None else pyarrow.float64() if kind is float else pyarrow.int64()


def _groups(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    group: list[dict[str, Any]] = []
    for row in rows:
        group.append(row)
        if len(group) == ROWS:
            yield group
            group = []
    if group:
        yield group
