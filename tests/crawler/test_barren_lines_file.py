"""What is known of traps outlives a crawl, and a damaged file is no obstacle."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.crawler.barren_lines import LINES
from scenthound.crawler.barren_lines_file import NAME, kept_lines
from tests.crawler.test_barren_lines import waiting, walk_into


def test_what_is_known_of_traps_survives_a_restart(tmp_path: Path) -> None:
    lines = kept_lines(tmp_path)
    walk_into(lines, LINES + 1)
    again = kept_lines(tmp_path)
    assert (
        again.gives_up(waiting("/t?n=99", "/t?n=5", 1)) == lines.gives_up(waiting("/t?n=99", "/t?n=5", 1)) is not None
    )


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff", b"[]", b'{"h.test": {"barren": 3}}'])
def test_a_damaged_file_is_no_obstacle(damaged: bytes, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(damaged)
    assert kept_lines(tmp_path).lines == {}


def test_a_library_in_memory_keeps_nothing() -> None:
    walk_into(kept_lines(None), LINES + 1)
