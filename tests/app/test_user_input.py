from datetime import datetime

import pytest

from scenthound.app.user_input import canonical, language_code, moment, span
from scenthound.errors import UsageError


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("example.org", "https://example.org/"),
        ("HTTP://Example.org:80/a/../b#top", "http://example.org/b"),
    ],
)
def test_urls_as_people_write_them(text: str, url: str) -> None:
    assert canonical(text) == url


@pytest.mark.parametrize("text", ["ftp://example.org/", "", "http://", "javascript://x"])
def test_no_url(text: str) -> None:
    with pytest.raises(UsageError, match="is no URL"):
        canonical(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, 0.0),
        ("", 0.0),
        ("2026-11-15", datetime(2026, 11, 15).timestamp()),
        ("2026-11-15T08:30", datetime(2026, 11, 15, 8, 30).timestamp()),
        ("1970-01-02T00:00:00+00:00", 86400.0),
        ("3d", 1e9 - 3 * 86400),
        ("12 hours", 1e9 - 12 * 3600),
        ("2W", 1e9 - 14 * 86400),
    ],
)
def test_days(text: str | None, expected: float) -> None:
    assert moment(text, now=lambda: 1e9) == expected


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "15.11.2026", "99999999999999999999d"])
def test_no_day(text: str) -> None:
    with pytest.raises(UsageError, match="is no date"):
        moment(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("30m", 1800), ("30", 1800), ("1h", 3600), ("1.5 hours", 5400), ("2 days", 172_800), ("1w", 604_800)],
)
def test_lengths_of_time(text: str, seconds: float) -> None:
    assert span(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "0h", "-1h", "1y", "1e9w", "999999999d", "h"])
def test_what_is_no_length_of_time(text: str) -> None:
    with pytest.raises(UsageError, match="no length of time"):
        span(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [(" en-GB ", "en-GB"), ("German", "de"), *((code, code) for code in ("de", "ja", "pt_BR", "gsw", "SQ", "zu"))],
)
def test_languages(text: str, code: str) -> None:
    assert language_code(text) == code


@pytest.mark.parametrize("text", ["egnlish", "d", "de,fr", "qq", "xx-DE", "uk-"])
def test_no_language(text: str) -> None:
    with pytest.raises(UsageError, match=r"is no language\. Write its code.* hy, id, it, ja, ko, "):
        language_code(text)
