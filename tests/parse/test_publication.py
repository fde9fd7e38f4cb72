"""When a page was published, by what it says and by what its address and its server say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.model import Response
from scenthound.parse.page import parse
from scenthound.parse.publication import read_date

FETCHED = datetime(2026, 11, 17, 12, tzinfo=UTC).timestamp()


def published(head: str = "", body: str = "", url: str = "https://a.example/otters", **headers: str) -> str:
    sent = (("content-type", "text/html"), *((name.replace("_", "-"), value) for name, value in headers.items()))
    source = f"<!doctype html><html><head>{head}</head><body>{body}<p>Otters swim.</p></body></html>".encode()
    return parse(Response(url=url, status=200, headers=sent, body=source, at=FETCHED)).published


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2021-05-03", "2021-05-03"),
        ("2021-05-03T23:30:00+02:00", "2021-05-03"),
        ("  2021/5/3", "2021-05-03"),
        ("20210503", "2021-05-03"),
        ("2021-05", "2021-05"),
        ("2021", "2021"),
        ("May 3, 2021", "2021-05-03"),
        ("3rd May 2021", "2021-05-03"),
        ("Mon, 03 May 2021 10:00:00 GMT", "2021-05-03"),
        ("Sept. 2021", "2021-09"),
        ("2021-13-03", ""),
        ("2021-02-30", ""),
        ("yesterday", ""),
        ("", ""),
        ("20213", ""),
    ],
)
def test_dates_are_read_as_people_and_machines_write_them(written: str, read: str) -> None:
    assert read_date(written) == read


@pytest.mark.parametrize(
    ("head", "body", "found"),
    [
        ('<meta property="article:published_time" content="2021-05-03T10:00:00Z">', "", "2021-05-03 meta"),
        ('<meta name="citation_publication_date" content="2019/07">', "", "2019-07 meta"),
        ('<meta itemprop="datePublished" content="2018-01-02">', "", "2018-01-02 meta"),
        ('<meta name="DC.date.issued" content="1999">', "", "1999 meta"),
        ("", '<time datetime="2020-02-03" pubdate>3 Feb</time><time datetime="2026-01-01">', "2020-02-03 time"),
        ("", '<time class="entry-date published" datetime="2020-02-03">', "2020-02-03 time"),
        ("", '<time datetime="2020-02-03">the only one</time>', "2020-02-03 time"),
        ("", '<time datetime="2020-02-03">a comment</time><time datetime="2021-02-03">another</time>', ""),
        ('<meta name="date" content="1066-10-14">', "", ""),
        ('<meta name="date" content="2031-01-01">', "", ""),
        ('<meta property="article:modified_time" content="2021-05-03">', "", ""),
    ],
)
def test_a_page_says_when_it_was_published(head: str, body: str, found: str) -> None:
    assert published(head, body) == found


def test_scripts_for_machines_come_first_and_comments_in_them_count_for_nothing() -> None:
    script = (
        '<script type="application/ld+json">{"@graph": [{"@type": "Person"}, {"@type": "NewsArticle", '
        '"datePublished": "2017-03-04T01:00:00Z", "comment": [{"datePublished": "2022-01-01"}]}]}</script>'
    )
    assert published(script + '<meta name="date" content="2020-01-01">') == "2017-03-04 json-ld"
    alone = '<script type="application/ld+json">{"comment": [{"datePublished": "2022-01-01"}]}</script>'
    assert published(alone) == ""
    assert published('<script type="application/ld+json">{"datePublished": "2017</script>') == ""
    assert published('<script>var x = {"datePublished": "2017-01-01"}</script>') == ""


def test_an_address_says_it_where_the_page_does_not() -> None:
    assert published(url="https://a.example/2015/06/07/otters.html") == "2015-06-07 address"
    assert published(url="https://a.example/blog/2015/06/otters") == "2015-06 address"
    assert published(url="https://a.example/item/2015/99/otters") == ""
    head = '<meta name="date" content="2014-01-01">'
    assert published(head, url="https://a.example/2015/06/07/otters.html") == "2014-01-01 meta"


def test_the_servers_header_is_the_last_to_be_asked_and_not_believed_where_it_is_of_today() -> None:
    assert published(last_modified="Tue, 05 Jan 2016 08:00:00 GMT") == "2016-01-05 last-modified"
    assert published(last_modified="Tue, 17 Nov 2026 11:59:00 GMT") == ""
    assert published(last_modified="next Tuesday") == ""
    assert published('<meta name="date" content="2014-01-01">', last_modified="Tue, 05 Jan 2016 08:00:00 GMT") == (
        "2014-01-01 meta"
    )


@given(st.text(max_size=80))
def test_whatever_is_written_a_date_is_one_or_none(text: str) -> None:
    found = read_date(text)
    assert not found or datetime.fromisoformat((found + "-01-01")[:10])
