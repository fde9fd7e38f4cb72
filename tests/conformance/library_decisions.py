"""What every library can say about its decisions: part of `LibraryConformance`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scenthound.library.run_settings import last_settings
from scenthound.model import Step
from tests.library.collection import fill, zoo_config, zoo_steps
from tests.library.steps import entry, fetched


class DecisionsConformance:
    def library(self, folder: Path) -> AbstractContextManager[Any]:
        raise NotImplementedError

    def test_settings_are_those_of_the_last_run(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            assert last_settings(library).topic.language == "en"
            fill(library, zoo_steps(), zoo_config())
            assert last_settings(library).topic.name == "otters"

    @pytest.mark.parametrize(
        ("url", "ahead"),
        [
            ("https://far.example/", (0, 0)),
            ("https://www.zoo.example/map", (1, 0)),
            ("https://www.zoo.example/tickets", (2, 1)),
        ],
    )
    def test_how_many_wait_ahead(self, tmp_path: Path, url: str, ahead: tuple[int, int]) -> None:
        with self.library(tmp_path) as library:
            fill(library, zoo_steps())
            assert library.ahead(library.url_row(url)) == ahead

    def test_of_equal_claims_the_older_is_ahead(self, tmp_path: Path) -> None:
        pair = (entry("http://a.example/1", 0.5, 1), entry("http://b.example/2", 0.5, 2))
        with self.library(tmp_path) as library:
            library.record(fetched(entry("http://a.example/"), found=pair))
            assert library.ahead(library.url_row("http://a.example/1")) == (0, 0)
            assert library.ahead(library.url_row("http://b.example/2")) == (1, 0)

    @pytest.mark.parametrize(
        ("url", "nearest"),
        [
            ("https://www.zoo.example/otter", "https://www.zoo.example/otters"),
            ("http://zoo.example/otters/", "https://www.zoo.example/otters"),
            ("https://nowhere.example/", None),
        ],
    )
    def test_what_is_spelled_like_it(self, tmp_path: Path, url: str, nearest: str | None) -> None:
        with self.library(tmp_path) as library:
            fill(library, zoo_steps())
            assert (library.near(url) or [None])[0] == nearest

    def test_what_failed_in_the_order_of_discovery(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            for order in (3, 1, 2):
                lease = entry(f"http://a.example/{order}", order=order)
                library.record(Step(lease=lease, state="failed", at=float(order), reason="status: 404"))
            feed = entry("http://a.example/feed", order=4)
            library.record(Step(lease=feed, state="failed", at=4.0, reason="timeout"))
            assert [link.url[-1] for link in library.failed()] == ["1", "2", "3", "d"]
            rules = entry("http://a.example/robots.txt", order=5)
            rules = replace(rules, link=replace(rules.link, kind="robots"))
            library.record(Step(lease=rules, state="failed", at=5.0, reason="timeout"))
            assert [link.url[-10:] for link in library.failed("robots")] == ["robots.txt"]
            assert next(library.broken()) == ("http://a.example/1", "status: 404", 1.0)

    def test_pages_that_repeat_and_pages_that_are_gone(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(fetched(entry("http://a.example/1"), simhash=7))
            library.record(fetched(entry("http://a.example/2"), simhash=7, duplicate_of="http://a.example/1"))
            library.record(fetched(entry("http://a.example/3"), simhash=9))
            library.record(Step(lease=entry("http://a.example/3"), state="failed", at=2.0, reason="status: 410"))
            assert list(library.simhashes()) == [(7, "http://a.example/1")]
            assert [counted for _, counted in library.harvest()] == [True, False, True]

    def test_the_graph_of_pages(self, tmp_path: Path) -> None:
        home, there = "http://a.example/", "http://b.example/"
        with self.library(tmp_path) as library:
            library.record(fetched(entry(home), links=(there, "http://c.example/")))
            library.record(fetched(entry(there), links=(home,)))
            library.record(fetched(entry("http://c.example/")))
            graph = {url: [link.url for link in links] for url, links in library.graph()}
            assert graph == {home: [there, "http://c.example/"], there: [home]}
            assert library.linking(home) == [there]
            assert [(link.source, link.anchor) for link in library.holders(there)] == [(home, "go")]
            assert library.linking("http://nowhere.example/") == []
