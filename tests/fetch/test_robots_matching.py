"""Paths against rules: the same answers as protego gives, for work that does not grow with the file."""

from hypothesis import example, given
from hypothesis import strategies as st
from protego import Protego

from scenthound.fetch.robots_matching import MOST_PIECES, PathRules, StarredRule, spelled_path
from tests.counting import calls_of

PIECES = st.sampled_from(
    ["/", "a", "b", "ab", "*", "**", "$", "?", "=", "&", ".", "%2F", "%41", "%3d", "%2A", "%", "é", "index.html", "-"]
)
PATTERNS = st.lists(PIECES, min_size=1, max_size=8).map("".join)
RULES = st.lists(st.tuples(st.booleans(), PATTERNS.map(lambda text: f"/{text}") | PATTERNS), max_size=12)
PATHS = st.lists(PIECES, max_size=10).map(lambda pieces: "/" + "".join(pieces))


def by_protego(rules: list[tuple[bool, str]], path: str) -> bool:
    text = "\n".join(f"{'Allow' if allows else 'Disallow'}: {pattern}" for allows, pattern in rules)
    return bool(Protego.parse(f"User-agent: *\n{text}\n").can_fetch(f"http://h.test{path}", "*"))


@given(RULES, PATHS)
@example([(False, "/a*$")], "/ab")
@example([(False, "/*.gif$"), (True, "/a.gif")], "/a.gif")
@example([(True, "/x/index.html"), (False, "/")], "/x/")
@example([(False, "/a$b"), (True, "/a%24b")], "/a$b")
def test_as_protego_has_it(rules: list[tuple[bool, str]], path: str) -> None:
    assert PathRules(rules).allow(path) == by_protego(rules, path)


def test_bytes_that_are_no_text_are_told_apart() -> None:
    """Here protego differs: to it all bytes that are no UTF-8 are one."""
    assert PathRules([(False, "/%FF")]).allow("/%FE")
    assert not PathRules([(False, "/%ff")]).allow("/%FF")


def test_a_star_in_a_path_is_a_letter() -> None:
    assert spelled_path("/a*b") == "/a%2Ab"
    assert not PathRules([(False, "/a%2Ab")]).allow("/a*b")


def test_a_thousand_times_the_rules_is_not_more_work() -> None:
    """What the table of 22,000 rules does for a URL is what one of 22 does."""

    def work(rules: int) -> int:
        table = PathRules([(False, f"/{number}*a*a*a*$") for number in range(rules)])
        paths = [f"/{number}xaxaxa" for number in range(0, 22_000, 220)]
        return calls_of(lambda: [table.allow(path) for path in paths])

    assert work(22_000) < 20 * work(22)


def test_rules_without_stars_cost_their_lengths_not_their_number() -> None:
    table = PathRules([(False, f"/folder/{number:05}") for number in range(30_000)])
    assert not table.allow("/folder/29999/x")
    assert table.allow("/folder/30000/x")
    assert calls_of(lambda: table.allow("/folder/30000/x")) < 20


def test_what_too_many_rules_would_have_to_clear_is_refused() -> None:
    hostile = PathRules([(False, f"/*a*b*{number % 10}*{number}$") for number in range(20_000)])
    path = "/" + "ab0123456789" * 20
    assert not hostile.allow(path)
    assert calls_of(lambda: hostile.allow(path)) < 30 * MOST_PIECES


def test_an_ordinary_page_of_a_host_with_thousands_of_parameters_is_cleared() -> None:
    table = PathRules([(False, f"/*?parameter{number}=") for number in range(5_000)])
    assert table.allow("/shop/shoes.html?colour=red")
    assert not table.allow("/shop/shoes.html?parameter4711=red")


def test_nothing_is_tried_twice() -> None:
    """The pattern on which a matcher that goes back takes longer than the universe has."""
    rule = StarredRule("/" + "*a" * 200 + "*b$", False)
    assert not rule.matches("/" + "a" * 2000)
    assert rule.matches("/" + "a" * 2000 + "b")
    assert calls_of(lambda: rule.matches("/" + "a" * 2000)) < 1000
