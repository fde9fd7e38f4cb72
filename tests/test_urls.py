import can_ada
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenthound.urls import (
    MAX_FOLDERS,
    MAX_LENGTH,
    Base,
    Malformed,
    _settle,
    ascending,
    canonical,
    extension,
    fingerprint,
    fingerprints,
    host,
    language,
    origin,
    other_scheme,
    path,
    site,
)

SAME = [
    ("HTTP://Example.ORG", "http://example.org/"),
    ("http://example.org:80/a", "http://example.org/a"),
    ("https://example.org:443/a", "https://example.org/a"),
    ("https://example.org:8443/a", "https://example.org:8443/a"),
    ("http://example.org/a/./b/../c", "http://example.org/a/c"),
    ("http://example.org/a#part", "http://example.org/a"),
    ("http://example.org/a?", "http://example.org/a"),
    ("http://jo:secret@example.org/a", "http://example.org/a"),
    ("http://bücher.example/ü?q=ü", "http://xn--bcher-kva.example/%C3%BC?q=%C3%BC"),
    ("http://example.org/%7ejo/%c3%a9", "http://example.org/~jo/%C3%A9"),
    ("http://example.org./a", "http://example.org/a"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://example.org\\a\\b", "http://example.org/a/b"),
    (" http://example.org/a\n", "http://example.org/a"),
    ("http://example.org/?utm_source=x&q=1&gclid=2", "http://example.org/?q=1"),
    ("http://example.org/?fbclid=2", "http://example.org/"),
    ("http://example.org/?%75tm_source=2&a", "http://example.org/?a"),
    ("http://example.org/a;jsessionid=0F9?x=1", "http://example.org/a?x=1"),
    ("http://example.org/?PHPSESSID=abc&b=2", "http://example.org/?b=2"),
    ("http://example.org/?sid=0123456789abcdef01&b=2", "http://example.org/?b=2"),
    ("http://example.org/..;jsessionid=1/x", "http://example.org/x"),
]
KEPT = [
    "http://schools-wikipedia.org/wp/s/Spix%2527s_Macaw.htm",
    "http://example.org/a%2Fb",
    "http://example.org/?b=2&a=1",
    "http://example.org/?sid=42",
    "http://example.org/?autmn_leaf=1",
    "http://example.org/%%34%31",
    "http://example.org/a@b",
    "http://example.org/?text=one%0Atwo",
    "http://[::1]:8080/",
]
REFUSED = [
    ("mailto:jo@example.org", "scheme mailto"),
    ("javascript:void(0)", "scheme javascript"),
    ("data:text/html," + "x" * 100_000, "scheme data"),
    ("http://example.org/" + "x" * MAX_LENGTH, "too long"),
    ("http://" + "x" * 100_000, "too long"),
    ("http://exa mple.org/", "not a valid URL"),
    ("no/scheme", "not a valid URL"),
    ("", "not a valid URL"),
    ("http://example.org/%00", "control character"),
    ("http://example.org/a\x07b", "control character"),
    ("http://./", "no host name"),
    ("http://example.org/\ud800", "not Unicode text"),
]

url_like = st.from_regex(
    r"(https?|HTTP|ftp)://[a-zA-Z0-9.:@%\[\]-]{1,12}(/[a-z.%;=A-F0-9~&?#_-]{0,20}){0,3}", fullmatch=True
)


@pytest.mark.parametrize(("url", "expected"), SAME)
def test_spellings_of_one_page(url, expected):
    assert canonical(url) == expected


@pytest.mark.parametrize("url", KEPT)
def test_what_may_name_another_page_is_kept(url):
    assert canonical(url) == url


@pytest.mark.parametrize(("url", "reason"), REFUSED)
def test_unusable_urls_come_back_with_a_reason(url, reason):
    refused = canonical(url)
    assert isinstance(refused, Malformed)
    assert refused.reason == reason


@settings(deadline=None)
@given(st.one_of(st.text(), url_like, url_like.map(lambda url: url + "?utm_a=1&&s=0123456789abcdef")))
@example("http://a/%%34%31")
@example("http://a/%2%35")
@example("http://a/?&utm_a")
@example("http://a/;jsessionid=;jsessionid=/..;jsessionid=")
def test_canonical_never_raises_and_is_idempotent(url):
    once = canonical(url)
    if isinstance(once, str):
        assert canonical(once) == once
        assert once.startswith(("http://", "https://"))
        assert "#" not in once
        assert len(once) <= MAX_LENGTH
        assert origin(once) + path(once) in once + "/"
        assert site(once)


@settings(deadline=None)
@given(url_like)
def test_host_is_what_stands_between_scheme_and_path(url):
    once = canonical(url)
    if isinstance(once, str):
        assert once.partition("://")[2].startswith(host(once) + "/")


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("d.html", "http://example.org/a/d.html"),
        ("/d?x=1#y", "http://example.org/d?x=1"),
        ("//other.org", "http://other.org/"),
        ("../../../x", "http://example.org/x"),
        ("", "http://example.org/a/b.html"),
        ("#top", "http://example.org/a/b.html"),
        ("  c d\n ", "http://example.org/a/c%20d"),
        ("https:e", "https://e/"),
        ("?utm_medium=x", "http://example.org/a/b.html"),
    ],
)
def test_links_resolve_against_their_base(href, expected):
    base = Base("http://example.org/a/b.html")
    assert base.resolve(href) == expected
    assert base.resolve(href) == expected, "and again, from memory"


