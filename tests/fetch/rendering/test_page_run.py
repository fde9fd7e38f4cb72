"""What is handed on of an answer whose page was made by scripts. The browser is in test_chromium.py."""

from scenthound.fetch.rendering.page_run import PageRun
from scenthound.library.step_rules import validators
from scenthound.model import Link, Rendering, Response

HEADERS = (
    ("Content-Type", "text/html"),
    ("ETag", '"1"'),
    ("Last-Modified", "x"),
    ("Content-Encoding", "gzip"),
    ("X", "y"),
)


async def nobody(link: Link, headers: object) -> str:
    return "no"


def run() -> PageRun:
    return PageRun(Response("http://a.test/", 200, HEADERS, b"shell", wire=5), nobody, 1.0, 100)


def test_a_server_is_not_asked_whether_a_shell_has_changed() -> None:
    answer = run()._answer(b"<p>made", 1.5)
    assert validators(answer) == ("", "")
    assert (answer.header("x"), answer.header("content-type")) == ("y", "text/html; charset=utf-8")
    assert (answer.body, answer.rendering) == (b"<p>made", Rendering(1.5))


def test_where_a_page_sends_its_reader_is_said_as_pages_without_scripts_say_it() -> None:
    page = run()
    assert page._sent_on("<html><head></head>") == "<html><head></head>"
    page._onward = 'http://a.test/?a=1&b="'
    said = '<meta http-equiv="refresh" content="0; url=http://a.test/?a=1&amp;b=&quot;">'
    assert page._sent_on("<html><head></head>") == f"<html><head>{said}</head>"


def test_there_is_an_end_to_what_a_page_may_ask_for() -> None:
    page = run()
    assert page._askable("http://b.test/x") == "http://b.test/x"
    assert not page._askable("blob:x")
    page.requests = 60
    assert not page._askable("http://b.test/x")
