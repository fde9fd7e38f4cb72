"""Fields in a search: what is typed, and what it comes to."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from scenthound.app.search import search_library
from scenthound.app.search_fields import typed_words, with_fields
from scenthound.errors import UsageError
from scenthound.protocols.records import SearchFilters
from tests.library.collection import collect, stored, zoo_config


def test_quotes_keep_words_together() -> None:
    assert typed_words('dengue "yellow fever" -title:"a b" url:/x/') == [
        "dengue", '"yellow fever"', '-title:"a b"', "url:/x/",
    ]  # fmt: skip


def test_fields_become_filters_and_other_words_stay() -> None:
    asked = with_fields(
        [
            "otters",
            "title:river",
            "host:www.zoo.example",
            "site:zoo.example",
            'url:"/otters"',
            "lang:DE",
            "is:relevant",
        ],
        SearchFilters(relevance=0.2),
    )
    assert asked.words == ["otters", "title:river"]
    assert asked.filters == SearchFilters(
        relevance=0.2,
        relevant=True,
        host="www.zoo.example",
        site="zoo.example",
        address="/otters",
        language="de",
    )
    assert with_fields(["12:30", "foo:bar", "host:"], SearchFilters()).words == ["12:30", "foo:bar", "host:"]


def test_a_year_is_a_span_of_time() -> None:
    filters = with_fields(["fetched:2023"], SearchFilters()).filters
    assert datetime.fromtimestamp(filters.since, UTC) == datetime(2023, 1, 1, tzinfo=UTC)
    assert datetime.fromtimestamp(filters.until, UTC) == datetime(2024, 1, 1, tzinfo=UTC)


def test_a_year_is_that_of_publication_or_unknown() -> None:
    assert with_fields(["year:2023"], SearchFilters()).filters == SearchFilters(published="2023")
    assert with_fields(["year:Unknown"], SearchFilters()).filters == SearchFilters(published="unknown")


@pytest.mark.parametrize(
    "word", ["year:1066", "year:soon", "year:99999", "year:²⁰²³", "fetched:1066", "fetched:soon", "is:wet"]
)
def test_what_cannot_be_meant_is_refused(word: str) -> None:
    with pytest.raises(UsageError):
        with_fields(["otters", word], SearchFilters())


def test_a_library_is_searched_by_fields(tmp_path: Path) -> None:
    folder = collect(
        tmp_path / "zoo",
        [
            stored("https://a.example/Fish/1", "otters eat fish", title="Fish for otters", published="2019-05 address"),
            stored("https://b.example/2", "fish swim, otters too", title="Otters", at=1_600_000_000.0),
        ],
        zoo_config(),
    )

    def found(*words: str) -> list[str]:
        return sorted(hit.url for hit in search_library(folder, words).hits)

    both = ["https://a.example/Fish/1", "https://b.example/2"]
    assert found("fish") == both
    assert found("title:fish") == both[:1]
    assert found("otters", "-title:fish") == both[1:]
    assert found("fish", "url:fish/") == both[:1]
    assert found("fish", "fetched:2020") == both[1:]
    assert found("fish", "year:2019") == both[:1]
    assert found("fish", "year:unknown") == both[1:]
    assert found("fish", "year:2018") == []
    assert found("fish", "host:b.example") == both[1:]
