import pytest

from scenthound.fetch.robots_usage import UsageRules

FILE = b"""
License: https://a.test/license.xml
User-agent: *
Content-Usage: train-ai=n
Content-Usage: /open/ train-ai=y
Content-Usage: /open/*.pdf$ train-ai=n, search=n
Disallow: /private/
User-agent: otherbot
Content-Usage: train-ai=y
Disallow: /x
"""


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/", "train-ai=n"),
        ("/open/a.html", "train-ai=y"),
        ("/open/a.pdf", "search=n, train-ai=n"),
        ("/closed/a.pdf", "train-ai=n"),
    ],
)
def test_the_longest_path_counts(path: str, said: str) -> None:
    found = UsageRules(FILE, "Scenthound").of_url(f"http://a.test{path}")
    assert str(found) == said
    assert found.licenses == ("https://a.test/license.xml",)


def test_the_group_is_the_one_that_names_us() -> None:
    assert str(UsageRules(FILE, "otherbot").of_url("http://a.test/")) == "train-ai=y"


@pytest.mark.parametrize("body", [b"", b"\xff\xfe\0", b"Content-Usage: train-ai=n", b"<html>"])
def test_what_says_nothing(body: bytes) -> None:
    assert str(UsageRules(body, "Scenthound").of_url("http://a.test/")) == ""
