"""Sources that do not answer, or not as they should."""

from __future__ import annotations

import socket

import pytest

from scenthound.config import FetchSection, PolitenessSection
from scenthound.errors import SourceError
from scenthound.fetch.http import HttpFetcher
from scenthound.fetch.seed_sources import source_client
from scenthound.fetch.seed_sources.source_client import SourceClient
from tests.fetch.seed_sources.engines import (
    RESULTS,
    TITLES,
    Answer,
    Slept,
    engine,
    searxng,
    seeds,
    urls,
    wiki_search,
)


async def test_nobody_there(client: SourceClient, slept: Slept) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # and nobody listens
        address = f"http://127.0.0.1:{held.getsockname()[1]}/api.php"
        with pytest.raises(SourceError) as caught:
            await seeds(client, address)
    text = str(caught.value)
    assert text.startswith(f"{address} could not be asked: there is no connection")
    assert "Check the network" in text
    assert "--source" in text
    assert caught.value.exit_code == 6


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ((404, "text/html", "no"), "HTTP 404"),
        (
            (200, "text/html", "<h1>Captive portal"),
            "does not answer as a wiki's API: text/html that begins '<h1>Captive",
        ),
        ((200, "application/json", "[1, 2]"), "does not answer as"),
        ((200, "application/json", ""), "its answer is empty"),
        ((200, "application/json", "x" * 400_000), "too large"),
        ((302, "text/html", "/api.php"), "redirects without end"),
        ((302, "text/html", "javascript:x"), "leads nowhere"),
    ],
)
async def test_answers_that_are_none(client: SourceClient, answer: Answer, says: str) -> None:
    with engine({"/api.php": answer}) as found, pytest.raises(SourceError) as caught:
        await seeds(client, found.url("/api.php"))
    assert says in str(caught.value)
    assert "--source" in str(caught.value)


async def test_a_private_address_is_asked_only_on_request() -> None:
    fetcher = HttpFetcher(FetchSection(), PolitenessSection())
    with pytest.raises(SourceError, match="--allow-private"):
        await seeds(SourceClient(fetcher), "http://127.0.0.1:9/api.php")
    await fetcher.close()


async def test_a_busy_source_is_given_time_once(client: SourceClient, slept: Slept) -> None:
    busy = iter([(503, "text/html", "busy")])
    search = wiki_search(TITLES[:1])

    def respond(asked: dict[str, str]) -> Answer:
        assert callable(search)
        return next(busy, None) or search(asked)

    with engine({"/api.php": respond}) as found:
        assert len((await seeds(client, found.url("/api.php"))).hits) == 1
    assert len(found.asked) == 2


async def test_there_is_an_end_to_questions(client: SourceClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_client, "MAX_REQUESTS", 3)
    with engine({"/search": searxng(RESULTS, size=1)}) as found:
        result = await seeds(client, f"searxng:{found.url()}", 20)
    assert urls(result) == RESULTS[:3]
    assert "asked 3 times" in result.note
