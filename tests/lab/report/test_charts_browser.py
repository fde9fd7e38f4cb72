"""Charts of the lab's report as a browser draws them: what stands around them does not overlap. Needs Chromium."""

from __future__ import annotations

from typing import Any

import pytest

from scenthound.lab.report.charts import scatter
from scenthound.lab.report.page import style
from tests.web.test_browser import CHROMIUM, FLAGS

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt-get install chromium")
POINTS = {"shark-search": (5.64, 0.195), "best-first": (5.34, 0.181), "breadth-first-with-a-name": (5.28, 0.007)}
BOXES = """() => [...document.querySelectorAll(".xs span, .names span")].map((each) => each.getBoundingClientRect())
    .filter((box) => box.width).map((box) => [box.left, box.right, box.top, box.bottom])"""


@pytest.mark.parametrize("width", [330, 480, 1000])
def test_no_number_of_an_axis_covers_another(width: int) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    chart = scatter(POINTS, dict.fromkeys(POINTS, "--c:var(--s0)"), "ms/page", "recall area")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": 600})
        page.set_content(f"<!doctype html><style>{style()}</style><body>{chart}</body>")
        boxes = page.evaluate(BOXES)
        browser.close()
    assert len(boxes) >= 2 + len(POINTS)
    assert not [(one, other) for one in boxes for other in boxes if one < other and _overlap(one, other)]


def _overlap(one: list[Any], other: list[Any]) -> bool:
    return all(max(one[low], other[low]) < min(one[low + 1], other[low + 1]) - 0.5 for low in (0, 2))
