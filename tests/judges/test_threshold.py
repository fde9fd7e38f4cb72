from __future__ import annotations

from dataclasses import dataclass

import pytest

from scenthound import registry
from scenthound.config import Config, CrawlSection
from scenthound.errors import UnknownName
from scenthound.judges.threshold import own_threshold, threshold_of
from scenthound.model import Page


def test_each_judge_counts_from_where_its_scale_says() -> None:
    documented = {"keywords": 0.1, "examples": 0.1, "blocks": 0.1, "topic-vector": 0.01}
    assert {name: own_threshold(name) for name in documented} == documented
    assert all(0 < own_threshold(name) < 1 for name in registry.judge.names())


def test_a_parameter_that_moves_the_scale_moves_the_threshold() -> None:
    assert own_threshold({"name": "topic-vector", "scale": 10.0}) == pytest.approx(0.1)
    assert own_threshold({"name": "topic-vector", "scale": 1e9}) == 1.0


def test_the_settings_have_the_last_word() -> None:
    assert threshold_of(Config(crawl=CrawlSection(judge="keywords"))) == 0.1
    assert threshold_of(Config(crawl=CrawlSection(judge="keywords", threshold=0.0))) == 0.0
    assert threshold_of(Config(crawl=CrawlSection(judge="one that is gone", threshold=0.7))) == 0.7
    with pytest.raises(UnknownName, match="one that is gone"):
        threshold_of(Config(crawl=CrawlSection(judge="one that is gone")))


def test_one_that_says_nothing_is_taken_for_a_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass
    class Silent:
        def __call__(self, page: Page) -> float:
            return 1.0

    monkeypatch.setitem(registry.judge._entries, "silent", Silent)
    assert own_threshold("silent") == 0.5
