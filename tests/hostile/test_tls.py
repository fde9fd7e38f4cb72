"""Whom the hostile web's certificates convince: without this, hosts that are refused would prove nothing."""

from __future__ import annotations

from pathlib import Path

from tests.hostile.crawling import crawl


async def test_a_certificate_in_order_is_believed(tmp_path: Path) -> None:
    outcome = await crawl(tmp_path / "library", ["https://fine.test/"])
    assert outcome.row("https://fine.test/").state == "fetched"
