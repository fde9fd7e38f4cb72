"""How URLs are asked for; what the answers are is a matter of `tests/conformance/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scenthound.library import open_library
from scenthound.library.sql.decisions import SqlDecisions
from tests.library.collection import zoo


@pytest.mark.parametrize("kind", ["", "robots"])
def test_links_that_failed_are_found_without_reading_all_that_wait(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a large library nine in ten URLs wait, and `status` asks for those that failed."""
    plans: list[str] = []
    ask = SqlDecisions._ask

    def explained(library: SqlDecisions, query: str, values: Any = ()) -> Any:
        plans.extend(step for *_, step in ask(library, f"EXPLAIN QUERY PLAN {query}", values))
        return ask(library, query, values)

    with open_library(zoo(tmp_path / "zoo"), write=False) as library:
        monkeypatch.setattr(SqlDecisions, "_ask", explained)
        found = [link.url for link in library.failed(kind)]
    assert found == ([] if kind else ["https://gone.example/"])
    assert plans[0] == "SEARCH u USING INDEX urls_finished (state=?)"
