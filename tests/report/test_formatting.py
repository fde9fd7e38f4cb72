import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.frontier.random_draw import DRAWN
from scenthound.report import formatting


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(1, 2, "50 %"), (0, 5, "0 %"), (5, 0, "–"), (1, 30, "3.3 %"), (0.999, 10, "10 %"), (7, 7, "100 %")],
)
def test_percent(part: float, whole: float, text: str) -> None:
    assert formatting.percent(part, whole) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (7.4, "0:07"), (59.7, "1:00"), (750, "12:30"), (3723, "1:02:03"), (3 * 86400 + 14400, "76:00:00")],
)
def test_duration(seconds: float, text: str) -> None:
    assert formatting.duration(seconds) == text


def test_long_durations_are_told_in_days() -> None:
    assert formatting.duration(5 * 86400 + 3600) == "5 d 1 h"


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 B"), (12, "12 B"), (1500, "1.5 KB"), (999_600, "1.0 MB"), (123_456_789, "123 MB")]
)
def test_size(number: int, text: str) -> None:
    assert formatting.size(number) == text


def test_plural() -> None:
    assert formatting.plural(1, "page") == "1 page"
    assert formatting.plural(1200, "page") == "1,200 pages"


@given(st.text())
def test_printable_leaves_nothing_a_terminal_obeys(text: str) -> None:
    shown = formatting.printable(text)
    assert shown.isprintable()
    assert shown == shown.strip()


def test_a_title_cannot_colour_the_terminal() -> None:
    assert formatting.printable("red \x1b[31m\n\u202ealarm\x9b") == "red [31m alarm"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7.6254, "priority 7.625"),
        (-2.0, "priority -2.000"),
        (DRAWN, "drawn at random"),
        (1e6, "asked before all others"),
    ],
)
def test_a_link_that_no_strategy_ranks_has_words_for_its_place(value: float, words: str) -> None:
    assert formatting.priority(value) == words


def test_short_url() -> None:
    assert formatting.short_url("https://www.example.org/a/") == "example.org/a"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "moments ago"),
        (59, "moments ago"),
        (60, "1 minute ago"),
        (3_599, "59 minutes ago"),
        (3_600, "1 hour ago"),
        (86_399, "23 hours ago"),
        (2.5 * 86_400, "2.5 days ago"),
    ],
)
def test_ago(seconds: float, words: str) -> None:
    assert formatting.ago(seconds) == words
