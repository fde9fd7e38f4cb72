"""A cookie is for the site that set it, and for no other."""

import pytest
from yarl import URL

from scenthound.fetch.cookies import SiteCookies, is_within_site


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("a=1", "a.co.uk"),
        ("a=1; Path=/", "www.a.co.uk"),
        ("a=1; Domain=a.co.uk", "www.a.co.uk"),
        ("a=1; domain=.A.co.uk; Secure", "www.a.co.uk"),
        ("a=1; Domain=www.a.co.uk", "www.a.co.uk"),
        ("a=1; Domain=", "a.co.uk"),
        ("a=1; Domain=localhost", "localhost"),
        ("a=domain=co.uk", "a.co.uk"),
    ],
)
def test_a_cookie_for_its_own_site_is_taken(header: str, host: str) -> None:
    assert is_within_site(header, host)


@pytest.mark.parametrize(
    "header",
    [
        "a=1; Domain=co.uk",
        "a=1; DOMAIN = .co.uk; Path=/",
        'a=1; domain="co.uk"',
        "a=1; Domain=uk",
        "a=1; Domain=a.co.uk; Domain=co.uk",
        "a=1; Domain=b.co.uk",
        "a=1; Domain=xa.co.uk",
    ],
)
def test_a_cookie_for_everybody_is_not(header: str) -> None:
    assert not is_within_site(header, "www.a.co.uk")


async def test_other_sites_are_told_nothing() -> None:
    jar = SiteCookies()
    jar.update_cookies_from_headers(["own=1; Domain=a.co.uk", "all=1; Domain=co.uk"], URL("http://www.a.co.uk/"))
    assert set(jar.filter_cookies(URL("http://shop.a.co.uk/"))) == {"own"}
    assert not jar.filter_cookies(URL("http://b.co.uk/"))


async def test_a_flood_of_cookies_is_bounded() -> None:
    jar = SiteCookies()
    for number in range(5):
        headers = [f"c{number}-{each}={'v' * 5_000}; Path=/" for each in range(100)]
        jar.update_cookies_from_headers(headers, URL("http://a.co.uk/"))
    assert len(jar) <= 180
    sent = jar.filter_cookies(URL("http://a.co.uk/")).output(header="", sep=";")
    assert len(sent) < 32_000
