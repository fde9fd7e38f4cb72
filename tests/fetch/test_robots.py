"""Robots rules by RFC 9309: its own examples, its fine print, and files that are none."""

import threading

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.fetch import robots
from scenthound.fetch.answer import ROBOTS_BYTES
from scenthound.fetch.robots import DAY, LARGE, SHORTEST, HostRules, parse
from scenthound.model import Failed, Response

NOW = 1_000_000.0


def rules(text: str | bytes, agent: str = "Scenthound", status: int = 200, **headers: str) -> HostRules:
    body = text.encode() if isinstance(text, str) else text
    fields = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return parse(Response("http://h.test/robots.txt", status, fields, body), agent, NOW, 60.0)


def allowed(text: str | bytes, path: str, agent: str = "Scenthound") -> bool:
    return rules(text, agent).allows(f"http://h.test{path}")


# RFC 9309, section 5.1
SIMPLE = """
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot

EOF
"""


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("anybot", "/publications/a", True),
        ("anybot", "/example/a", False),
        ("anybot", "/x/y.gif", False),
        ("anybot", "/x/y.gif?z", True),
        ("foobot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("foobot", "/publications/", False),
        ("FooBot", "/", False),
        ("barbot", "/example/page.html", False),
        ("barbot", "/example/other.html", True),
        ("bazbot", "/example/page.html", False),
        ("quxbot", "/example/", True),
        ("quxbot", "/a.gif", True),
    ],
)
def test_simple_example(agent: str, path: str, expected: bool) -> None:
    assert allowed(SIMPLE, path, agent) is expected


def test_longest_match_example() -> None:
    """RFC 9309, section 5.2."""
    text = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"
    assert not allowed(text, "/example/page/disallowed.gif", "foobot")
    assert allowed(text, "/example/page/other.gif", "foobot")


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("Allow: /a\nDisallow: /a", "/a", True),  # Allow wins a tie, in either order
        ("Disallow: /a\nAllow: /a", "/a", True),
        ("Disallow: /\nAllow: /a/b", "/a/b/c", True),
        ("Allow: /\nDisallow: /a", "/ab", False),
        ("Disallow:", "/a", True),
        ("Disallow: /a$", "/a", False),
        ("Disallow: /a$", "/ab", True),
        ("Disallow: /a*b*c", "/axxbyyc/d", False),
        ("Disallow: /a*b*c", "/axxcyyb", True),
        ("Disallow: /*?", "/x?y", False),
        ("Disallow: /*?", "/x", True),
        ("Disallow: /A", "/a", True),
        ("Disallow: /caf%C3%A9", "/caf%C3%A9", False),
        ("Disallow: /café", "/caf%C3%A9", False),
        ("Disallow: /caf%c3%a9", "/caf%C3%A9", False),
        ("Disallow: /%7Ejo", "/~jo", False),
        ("Disallow: /a%2Fb", "/a/b", True),  # an escaped slash is no slash
        ("Disallow: /a%2Fb", "/a%2Fb", False),
        ("Disallow: /a # not b", "/a", False),
        ("Disallow /a", "/a", False),
        ("DISALLOW  :   /a", "/a", False),
        ("Disallow: /", "/robots.txt", True),
    ],
)
def test_matching(text: str, path: str, expected: bool) -> None:
    assert allowed(f"User-agent: *\n{text}\n", path) is expected


@pytest.mark.parametrize(
    ("line", "ours"),
    [
        ("Scenthound", True),
        ("scentHOUND", True),
        ("Scenthound/2.0", True),
        ("Scenthound # us", True),
        ("Scenthound the crawler", True),
        ("Scent", False),
        ("hound", False),
        ("ScenthoundImages", False),
        ("Scenthound-News", False),
        ("", False),
    ],
)
def test_which_group_is_ours(line: str, ours: bool) -> None:
    assert allowed(f"User-agent: {line}\nDisallow: /\n", "/x") is not ours


def test_groups_of_one_name_are_one_group() -> None:
    text = (
        "User-agent: scenthound\nDisallow: /a\n\nUser-agent: *\nDisallow: /c\n\nUser-agent: SCENTHOUND\nDisallow: /b\n"
    )
    assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]


def test_other_lines_do_not_end_a_list_of_names() -> None:
    text = (
        "User-agent: scenthound\nSitemap: http://h.test/s.xml\nNoise: 1\nCrawl-delay: 3\nUser-agent: b\nDisallow: /a\n"
    )
    assert not allowed(text, "/a")
    assert not allowed(text, "/a", "b")
    assert rules(text).sitemaps == ("http://h.test/s.xml",)
    assert rules(text).delay == 3.0


def test_rules_before_any_name_are_nobodys() -> None:
    assert allowed("Disallow: /\nUser-agent: *\nDisallow: /b\n", "/a")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_line_ends(end: str) -> None:
    assert not allowed(f"User-agent: *{end}Disallow: /a{end}", "/a")


@pytest.mark.parametrize("odd", ["\x0b", "\x0c", "\x1d", "\x85", "\u2028"])
def test_no_other_character_ends_a_line(odd: str) -> None:
    assert allowed(f"User-agent: *\nAllow: /b{odd}Disallow: /a\n", "/a")


