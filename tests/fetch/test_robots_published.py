"""The cases that RFC 9309 and the documentation of Google's parser give, and the six places where we differ from them.

`docs/promises.md` has the six with their reasons.
"""

from __future__ import annotations

import pytest

from scenthound.fetch.robots import HostRules, parse
from scenthound.model import Response

AGENT = "FooBot"


def rules(text: str | bytes, agent: str = AGENT, status: int = 200) -> HostRules:
    body = text.encode() if isinstance(text, str) else text
    return parse(Response("http://foo.bar/robots.txt", status, (), body), agent, 0.0)


def allowed(text: str | bytes, path: str, agent: str = AGENT) -> bool:
    return rules(text, agent).allows(f"http://foo.bar{path}")


def group(*lines: str) -> str:
    return "user-agent: FooBot\n" + "".join(f"{line}\n" for line in lines)


# RFC 9309


@pytest.mark.parametrize(
    ("rule", "path", "matches"),
    [
        # 2.2.2: the table of paths, octet by octet
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz", True),
        ("/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar", False),
        ("/foo/bar?baz=http%3A%2F%2Ffoo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar", True),
        ("/foo/bar/U+E38384", "/foo/bar/U+E38384", True),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        # 2.2.3: special characters
        ("/this/path/*/exact", "/this/path/goes/exact", True),
        ("/this/path/exactly$", "/this/path/exactly", True),
        ("/this/path/exactly$", "/this/path/exactly/so", False),
        ("/foo$", "/foo?x", False),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-b.html", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/path/foo-%24", "/path/foo-", False),
    ],
)
def test_rfc_paths(rule: str, path: str, matches: bool) -> None:
    assert allowed(group(f"Disallow: {rule}"), path) is not matches


def test_rfc_longest_match() -> None:
    """5.2: the longest rule decides."""
    text = group("Allow: /example/page/", "Disallow: /example/page/disallowed.gif")
    assert allowed(text, "/example/page/")
    assert allowed(text, "/example/page/other.gif")
    assert not allowed(text, "/example/page/disallowed.gif")


def test_rfc_groups() -> None:
    """2.2.1: by product token whatever its case; groups of one token are one; `*` where none is ours."""
    text = "User-agent: ExampleBot\nDisallow: /foo\nDisallow: /bar\n\nUser-agent: ExampleBot\nDisallow: /baz\n"
    assert [allowed(text, path, "examplebot") for path in ("/foo", "/bar", "/baz", "/x")] == [False, False, False, True]
    star = "User-agent: *\nAllow: /foo\nDisallow: /\n\nUser-agent: other\nDisallow: /foo\n"
    assert allowed(star, "/foo")
    assert not allowed(star, "/bar")
    assert allowed("User-agent: other\nDisallow: /\n", "/x"), "no group is ours, and there is none for all"


def test_rfc_its_own_robots_txt_is_always_allowed() -> None:
    assert allowed(group("Disallow: /"), "/robots.txt")


@pytest.mark.parametrize("status", [301, 400, 403, 404, 410, 451])
def test_rfc_unavailable(status: int) -> None:
    """2.3.1.3 and 2.3.1.2: everything may be asked."""
    assert rules("user-agent: *\ndisallow: /\n", status=status).allows("http://foo.bar/x")


