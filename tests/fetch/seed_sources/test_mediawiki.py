"""A wiki's search and categories over real HTTP."""

from __future__ import annotations

import pytest

from scenthound.errors import SourceError, UsageError
from scenthound.fetch.seed_sources.choose_source import choose
from scenthound.fetch.seed_sources.mediawiki import WikiBacklinks
from scenthound.fetch.seed_sources.source_client import SourceClient
from tests.fetch.seed_sources.engines import (
    TITLES,
    WIKI_ERROR,
    Answer,
    Slept,
    as_json,
    engine,
    seeds,
    urls,
    wiki_categories,
    wiki_page,
    wiki_search,
)


async def test_a_wikis_search_goes_on_until_there_are_enough(client: SourceClient, slept: Slept) -> None:
    with engine({"/w/api.php": wiki_search(TITLES)}) as wiki:
        found = await seeds(client, wiki.url("/w/api.php"), 110)
    assert urls(found) == [f"https://en.wiki.test/wiki/Dengue_{number}" for number in range(1, 111)]
    assert (found.hits[0].title, found.source, found.note) == ("Dengue 1", f"127.0.0.1:{wiki.port}", "")
    assert [asked.get("gsroffset") for _, asked in wiki.asked] == [None, "50", "100"]
    assert wiki.asked[0][1]["gsrsearch"] == "dengue fever"
    assert slept == [1.5, 1.5]  # a pause before each request but the first
    assert wiki.headers[0]["Accept"] == "application/json"
    assert wiki.headers[0]["User-Agent"].startswith("Scenthound/")


async def test_a_wiki_that_has_less(client: SourceClient) -> None:
    with engine({"/api.php": wiki_search(TITLES[:3])}) as wiki:
        assert len(urls(await seeds(client, wiki.url("/api.php")))) == 3
        wiki.routes["/api.php"] = wiki_search([])
        assert urls(await seeds(client, wiki.url("/api.php"))) == []


async def test_a_wiki_says_what_is_wrong(client: SourceClient) -> None:
    says = r'refuses the question: The "text" search is disabled.*--source'
    with engine({"/api.php": as_json(WIKI_ERROR)}) as wiki, pytest.raises(SourceError, match=says):
        await seeds(client, wiki.url("/api.php"))


async def test_a_wiki_that_fails_halfway_keeps_what_it_gave(client: SourceClient) -> None:
    search = wiki_search(TITLES)

    def failing(asked: dict[str, str]) -> Answer:
        assert callable(search)
        return search(asked) if "gsroffset" not in asked else (500, "text/html", "upstream error")

    with engine({"/api.php": failing}) as wiki:
        found = await seeds(client, wiki.url("/api.php"), 200)
    assert len(found.hits) == 50
    assert "HTTP 500" in found.note
    assert len(wiki.asked) == 3  # the one that failed was tried twice


async def test_an_old_wiki(client: SourceClient) -> None:
    pages = {"7": wiki_page("B", 2), "3": wiki_page("A", 1), "-1": {"title": "C", "missing": ""}, "9": "odd"}
    with engine({"/api.php": as_json({"query": {"pages": pages}})}) as wiki:
        assert [hit.title for hit in (await seeds(client, wiki.url("/api.php"))).hits] == ["A", "B"]


async def test_a_wiki_that_continues_for_ever_is_left(client: SourceClient) -> None:
    answer = as_json({"continue": {"gsroffset": 50}, "query": {"pages": [wiki_page("A", 1)]}})
    with engine({"/api.php": answer}) as wiki:
        assert len((await seeds(client, wiki.url("/api.php"))).hits) == 1
    assert len(wiki.asked) == 2


CATEGORIES = {
    "Category:Insects": ["Fly", "Category:Mosquitoes", "Bee", "Category:Beetles", "Wasp"],
    "Category:Mosquitoes": ["Aedes", "Category:Malaria", "Category:Insects"],
    "Category:Malaria": ["Plasmodium"],
    "Category:Beetles": ["Ladybird", "Fly"],
}


@pytest.mark.parametrize(
    ("depth", "titles"),
    [
        (0, ["Fly", "Bee", "Wasp"]),
        (1, ["Fly", "Bee", "Wasp", "Aedes", "Ladybird"]),
        (9, ["Fly", "Bee", "Wasp", "Aedes", "Ladybird", "Plasmodium"]),
    ],
)
async def test_members_of_a_category(client: SourceClient, depth: int, titles: list[str]) -> None:
    with engine({"/api.php": wiki_categories(CATEGORIES)}) as wiki:
        found = await seeds(client, wiki.url("/api.php"), words="Insects", category=True, depth=depth)
    assert [hit.title for hit in found.hits] == titles
    asked = [asked["gcmtitle"] for _, asked in wiki.asked]
    assert asked.count("Category:Insects") == 3  # in batches of two, and not again for being inside itself


async def test_only_wikis_have_categories(client: SourceClient) -> None:
    with pytest.raises(UsageError, match="only wikis have categories"):
        await choose(client, "searxng:http://find.test", category=True)


@pytest.mark.parametrize(
    ("url", "title"),
    [
        ("https://wiki.test/wiki/Tram_depot", "Tram depot"),
        ("http://wiki.test/wiki/Museum_%26_Co", "Museum & Co"),
        ("https://wiki.test/w/index.php?title=Tram_depot&action=view", "Tram depot"),
        ("https://wiki.test/wiki/", ""),
        ("https://wiki.test/other", ""),
        ("https://elsewhere.test/wiki/Tram", ""),
        ("https://elsewhere.test/?title=Tram", ""),
    ],
)
def test_the_title_of_an_article_by_its_address(url: str, title: str) -> None:
    assert WikiBacklinks("https://wiki.test/w/api.php", "https://wiki.test/wiki/$1").title(url) == title


async def test_who_links_to_an_article_until_there_are_enough(client: SourceClient) -> None:
    def linking(asked: dict[str, str]) -> Answer:
        start = int(asked.get("gblcontinue", "0"))
        pages = [wiki_page(f"Page {number}") for number in range(start, start + 2)]
        return as_json({"query": {"pages": pages}, "continue": {"gblcontinue": start + 2, "continue": "gblcontinue||"}})

    with engine({"/api.php": linking}) as wiki:
        found = await WikiBacklinks(wiki.url("/api.php"), "https://en.wiki.test/wiki/$1").to(client, "Tram", 5)
    assert [hit.title for hit in found] == [f"Page {number}" for number in range(6)]
    assert (wiki.asked[0][1]["gbltitle"], len(wiki.asked)) == ("Tram", 3)
