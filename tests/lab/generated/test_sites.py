"""The generated web of sites: the same every time, closed, and with the difficulties it promises."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound import urls
from scenthound.lab.generated.site_pages import MONTHS
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.generated.web import GeneratedFetcher
from scenthound.lab.generated.web_server import DemoResolver, serve
from scenthound.lab.sites.site_trials import SiteWalker
from scenthound.model import Link, Page
from scenthound.sites.definition import site_of

WEB = SiteWeb(5, 50, classes=4)


@pytest.fixture(scope="module")
def pages() -> dict[str, Page]:
    look = SiteWalker(GeneratedFetcher(WEB).answer)
    return {url: page for url in WEB.urls() if (page := look(Link(url))) is not None}


def test_the_same_numbers_make_the_same_web() -> None:
    again = SiteWeb(5, 50, classes=4)
    some = list(WEB.urls())[::37]
    assert list(again.urls())[::37] == some
    assert [again.respond(url) for url in reversed(some)] == [WEB.respond(url) for url in reversed(some)]
    assert [SiteWeb(6, 50, classes=4).respond(url) for url in some] != [WEB.respond(url) for url in some]


def test_classes_have_about_the_same_number_of_sites() -> None:
    sizes = [len(WEB.relevant(name)) for name in WEB.classes]
    assert len(sizes) == 4
    assert max(sizes) - min(sizes) <= 2
    assert sum(sizes) == 30
    assert sum(site.theme < 0 for site in WEB.sites) == 2


def test_every_page_answers_and_every_intrinsic_link_leads_to_one(pages: dict[str, Page]) -> None:
    assert len(pages) == len(list(WEB.urls()))
    for page in pages.values():
        for link in page.links:
            if site_of(link.url) == site_of(page.url):
                assert WEB.respond(link.url).status == 200, link.url


def test_every_page_is_reached_from_the_homepage(pages: dict[str, Page]) -> None:
    for site in WEB.sites[:40]:
        waiting, known = [site.homepage], {site.homepage}
        while waiting:
            page = pages.get(waiting.pop())
            new = {link.url for link in page.links if site_of(link.url) == site.key} - known if page else set()
            known |= new
            waiting += new
        assert {url for url in pages if site_of(url) == site.key} <= known, site


def test_half_of_the_homepages_say_little(pages: dict[str, Page]) -> None:
    words = {site.key: sum(pages[site.homepage].terms.values()) for site in WEB.sites}
    for site in WEB.sites:
        if site.front == "frames":
            assert {link.kind for link in pages[site.homepage].links} == {"frame"}
        if site.front in ("frames", "splash"):
            assert words[site.key] < 10
    assert 10 <= sum(count < 10 for count in words.values()) <= 25
    assert len(Counter(site.front for site in WEB.sites)) == 4


def test_links_between_sites_mostly_connect_related_ones(pages: dict[str, Page]) -> None:
    same = other = 0
    for page in pages.values():
        site = WEB.site(site_of(page.url))
        if site is not None and site.theme >= 0 and page.url.endswith("/links.html"):
            ends = [WEB.site(site_of(link.url)) for link in page.links if site_of(link.url) != site.key]
            same += sum(end is not None and end.theme == site.theme for end in ends)
            other += sum(end is None or end.theme != site.theme for end in ends)
    assert 0.4 < same / (same + other) < 0.8


def test_the_trap_is_long_and_ends() -> None:
    root = next(site.homepage for site in WEB.sites if site.theme >= 0)
    assert b"calendar/1.html" in WEB.respond(f"{root}calendar/0.html").body
    assert b"href" not in WEB.respond(f"{root}calendar/{MONTHS - 1}.html").body
    for wrong in (f"calendar/{MONTHS}.html", "calendar/-1.html", "calendar/01.html", "calendar/x.html", "calendar/"):
        assert WEB.respond(root + wrong).status == 404


def test_sites_without_a_host_of_their_own() -> None:
    web = SiteWeb(5, 100, classes=4, tenants=40)
    tenants = [site for site in web.sites if site.root]
    assert 20 <= len(tenants) <= 60
    for site in tenants:
        assert web.respond(site.homepage).status == 200
        assert site_of(site.homepage, "folder") == site.key
    assert len({site.host for site in tenants}) <= 3
    look = SiteWalker(GeneratedFetcher(web).answer)
    page = look(Link(f"{tenants[0].homepage}about.html"))
    assert page is not None
    own = [link.url for link in page.links if urls.host(link.url) == tenants[0].host]
    assert own
    assert all(url.startswith(tenants[0].homepage) for url in own if "~" not in url or tenants[0].root in url)


@given(st.text(max_size=40))
def test_it_answers_anything(path: str) -> None:
    site = WEB.sites[3]
    assert WEB.respond(f"http://{site.host}/{path}").status in (200, 404)
    assert WEB.respond(path).status == 0 or path.startswith("http")


def test_bare_hosts_redirect_and_unknown_ones_do_not_resolve() -> None:
    host = WEB.sites[3].host
    moved = WEB.respond(f"http://{host.removeprefix('www.')}/about.html")
    assert (moved.status, dict(moved.headers)["Location"]) == (301, f"http://{host}/about.html")
    assert WEB.respond("http://www.gone-1.test/").status == 0
    assert WEB.respond(f"http://{host}/robots.txt").status == 200


@pytest.mark.parametrize(("sites", "classes"), [(0, 3), (10, 0), (10, 99)])
def test_a_web_that_cannot_be(sites: int, classes: int) -> None:
    with pytest.raises(ValueError, match="needs a site or more"):
        SiteWeb(1, sites, classes)


async def test_it_can_be_served() -> None:
    async with serve(WEB) as address:
        found = await DemoResolver(WEB, address).resolve(WEB.sites[3].host, 80)
        assert found[0]["port"] == address.port
