import pytest

from scenthound.model import Response
from scenthound.parse.documents.txt import TextReader, urls_in


def read(body: bytes, kind: str = "text/plain") -> tuple[str, str, list[str]]:
    made = TextReader().read(Response("http://a.test/notes.txt", 200, (("Content-Type", kind),), body))
    return made.title, made.parts[0].text, [link.href for link in made.links]


def test_the_first_line_with_words_is_the_title() -> None:
    title, text, links = read(b"\r\n-----\r\n  Notes on ferns \r\nsee http://b.test/x.\r\n")
    assert (title, links) == ("Notes on ferns", ["http://b.test/x"])
    assert "\r" not in text


def test_charsets_are_those_of_pages() -> None:
    assert read("Überfluß".encode("latin-1"), "text/plain; charset=iso-8859-1")[0] == "Überfluß"
    assert read(b"\xef\xbb\xbfFarne")[0] == "Farne"
    assert (
        read("羊歯の胞子は風で運ばれます。".encode("shift_jis"), "text/plain; charset=shift_jis")[0]
        == "羊歯の胞子は風で運ばれます。"
    )
    assert read(b"\xff\xfe\x00\x00")[0] == ""


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("(see http://a.test/b)", "http://a.test/b"),
        ("http://a.test/b_(c).", "http://a.test/b_(c)"),
        ("<https://a.test/?q=1&r=2>", "https://a.test/?q=1&r=2"),
        ("HTTP://A.test/x, and", "HTTP://A.test/x"),
    ],
)
def test_what_stands_around_a_url_is_not_part_of_it(text: str, url: str) -> None:
    assert [link.href for link in urls_in(text)] == [url]
