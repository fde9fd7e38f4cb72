from datetime import UTC, datetime
from pathlib import Path

from pyarrow import parquet

from scenthound.app.export import export
from scenthound.export.exporter import ExportChoice
from tests.library.collection import collect, stored


def test_times_are_times(tmp_path: Path) -> None:
    folder = collect(tmp_path / "zoo", [stored("http://a.example/", "Otters", at=1_700_000_000.0)])
    export(folder, tmp_path / "zoo.parquet", ExportChoice(("url", "fetched_at", "first_at")))
    table = parquet.read_table(tmp_path / "zoo.parquet")
    at = datetime.fromtimestamp(1_700_000_000, UTC)
    assert table.to_pylist() == [{"url": "http://a.example/", "fetched_at": at, "first_at": at}]
    assert str(table.schema.field("fetched_at").type).startswith("timestamp")
