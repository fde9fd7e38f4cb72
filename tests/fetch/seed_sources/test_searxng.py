"""A SearXNG instance over real HTTP."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import SourceError
from scenthound.fetch.seed_sources.searxng import hits_in
from scenthound.fetch.seed_sources.source_client import SourceClient
from tests.fetch.seed_sources.engines import (
    RESULTS,
    as_json,
    engine,
    searxng,
    seeds,
    urls,
)


async def test_searxng_page_by_page(client: SourceClient) -> None:
    with engine({"/search": searxng(RESULTS)}) as instance:
        found = await seeds(client, f"searxng:{instance.url()}", 22, language="de")
        assert urls(found) == RESULTS[:22]
        assert found.hits[0].title == "Result 1"
        assert [asked["pageno"] for _, asked in instance.asked] == ["1", "2", "3"]
        assert instance.asked[0][1]["language"] == "de"
        assert urls(await seeds(client, f"searxng:{instance.url('/search')}", 99)) == RESULTS


async def test_searxng_with_nothing_and_with_the_same_again(client: SourceClient) -> None:
    with engine({"/search": searxng([])}) as instance:
        assert urls(await seeds(client, f"searxng:{instance.url()}")) == []
        page = [
            {"url": "https://a.test/?utm_source=x", "title": 3},
            {"url": "https://a.test/"},
            {"url": "ftp://a.test/"},
        ]
        instance.routes["/search"] = as_json({"results": [*page, "odd", {"title": "no url"}]})
        instance.asked.clear()
        assert urls(await seeds(client, f"searxng:{instance.url()}")) == ["https://a.test/"]
        assert len(instance.asked) == 2


async def test_searxng_without_json(client: SourceClient) -> None:
    says = r"does not answer programs .*settings.yml"
    with engine({"/search": (403, "text/html", "no")}) as instance, pytest.raises(SourceError, match=says):
        await seeds(client, f"searxng:{instance.url()}")


VALUES = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=9,
)


@given(VALUES | st.lists(st.dictionaries(st.sampled_from(["url", "title", "link"]), VALUES)))
def test_any_json_has_hits_or_none(data: object) -> None:
    assert all(isinstance(hit.url, str) and isinstance(hit.title, str) for hit in hits_in(data))
    assert hits_in(json.loads(json.dumps(data))) == hits_in(data)
