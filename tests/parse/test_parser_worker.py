"""A worker answers every page in order, and there is room for several between it and the crawl."""

import io
import os
import socket

from scenthound.model import Page, Response
from scenthound.parse.page import parse
from scenthound.parse.parser_worker import ANSWER, READY, ROOM, question, widen, work


def response(n: int) -> Response:
    return Response(f"http://a.example/{n}", 200, (("Content-Type", "text/html"),), f"<title>{n}</title>".encode())


def answers(sent: bytes) -> list[tuple[int, Page | None, float]]:
    found = []
    while sent:
        end = 4 + int.from_bytes(sent[:4], "little")
        found.append(ANSWER.decode(sent[4:end]))
        sent = sent[end:]
    return found


def test_it_says_that_it_is_ready_and_answers_in_order() -> None:
    given = [response(n) for n in range(3)]
    sink = io.BytesIO()
    work(io.BytesIO(b"".join(question(n, page, "en") for n, page in enumerate(given, 1))), sink)
    said = answers(sink.getvalue())
    assert [(number, page) for number, page, _ in said] == [
        (READY, None),
        *((n, parse(page, "en")) for n, page in enumerate(given, 1)),
    ]


def test_a_question_cut_short_ends_it() -> None:
    sink = io.BytesIO()
    work(io.BytesIO(question(1, response(1), "en") + b"\x01\x00"), sink)
    assert [number for number, *_ in answers(sink.getvalue())] == [READY, 1]


def test_sockets_hold_more_when_widened() -> None:
    here, there = socket.socketpair()
    with here, there:
        before = here.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        widen(here.fileno())
        assert here.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) >= before
        here.sendall(b"still open")
        assert there.recv(100) == b"still open"


def test_pipes_hold_many_pages_when_widened() -> None:
    out, into = os.pipe()
    try:
        widen(into)
        os.set_blocking(into, False)
        assert os.write(into, bytes(ROOM)) > 100_000
    finally:
        os.close(out)
        os.close(into)


def test_what_cannot_be_widened_is_left_alone(tmp_path: os.PathLike[str]) -> None:
    with open(os.path.join(tmp_path, "file"), "wb") as file:
        widen(file.fileno())
        assert file.write(b"x") == 1