@settings(deadline=None)
@given(st.text())
def test_resolving_never_raises(href):
    for base in (Base("http://example.org/a/"), Base("not a url"), Base("mailto:x")):
        resolved = base.resolve(href)
        assert isinstance(resolved, Malformed) or canonical(resolved) == resolved


@pytest.mark.parametrize("base", ["http://h.test/", "http://h.test/a/b.html?q=1/2", "https://h.test:8443/~jo/x.y/"])
@given(href=st.text("aZ9_~.-/%;?#:@ ü", max_size=30))
@example(href="a")
@example(href="/a/~b/c-d.html")
@example(href="a/../b")
@example(href="//a/b")
@example(href="a.html#b/c?d")
@example(href="../a#b")
@example(href="../../../a/b/")
@example(href="../.a")
@example(href="a" * 1995)
def test_plain_links_take_a_short_cut_to_the_same_place(base, href):
    assert Base(base).resolve(href) == _settle(href, can_ada.parse(base))


def test_a_base_that_is_no_url_still_resolves_absolute_links():
    assert Base("nowhere").resolve("http://example.org") == "http://example.org/"
    assert isinstance(Base("nowhere").resolve("x.html"), Malformed)


@pytest.mark.parametrize(
    ("url", "expected_host", "expected_site", "expected_origin", "expected_path"),
    [
        ("http://www.example.co.uk/a/b?c", "www.example.co.uk", "example.co.uk", "http://www.example.co.uk", "/a/b"),
        ("https://jo.github.io:81/", "jo.github.io:81", "jo.github.io", "https://jo.github.io:81", "/"),
        ("http://localhost:8000/x", "localhost:8000", "localhost", "http://localhost:8000", "/x"),
        ("http://10.0.0.1:8000/", "10.0.0.1:8000", "10.0.0.1", "http://10.0.0.1:8000", "/"),
        ("http://[::1]:80/", "[::1]:80", "[::1]", "http://[::1]:80", "/"),
        ("http://co.uk/", "co.uk", "co.uk", "http://co.uk", "/"),
    ],
)
def test_parts(url, expected_host, expected_site, expected_origin, expected_path):
    assert (host(url), site(url), origin(url), path(url)) == (
        expected_host,
        expected_site,
        expected_origin,
        expected_path,
    )


def test_fingerprints_fit_a_signed_column_and_never_change():
    prints = {fingerprint(f"http://example.org/{n}") for n in range(1000)}
    assert len(prints) == 1000
    assert min(prints) < 0 < max(prints)
    assert all(-(2**63) <= value < 2**63 for value in prints)
    assert fingerprint("http://a/") == 2939723866542953782
    many = ["", "http://a/", "http://b/\ud800", *(f"http://example.org/{n}" for n in range(50))]
    assert fingerprints(many) == [fingerprint(url) for url in many]


@pytest.mark.parametrize(
    ("url", "above"),
    [
        ("http://a.org/b/c/d.html?q=1", ["http://a.org/b/c/", "http://a.org/b/", "http://a.org/"]),
        ("http://a.org/b/c/", ["http://a.org/b/", "http://a.org/"]),
        ("http://a.org/b/?q=1", ["http://a.org/b/", "http://a.org/"]),
        ("http://a.org:8080/b", ["http://a.org:8080/"]),
        ("http://a.org/?q=/x/y", ["http://a.org/"]),
        ("http://a.org/", []),
    ],
)
def test_folders_above_a_page(url, above):
    assert ascending(url) == above


@given(st.lists(st.sampled_from(["a", "b.html", "%2F", "?x", "//", "c;d"]), max_size=40).map("/".join))
def test_going_up_ends_at_the_top_and_never_stays(path_):
    url = canonical(f"https://a.org/{path_}")
    above = ascending(url)
    assert url not in above
    assert len(above) <= MAX_FOLDERS
    assert all(canonical(each) == each for each in above)
    assert not above or above[-1] == "https://a.org/"
    assert above == sorted(above, key=len, reverse=True)


@pytest.mark.parametrize(
    ("path_", "ending"),
    [("/a.PDF", "pdf"), ("/a.tar.gz?x=.pdf", "gz"), ("/a.b/c", ""), ("/.htaccess", ""), ("/", ""), ("/File:A.jpg", "")],
)
def test_extension(path_, ending):
    assert extension(f"http://a.org{path_}") == ending


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://de.wiki.org/wiki/X", "de"),
        ("https://de.org/", ""),
        ("https://www.a.org/fr/x", "fr"),
        ("https://www.a.org/fr-CA/x", "fr"),
        ("https://www.a.org/pt_br", "pt"),
        ("https://www.a.org/it?x", "it"),
        ("https://www.a.org/fresh/x", ""),
        ("https://www.a.org/x/fr/", ""),
        ("https://www.a.org/x?a=1&hl=ja", "ja"),
        ("https://www.a.org/x?a=1&xhl=ja", ""),
        ("https://www.a.org/x?lang=java", ""),
        ("https://www.a.org/zz/x", ""),
        ("https://cs.wiki.org/x", "cs"),
        ("https://cs.example.edu/x", ""),
        ("https://www.example.ac.uk:81/cs/x", ""),
    ],
)
def test_the_language_a_url_names(url, code):
    assert language(url) == code


def test_the_other_scheme() -> None:
    assert other_scheme("http://a.test/https") == "https://a.test/https"
    assert other_scheme("https://a.test:8443/") == "http://a.test:8443/"