@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_marks_and_wide_characters_are_read_through(coding: str) -> None:
    assert not allowed("User-agent: *\nDisallow: /a\n".encode(coding), "/a")


@pytest.mark.parametrize(
    ("line", "delay"),
    [("5", 5.0), ("0.5", 0.5), ("9000", 60.0), ("-1", None), ("nan", None), ("inf", None), ("x", None)],
)
def test_delays_are_honoured_up_to_a_limit(line: str, delay: float | None) -> None:
    assert rules(f"User-agent: *\nCrawl-delay: {line}\n").delay == delay


@pytest.mark.parametrize(
    "body", [b"", b"<!doctype html><p>User-agent: *\nDisallow: /", b"\x89PNG\x00\xff" * 100, b"\0"]
)
def test_no_rules_where_there_are_none(body: bytes) -> None:
    assert allowed(body, "/a")


def test_ten_megabytes_are_cut() -> None:
    body = b"User-agent: *\nDisallow: /a\n" + b"# padding\n" * 1_000_000 + b"Disallow: /late\n"
    assert not allowed(body, "/a")
    assert allowed(body, "/late")


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 410, 451])
def test_unavailable_allows_all(status: int) -> None:
    found = rules("User-agent: *\nDisallow: /", status=status)
    assert found.allows("http://h.test/a")
    assert found.expires == NOW + DAY
    assert parse(Failed("u", "status", status=status), "x", NOW).allows("http://h.test/a")


@pytest.mark.parametrize("status", [429, 500, 502, 503, 599, 999])
def test_unreachable_is_no_word_of_the_host(status: int) -> None:
    found = rules("", status=status)
    assert not found.allows("http://h.test/a")
    assert (found.unreachable, found.passing) == (f"robots unreachable: {status}", True)


@pytest.mark.parametrize("kind", ["dns", "timeout", "reset", "connect", "tls", "address"])
@pytest.mark.parametrize("retry", [True, False])
def test_where_the_host_is_out_of_reach_that_is_the_reason(kind: str, retry: bool) -> None:
    found = parse(Failed("u", kind, "so it is", retry=retry), "x", NOW)  # type: ignore[arg-type]
    assert not found.allows("http://h.test/a")
    assert (found.unreachable, found.passing) == (f"{kind}: so it is", retry and kind != "address")
    assert found.final is (kind == "address")


def test_an_answer_that_is_no_http() -> None:
    assert parse(Failed("u", "protocol", "bad chunk"), "x", NOW).unreachable == "robots unreachable: bad chunk"


def test_a_longer_while_if_asked_to() -> None:
    assert rules("", status=503, Retry_After="7200").wait == 7200
    assert parse(Failed("u", "status", status=503, retry_after=7200.0), "x", NOW).wait == 7200


@pytest.mark.parametrize(
    ("control", "seconds"),
    [
        ("", DAY),
        ("max-age=3600", 3600),
        ("public, Max-Age = 7200", 7200),
        ("s-maxage=5", DAY),
        ("max-age=1", SHORTEST),
        ("max-age=99999999", DAY),
        ("no-store", SHORTEST),
        ("max-age=x", DAY),
    ],
)
def test_rules_are_held_as_long_as_the_server_likes(control: str, seconds: float) -> None:
    assert rules("", Cache_Control=control).expires == NOW + seconds


FIELDS = ["User-agent", "Disallow", "Allow", "Crawl-delay", "Sitemap", "", "*", "Request-rate", "Visit-time"]
LINES = st.tuples(st.sampled_from(FIELDS), st.sampled_from([":", " ", "", ": "]), st.text(max_size=20)).map("".join)


@given(
    st.binary(max_size=500) | st.lists(LINES, max_size=20).map("\n".join).map(lambda t: t.encode("utf-8", "replace"))
)
@example(b"User-agent:*\nDisallow:/[")
def test_any_bytes_are_read(body: bytes) -> None:
    found = rules(body)
    assert found.allows("http://h.test/a?b#c") in (True, False)
    assert found.allows("not a url [") in (True, False)
    assert found.delay is None or 0 <= found.delay <= 60


def test_a_line_cut_in_the_middle_is_not_read() -> None:
    start = b"User-agent: *\nDisallow: /\n"
    body = start + b"#" * (ROBOTS_BYTES - len(start) - 10) + b"\nAllow: /public/only/this\n"
    assert not allowed(body, "/private")
    assert not allowed(body[:ROBOTS_BYTES], "/private")


async def test_a_large_file_is_read_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def noting(*given: object) -> HostRules:
        threads.append(threading.current_thread())
        return parse(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(robots, "parse", noting)
    for size in (100, LARGE):
        body = (b"User-agent: *\nDisallow: /a\n" + b"#" * size)[:size]
        found = await robots.parse_apart(Response("http://h.test/robots.txt", 200, (), body), "x", NOW)
        assert not found.allows("http://h.test/a")
    assert [thread is threading.main_thread() for thread in threads] == [True, False]
