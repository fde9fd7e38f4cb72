"""Engines that describe themselves, over real HTTP."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import SourceError
from scenthound.fetch.seed_sources.opensearch import UrlTemplate, describe
from scenthound.fetch.seed_sources.source_client import SourceClient
from tests.fetch.seed_sources.engines import (
    RESULTS,
    Answer,
    Route,
    as_json,
    atom_results,
    description,
    engine,
    rss_results,
    seeds,
    urls,
)

ATOM = '<Url type="application/atom+xml" template="{}/atom?q={{searchTerms}}&amp;p={{startPage?}}&amp;n={{count?}}"/>'
RSS = '<Url type="application/rss+xml" indexOffset="0" template="{}/rss?q={{searchTerms}}&amp;from={{startIndex}}"/>'
HTML = '<Url type="text/html" pageOffset="0" template="{}/find?q={{searchTerms}}&amp;page={{startPage?}}"/>'
JSON = '<Url type="application/json" template="{}/json?q={{searchTerms}}&amp;l={{language}}&amp;x={{ext:odd?}}"/>'
USELESS = (
    '<Url type="application/x-suggestions+json" template="https://s.test/?q={searchTerms}"/>'
    '<Url type="application/atom+xml" rel="self" template="https://s.test/self?q={searchTerms}"/>'
    '<Url type="application/atom+xml" method="post" template="https://s.test/post?q={searchTerms}"/>'
    '<Url type="application/atom+xml" template="https://s.test/?q={searchTerms}&amp;key={apiKey}"/>'
    '<Url type="application/atom+xml" template="/relative?q={searchTerms}"/><Url/>'
)


def paged(answer: object, key: str, first: int, step: int, kind: str) -> Route:
    """Three results at a time of RESULTS, by page number or by index."""

    def respond(asked: dict[str, str]) -> Answer:
        start = (int(asked[key]) - first) * step
        return 200, kind, answer(RESULTS[start : start + 3])  # type: ignore[operator]

    return respond


async def test_atom_by_page_is_taken_first(client: SourceClient) -> None:
    with engine({"/atom": paged(atom_results, "p", 1, 3, "application/atom+xml")}) as found:
        offered = [USELESS, HTML.format(found.url("")), ATOM.format(found.url("")), RSS.format(found.url(""))]
        found.routes["/os.xml"] = (200, "application/opensearchdescription+xml", description(*offered))
        result = await seeds(client, found.url("/os.xml"), 8, words="fièvre & dengue?")
        assert urls(result) == RESULTS[:8]
        assert result.hits[0].title == "Result https://r1.test/dengue"
        assert found.asked[1] == ("/atom", {"q": "fièvre & dengue?", "p": "1", "n": "8"})
        assert [asked["p"] for _, asked in found.asked[1:]] == ["1", "2", "3"]


async def test_rss_by_index(client: SourceClient) -> None:
    with engine({"/rss": paged(rss_results, "from", 0, 1, "text/xml")}) as found:
        found.routes["/os.xml"] = (200, "text/xml", description(RSS.format(found.url(""))))
        assert urls(await seeds(client, f"opensearch:{found.url('/os.xml')}", 99)) == RESULTS
        assert [asked["from"] for _, asked in found.asked[1:4]] == ["0", "3", "6"]


async def test_json_is_asked_once_where_nothing_turns_its_pages(client: SourceClient) -> None:
    answer = as_json({"meta": {"n": 1}, "response": {"docs": [{"link": RESULTS[0], "name": "One"}]}})
    with engine({"/json": answer}) as found:
        found.routes["/os.xml"] = (200, "text/xml", description(JSON.format(found.url(""))))
        result = await seeds(client, found.url("/os.xml"), language="fr")
        assert (urls(result), result.hits[0].title) == (RESULTS[:1], "One")
        assert found.asked[1:] == [("/json", {"q": "dengue fever", "l": "fr", "x": ""})]


PAGE = """<title>dengue - Find</title><a href="/about">About</a><a href="/find?q=dengue&page=1">Next</a>
<div><a href="https://r1.test/dengue">One</a> <a href="/out?uddg=https%3A%2F%2Fr2.test%2Fdengue&rut=1">Two</a>
<a href="https://r1.test/dengue#more">again</a> <a href="/login?next=https://no.test/">Log in</a>
<a href="mailto:a">m</a></div>"""


async def test_html_gives_the_links_that_lead_out(client: SourceClient) -> None:
    with engine({"/find": lambda asked: (200, "text/html", PAGE if asked["page"] == "0" else "<p>No more")}) as found:
        home = f'<link rel="search" type="application/opensearchdescription+xml" href="{found.url("/os.xml")}">'
        found.routes["/"] = (200, "text/html", home)
        found.routes["/os.xml"] = (200, "text/xml", description(HTML.format(found.url(""))))
        result = await seeds(client, found.url("/"))
        assert [(hit.url, hit.title) for hit in result.hits] == [(RESULTS[0], "One"), (RESULTS[1], "Two")]
        assert [path for path, _ in found.asked] == ["/", "/os.xml", "/robots.txt", "/find", "/find"]


async def test_a_template_will_do_and_robots_are_obeyed_for_pages(client: SourceClient) -> None:
    with engine({"/find": (200, "text/html", PAGE)}) as found:
        template = found.url("/find?q={searchTerms}")
        assert urls(await seeds(client, template)) == RESULTS[:2]
        found.routes["/robots.txt"] = (200, "text/plain", "User-agent: *\nDisallow: /find")
        with pytest.raises(SourceError, match=r"robots.txt of 127.0.0.1:\d+ does not let us"):
            await seeds(client, template)


def test_addresses() -> None:
    address = UrlTemplate("http://a.test?q={searchTerms}&i={startIndex?}&{x:y?}", first_index=0)
    assert address.usable()
    assert address.filled("a b/ü", 2, 30, 10, "") == "http://a.test/?q=a%20b%2F%C3%BC&i=30&"
    assert not UrlTemplate("http://a.test/?q={terms}").usable()
    assert not UrlTemplate("http://a.test/?q={searchTerms}&k={key}").usable()
    assert not UrlTemplate("ftp://a.test/?q={searchTerms}").usable()


def test_a_bomb_is_no_description() -> None:
    entities = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    assert describe((entities + description(HTML.format("http://&b;"))).encode()) is None


@given(st.binary() | st.text(alphabet='<>/OpenSarchDcriptUl ="{}?:').map(str.encode))
def test_any_bytes_are_a_description_or_none(body: bytes) -> None:
    describe(body)
    describe(b"<OpenSearchDescription>" + body)