def test_rfc_five_hundred_kilobytes_are_read() -> None:
    """2.5"""
    lines = "disallow: /%05d\n"
    text = "user-agent: *\n" + "".join(lines % number for number in range(500 * 1024 // 17)) + "disallow: /last\n"
    assert 480 * 1024 < len(text) < 512 * 1024
    assert not allowed(text, "/last")


# Google's parser


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("user-agent: FooBot\ndisallow: /\n", "/x/y", False),
        ("foo: FooBot\nbar: /\n", "/x/y", True),
        ("user-agent FooBot\ndisallow /\n", "/x/y", False),  # a colon forgotten
        ("", "/x/y", True),
        # Which groups are ours
        ("allow: /foo/bar/\n\nuser-agent: FooBot\ndisallow: /\nallow: /x/\n", "/x/b", True),
        ("allow: /foo/bar/\n\nuser-agent: FooBot\ndisallow: /\nallow: /x/\n", "/foo/bar/", False),
        ("user-agent: BarBot\ndisallow: /\nuser-agent: FooBot\ndisallow: /y\n", "/x", True),
        ("user-agent: FooBot\nuser-agent: BarBot\ndisallow: /x\n", "/x", False),
        ("USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n", "/x/y", True),
        ("uSeR-aGeNt: FooBot\nDiSaLlOw: /\n", "/x/y", False),
        ("User-Agent: Foo Bar\nDisallow: /x/\n", "/x/y", True),  # a token ends at the first space
        ("User-Agent: *\nAllow: /y/\n\nUser-Agent: FooBot\nDisallow: /y/\n", "/y/", False),
        ("user-agent: *\ndisallow: /\nuser-agent: FooBot\n", "/x", True),  # a group of ours without rules
        ("user-agent: * baz\ndisallow: /\n", "/x", False),
        # Paths keep their case
        ("user-agent: FooBot\ndisallow: /X/\n", "/x/y", True),
        ("user-agent: FooBot\ndisallow: /x/\n", "/x/y", False),
        # The longest match
        ("user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n", "/x/page.html", False),
        ("user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n", "/x/page.html", True),
        ("user-agent: FooBot\ndisallow: \nallow: \n", "/x", True),
        ("user-agent: FooBot\ndisallow: /\nallow: /\n", "/x", True),
        ("user-agent: FooBot\ndisallow: /x\nallow: /x/\n", "/x", False),
        ("user-agent: FooBot\ndisallow: /x\nallow: /x/\n", "/x/", True),
        ("user-agent: FooBot\ndisallow: *.html\nallow: /x/page.html\n", "/x/page.html", True),
        ("user-agent: FooBot\ndisallow: /x/\nallow: /x/*.html\n", "/x/page.htm", False),
        # Escapes and letters beyond ASCII
        ("User-agent: FooBot\nDisallow: /\nAllow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n",
         "/foo/bar?qux=taz&baz=http://foo.bar?tar&par", True),
        ("User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/ツ\n", "/foo/bar/%E3%83%84", True),
        ("User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%E3%83%84\n", "/foo/bar/%E3%83%84", True),
        # Stars and ends
        ("user-agent: FooBot\ndisallow: /foo/bar/quz\nallow: /foo/*/qux\n", "/foo/bar/quz", False),
        ("user-agent: FooBot\ndisallow: /foo/bar$\nallow: /foo/bar/qux\n", "/foo/bar", False),
        ("user-agent: FooBot\ndisallow: /foo/bar$\nallow: /foo/bar/qux\n", "/foo/bar/qux", True),
        ("user-agent: FooBot\n# disallow: /\ndisallow: /foo/quz#qux\nallow: /\n", "/foo/bar", True),
        ("user-agent: FooBot\n# disallow: /\ndisallow: /foo/quz#qux\nallow: /\n", "/foo/quz", False),
        ("user-agent: FooBot\nDisallow: /fish*.php\n", "/fishheads/catfish.php?parameters", False),
        ("user-agent: FooBot\nDisallow: /fish*.php\n", "/Fish.PHP", True),
        ("user-agent: FooBot\nDisallow: /*.php$\n", "/folder/filename.php", False),
        ("user-agent: FooBot\nDisallow: /*.php$\n", "/filename.php?parameters", True),
        ("user-agent: FooBot\nDisallow: /*.php$\n", "/filename.php5", True),
        ("user-agent: FooBot\nDisallow: /fish/\n", "/fish", True),
        ("user-agent: FooBot\nDisallow: fish\n", "/fish", True),  # a rule that begins nowhere
        # index.html
        ("User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n", "/allowed-slash/", True),
        ("User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n", "/allowed-slash/index.htm", False),
        ("User-Agent: *\nAllow: /a/index.htm\nDisallow: /\n", "/a/", True),
        ("User-Agent: *\nAllow: /a/index.html\nDisallow: /\n", "/anyother-url", False),
        # Slips of the pen
        ("useragent: FooBot\ndisallow: /\n", "/x", False),
        ("user agent: FooBot\ndissallow: /\n", "/x", False),
        ("user-agent: FooBot\ndissalow: /\n", "/x", False),
        ("user-agent: FooBot\ndisalow: /\n", "/x", False),
        ("user-agent: FooBot\ndiasllow: /\n", "/x", False),
        ("user-agent: FooBot\ndisallaw: /\n", "/x", False),
        # Unknown lines end nothing
        ("user-agent: FooBot\nuser-agent: BarBot\nfoo: bar\nuser-agent: BazBot\ndisallow: /x\n", "/x", False),
        ("user-agent: BarBot\nsitemap: https://foo.bar/sitemap\nuser-agent: *\nDisallow: /\n", "/x", False),
        ("user-agent: FooBot\nInvalid-Unknown-Line: unknown\nuser-agent: *\nDisallow: /\n", "/x", False),
    ],
)  # fmt: skip
def test_google(text: str, path: str, expected: bool) -> None:
    assert allowed(text, path) is expected


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_google_lines(end: str) -> None:
    text = end.join(["user-agent: FooBot", "disallow: /", "allow: /x/y", "", ""])
    assert [allowed(text, path) for path in ("/x/y", "/x/z")] == [True, False]


@pytest.mark.parametrize(("mark", "obeyed"), [(b"\xef\xbb\xbf", True), (b"\xef\xbb\x11\xbf", False)])
def test_google_byte_order_marks(mark: bytes, obeyed: bool) -> None:
    assert allowed(mark + b"User-Agent: FooBot\nDisallow: /\n", "/x") is not obeyed


# Where we differ


def test_1_too_many_requests_and_errors_are_no_word_on_the_rules() -> None:
    """RFC: 429 allows all, and 5xx refuses all. Here the links wait, and it is asked again."""
    for status in (429, 500, 503):
        assert rules("", status=status).unreachable


def test_2_crawl_delay_is_obeyed() -> None:
    assert rules(group("Crawl-delay: 7")).delay == 7.0


def test_3_a_dollar_at_the_end_may_have_been_meant_as_a_letter() -> None:
    text = group("Disallow: /price-in-$")
    assert not allowed(text, "/price-in-"), "as RFC 9309 has it"
    assert not allowed(text, "/price-in-$"), "and besides"


def test_4_letters_that_need_no_escape_are_the_same_escaped() -> None:
    """As the RFC has it; Google's parser leaves escapes as they are."""
    assert not allowed(group("Disallow: /%7Ejoe/"), "/~joe/index.html")


def test_5_a_web_page_has_no_rules_and_wide_characters_are_read() -> None:
    assert allowed("<html>\nuser-agent: *\ndisallow: /\n", "/x")
    assert not allowed("user-agent: *\ndisallow: /\n".encode("utf-16"), "/x")


def test_6_lines_are_what_they_are_called_and_as_long_as_they_are() -> None:
    """Google's parser also takes a line that only begins so, and cuts lines at 16,664 bytes."""
    assert allowed(group("Disallowed-since-2020: /x"), "/x")
    long = "/" + "a" * 1_500 + "*" * 20_000 + "b"
    assert allowed(group(f"Disallow: {long}"), "/" + "a" * 1_500)
