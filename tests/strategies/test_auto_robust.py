"""On webs made to mislead, `auto` is hardly ever behind `best-first`: the judge is the same for both."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.config import from_dict
from scenthound.crawler.assemble import assembled
from tests.small_web import ScriptedFetcher
from tests.strategies.difficult_webs import WEBS, DifficultWeb

BUDGET = 100
BEHIND = 0.02
SEEDS = 8


async def recall_area(web: DifficultWeb, strategy: str, folder: Path) -> float:
    """The mean, over the pages of the budget, of the share of targets found by then."""
    config = from_dict(
        {
            "topic": {"name": "x", "keywords": web.keywords},
            "crawl": {"seeds": web.seeds, "pages": BUDGET, "parsers": 0, "strategy": strategy},
            "politeness": {"delay": 0, "robots": False},
        }
    )
    steps: list[str] = []
    fetcher = ScriptedFetcher(web.pages)
    async with assembled(config, folder, fetcher=fetcher) as running:
        running.observers = [*running.observers, lambda step: steps.extend([step.visit.page.url] if step.visit else [])]
        await running.run()
    assert len(steps) <= BUDGET
    found, area = 0, 0.0
    for number in range(BUDGET):
        found += number < len(steps) and steps[number] in web.targets
        area += found / len(web.targets) / BUDGET
    return area


@pytest.mark.parametrize("name", WEBS)
async def test_never_far_behind_best_first(name: str, tmp_path: Path) -> None:
    behind = []
    for seed in range(SEEDS):
        web = WEBS[name](seed)
        plain, auto = [await recall_area(web, one, tmp_path / f"{seed} {one}") for one in ("best-first", "auto")]
        behind.append(plain - auto)
    assert sum(behind) / SEEDS <= BEHIND


async def test_a_community_is_found(tmp_path: Path) -> None:
    """So that the comparison is not one of two that find nothing."""
    found = [await recall_area(WEBS["misspelt"](seed), "auto", tmp_path / str(seed)) for seed in range(SEEDS)]
    assert sum(found) / SEEDS > 0.3
