import pytest

from scenthound.text.text_quality import links_in, repetition, without_targets, words_per_link


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("", 0.0),
        ("one two three\n\nfour five", 0.0),
        ("one two\n\none two", 0.5),
        ("a b c d e f a b c d e f", 0.5),
        ("[a](http://x.example/a-b-c-d-e) [b](http://x.example/a-b-c-d-e)", 0.0),
    ],
)
def test_what_a_text_says_twice(text: str, share: float) -> None:
    assert repetition(text) == share


def test_links_and_words() -> None:
    text = "see [this](http://a.example/) and [that](https://b.example/), not \\](http"
    assert links_in(text) == 2
    assert words_per_link(text, 6) == 3
    assert words_per_link("no links here", 3) == 3
    assert without_targets(text).startswith("see [this] and [that]")
