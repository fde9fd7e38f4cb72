import pytest

from scenthound.export.plain_text import plain_text


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("## Otters\n\nThey [swim](http://a.example/x) *well*.", "Otters\nThey swim well."),
        ("- fish\n- `crabs`\n\n> said", "fish\ncrabs\nsaid"),
        ("| a | b |\n|---|---|\n| 1 | [2](http://a.example/) |", "a\nb\n1\n2"),
        ("```py\nx = [1]  # kept\n```", "x = [1]  # kept"),
        ("1 \\* 2 \\[x\\] &amp; <b>", "1 * 2 [x] & <b>"),
        ("one\ntwo  \nthree ![a bird](http://a.example/b.png)", "one two\nthree a bird"),
        ("", ""),
    ],
)
def test_words_without_marks(markdown: str, plain: str) -> None:
    assert plain_text(markdown) == plain
