"""Who answers is chosen in one place, and manners go with whoever answers."""

from pathlib import Path

import pytest

from scenthound.config import Config, from_dict
from scenthound.fetch.fetcher_for import fetcher_for, network, recording, settings_for
from scenthound.fetch.http import HttpFetcher
from scenthound.fetch.replay import ReplayFetcher
from scenthound.fetch.resolve import StaticResolver
from scenthound.model import Link, Response
from tests.fetch.recorded import http, record, write

A = "http://a.test/"


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    return write(tmp_path / "web.warc.gz", record(A, http(b"<p>trams")))


async def test_a_recording_that_the_settings_name_takes_the_networks_place(warc: Path) -> None:
    config = from_dict({"fetch": {"recorded": [str(warc)]}})
    fetcher = fetcher_for(config, clock=lambda: 5.0)
    answer = await fetcher(Link(A))
    await fetcher.close()
    assert isinstance(answer, Response)
    assert (answer.body, answer.at) == (b"<p>trams", 5.0)


async def test_in_a_recording_http_and_https_answer_for_each_other_unless_the_settings_say_no(warc: Path) -> None:
    for settings, answers in (({}, True), ({"either_scheme": False}, False)):
        fetcher = fetcher_for(from_dict({"fetch": {"recorded": [str(warc)], **settings}}))
        assert isinstance(await fetcher(Link("https://a.test/")), Response) == answers
        await fetcher.close()


async def test_a_recording_is_held_to_the_limit_of_the_settings(warc: Path) -> None:
    fetcher = fetcher_for(from_dict({"fetch": {"recorded": [str(warc)], "max_bytes": 3}}))
    assert getattr(await fetcher(Link(A)), "kind", "") == "too-large"
    await fetcher.close()


async def test_otherwise_the_network_answers_at_its_own_pace() -> None:
    config = from_dict({"fetch": {"parallel": 7}})
    fetcher = fetcher_for(config, resolver=StaticResolver([".test"]))
    assert isinstance(fetcher, HttpFetcher)
    assert fetcher.parallel == 7
    assert settings_for(fetcher, config) is config
    await fetcher.close()


async def test_search_services_are_asked_whatever_is_recorded(warc: Path) -> None:
    fetcher = network(from_dict({"fetch": {"recorded": [str(warc)]}}))
    assert isinstance(fetcher, HttpFetcher)
    await fetcher.close()


async def test_a_recording_needs_no_manners_however_it_was_named(warc: Path) -> None:
    polite = Config()
    fetcher = recording([warc])
    assert isinstance(fetcher, ReplayFetcher)
    settled = settings_for(fetcher, polite).politeness
    assert (settled.delay, settled.robots) == (0.0, False)
    assert (polite.politeness.delay, polite.politeness.robots) == (1.0, True)
    await fetcher.close()
