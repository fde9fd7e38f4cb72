from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.library.step_rules import modified_at, validators
from scenthound.model import Failed, Link, Response
from scenthound.revisit.detect.conditional_fetcher import ConditionalFetcher, conditions

PAGE = Link(url="http://a.test/")


class Plain:
    parallel = 3
    closed = False

    def __init__(self) -> None:
        self.asked: list[Mapping[str, str] | None] = []

    async def __call__(self, link: Link) -> Response | Failed:
        self.asked.append(None)
        return Response(url=link.url, status=200)

    async def close(self) -> None:
        self.closed = True


class Knowing(Plain):
    conditional = True

    async def __call__(self, link: Link, headers: Mapping[str, str] | None = None) -> Response | Failed:
        self.asked.append(headers)
        return Response(url=link.url, status=304 if headers else 200)


async def test_what_is_known_is_sent() -> None:
    inner = Knowing()
    fetcher = ConditionalFetcher(inner)
    await fetcher(PAGE)
    fetcher.know([(PAGE.url, '"a"', "Sun, 06 Nov 1994 08:49:37 GMT"), ("http://a.test/b", "", "")])
    await fetcher(PAGE)
    await fetcher(Link(url="http://a.test/b"))
    fetcher.forget(PAGE.url)
    await fetcher(PAGE)
    sent = {"If-None-Match": '"a"', "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"}
    assert inner.asked == [None, sent, None, None]
    await fetcher.close()
    assert inner.closed
    assert fetcher.parallel == 3


async def test_a_fetcher_that_cannot_be_told_asks_for_everything() -> None:
    inner = Plain()
    fetcher = ConditionalFetcher(inner)
    fetcher.know([(PAGE.url, '"a"', "")])
    answer = await fetcher(PAGE)
    assert isinstance(answer, Response)
    assert answer.status == 200


def test_both_or_one_or_none() -> None:
    assert conditions("", "") == {}
    assert conditions('W/"x"', "") == {"If-None-Match": 'W/"x"'}
    assert conditions("", "d") == {"If-Modified-Since": "d"}


@pytest.mark.parametrize("tag", ['"a\r\nX: y"', '"é"', '"' + "x" * 2000 + '"', '"\x00"', ""])
def test_tags_that_cannot_be_sent_back_are_not_kept(tag: str) -> None:
    assert validators(Response(url="http://a.test/", status=200, headers=(("ETag", tag),))) == ("", "")


@given(st.text(), st.text())
def test_whatever_a_server_says_can_be_sent_back_or_is_not_kept(tag: str, date: str) -> None:
    kept = validators(Response(url="http://a.test/", status=200, headers=(("etag", tag), ("last-modified", date))))
    assert all(value.isascii() and (not value or value.isprintable()) for value in kept)
    at = modified_at(date)
    assert at is None or at > 0


def test_dates() -> None:
    assert modified_at("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777
    assert modified_at("Thu, 01 Jan 1970 00:00:00 GMT") is None
    assert modified_at("Fri, 31 Dec 99999 00:00:00 GMT") is None
    assert modified_at("") is None
