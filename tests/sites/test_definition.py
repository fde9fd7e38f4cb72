"""What a site is, by its URL."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound import urls
from scenthound.sites.definition import KINDS, homepage, site_of

URL = "https://www.cs.example.co.uk/~jo/work/a.html"


def test_the_three_kinds() -> None:
    assert site_of(URL) == site_of(URL, "host") == "www.cs.example.co.uk"
    assert site_of(URL, "domain") == "example.co.uk"
    assert site_of(URL, "folder") == "www.cs.example.co.uk/~jo"


@pytest.mark.parametrize(
    ("path", "site"),
    [
        ("/", "a.test"),
        ("/index.html", "a.test"),
        ("/?page=2", "a.test"),
        ("/shop", "a.test/shop"),
        ("/shop/", "a.test/shop"),
        ("/shop?x=1", "a.test/shop"),
        ("/shop/b/c.html", "a.test/shop"),
        ("/v1.2/guide", "a.test/v1.2"),
        ("/~jo", "a.test/~jo"),
        ("/~jo.k", "a.test/~jo.k"),
    ],
)
def test_folders(path: str, site: str) -> None:
    assert site_of(f"https://a.test{path}", "folder") == site


def test_a_homepage_is_found_by_the_name_of_the_site() -> None:
    assert homepage("www.example.org") == "https://www.example.org/"
    assert homepage("a.test/~jo") == "https://a.test/~jo/"


def test_a_homepage_keeps_what_the_link_knows() -> None:
    assert homepage("a.test", "http://a.test/deep/x.html") == "http://a.test/"
    assert homepage("a.test/~jo", "http://a.test/~jo/x") == "http://a.test/~jo/"
    assert homepage("example.org", "http://www.example.org/x") == "http://www.example.org/"
    assert homepage("example.org", "http://blog.example.org:8000/x") == "http://example.org:8000/"
    assert homepage("127.0.0.1", "http://127.0.0.1:8000/x") == "http://127.0.0.1:8000/"
    assert homepage("[::1]", "http://[::1]:8000/x") == "http://[::1]:8000/"
    assert homepage("a.test", "https://elsewhere.test/") == "https://a.test/"


@given(
    host=st.sampled_from(["a.test", "www.example.co.uk", "127.0.0.1:80", "[::1]:8000", "x.github.io"]),
    path=st.text(st.characters(codec="utf-8"), max_size=30),
    kind=st.sampled_from(KINDS),
)
def test_a_homepage_belongs_to_its_site(host: str, path: str, kind: str) -> None:
    url = urls.canonical(f"http://{host}/{path}")
    if isinstance(url, str):
        site = site_of(url, kind)  # type: ignore[arg-type]
        front = homepage(site, url)
        assert urls.canonical(front) == front
        assert site_of(front, kind) == site  # type: ignore[arg-type]
