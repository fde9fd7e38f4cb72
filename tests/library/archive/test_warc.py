"""Records of ours in other people's readers."""

import io
import re
import subprocess
import sys
import warnings
from argparse import Namespace
from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha1
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from scenthound.config import LibrarySection
from scenthound.library import open_library
from scenthound.library.archive import warc
from scenthound.library.archive.compression import from_gzip_member
from scenthound.model import Response
from tests.library.steps import SEED, entry, fetched

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # fastwarc warns of parts of its own when it is imported
    from fastwarc.warc import ArchiveIterator as FastIterator

BODY = b"<p>plain again</p>" * 50


def response(**fields: object) -> Response:
    defaults = {
        "url": "http://a.example/x?q=1",
        "status": 200,
        "body": BODY,
        "at": 1.7e9 + 0.25,
        "address": "192.0.2.7",
    }
    return Response(**(defaults | fields))


def records(data: bytes) -> list[tuple[dict[str, str], dict[str, str], bytes]]:
    read = []
    for record in ArchiveIterator(io.BytesIO(data), check_digests="raise"):
        http = dict(record.http_headers.headers) if record.http_headers else {}
        read.append((dict(record.rec_headers.headers), http, record.content_stream().read()))
    return read


def test_an_answer_and_its_question() -> None:
    asked = response(request_headers=(("Host", "a.example"), ("User-Agent", "Scenthound")))
    answer, question = records(b"".join(warc.response_records(asked, warc.sha1(BODY).digest())))
    assert answer[0]["WARC-Type"] == "response"
    assert answer[0]["WARC-Target-URI"] == asked.url
    assert answer[0]["WARC-Date"] == "2023-11-14T22:13:20.250000Z"
    assert answer[0]["WARC-IP-Address"] == "192.0.2.7"
    assert answer[2] == BODY
    assert question[0]["WARC-Type"] == "request"
    assert question[0]["WARC-Concurrent-To"] == answer[0]["WARC-Record-ID"]
    assert question[1] == {"Host": "a.example", "User-Agent": "Scenthound"}


def test_cookies_and_passwords_are_not_on_record() -> None:
    """Archives are handed on, and a session that still runs would be handed on with them."""
    asked = response(
        headers=(("Set-Cookie", "id=hush"), ("set-cookie2", "hush"), ("Server", "a")),
        request_headers=(("Cookie", "id=hush"), ("AUTHORIZATION", "Basic hush"), ("Proxy-Authorization", "hush")),
    )
    for record in warc.response_records(asked, b""):
        assert b"hush" not in from_gzip_member(record)
    answer, _ = warc.response_records(asked, b"")
    assert warc.parse_record(answer)[2][0] == ("Server", "a")


def test_an_answer_without_a_known_question_stands_alone() -> None:
    assert warc.response_records(response(), warc.sha1(BODY).digest())[1] == b""


def test_headers_tell_of_the_body_that_is_there() -> None:
    packed = (("content-encoding", "br"), ("Content-Length", "77"), ("Transfer-Encoding", "chunked"), ("ETag", '"x"'))
    [(_, http, body)] = records(warc.response_records(response(headers=packed), warc.sha1(BODY).digest())[0])
    assert body == BODY
    assert http == {
        "X-Archive-Orig-content-encoding": "br",
        "X-Archive-Orig-Content-Length": "77",
        "X-Archive-Orig-Transfer-Encoding": "chunked",
        "ETag": '"x"',
        "Content-Length": str(len(BODY)),
    }


def test_a_wrong_digest_would_be_noticed() -> None:
    with pytest.raises(Exception, match="digest"):
        records(warc.response_records(response(), b"\0" * 20)[0])


texts = st.text(st.characters(codec=None), max_size=30)


@given(
    st.lists(st.tuples(texts, texts), max_size=5),
    st.binary(max_size=200) | st.just(b"\r\n\r\nWARC/1.0\r\n"),
    st.integers(100, 999),
    st.lists(st.tuples(texts, texts), max_size=3),
)
def test_any_answer_can_be_read_by_anyone(
    headers: list[tuple[str, str]], body: bytes, status: int, request_headers: list[tuple[str, str]]
) -> None:
    made = response(headers=tuple(headers), body=body, status=status, request_headers=tuple(request_headers))
    answer, question = warc.response_records(made, warc.sha1(body).digest())
    assert records(answer + question)[0][2] == body
    fast = next(iter(FastIterator(io.BytesIO(answer + question), verify_digests=True)))
    assert fast.reader.read() == body
    assert fast.http_headers.status_code == status
    _, start, _, ours = warc.parse_record(answer)
    assert (int(start[1]), ours) == (status, body)


CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
ID = re.compile(rb"<urn:uuid:([0-9a-f-]{36})>")
PACKING = ("content-encoding", "transfer-encoding", "content-length")


def plain_lines(pairs: Iterable[tuple[str, str]]) -> bytes:
    return b"".join(
        f"{name}: {CONTROL.sub(' ', value).strip()}\r\n".encode("utf-8", "replace") for name, value in pairs
    )


def plain_head(start: str, headers: Iterable[tuple[str, str]]) -> bytes:
    known = [pair for pair in headers if re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", pair[0])]
    return CONTROL.sub(" ", start).encode("utf-8", "replace") + b"\r\n" + plain_lines(known) + b"\r\n"


def plain_record(kind: str, about: dict[str, str], head: bytes, body: bytes = b"") -> bytes:
    """A record put together a line at a time, every ID the same."""
    first = {"WARC-Type": kind, "WARC-Record-ID": "ID", "WARC-Date": "2023-11-14T22:13:20.250000Z"}
    last = {"WARC-Block-Digest": plain_digest(head + body), "Content-Length": str(len(head + body))}
    return b"WARC/1.1\r\n" + plain_lines((first | about | last).items()) + b"\r\n" + head + body + b"\r\n\r\n"


def plain_digest(data: bytes) -> str:
    return f"sha1:{b32encode(sha1(data).digest()).decode()}"


@given(
    st.lists(st.tuples(texts | st.sampled_from(PACKING), texts), max_size=5),
    st.binary(max_size=100),
    st.lists(st.tuples(texts | st.just("Content-Length"), texts), min_size=1, max_size=3),
    st.just("") | texts,
    texts,
)
def test_records_are_as_if_put_together_line_by_line(
    headers: list[tuple[str, str]], body: bytes, asked: list[tuple[str, str]], address: str, original: str
) -> None:
    made = response(headers=tuple(headers), body=body, address=address, request_headers=tuple(asked))
    about = {"WARC-Target-URI": made.url} | ({"WARC-IP-Address": address} if address else {})
    an_answer = about | {"Content-Type": "application/http; msgtype=response"}
    a_question = about | {"Content-Type": "application/http; msgtype=request", "WARC-Concurrent-To": "ID"}
    digest = {"WARC-Payload-Digest": plain_digest(body)}
    date = {"WARC-Refers-To-Date": "1970-01-01T00:00:01.500000Z"}
    copy = {"WARC-Profile": warc.REVISIT, "WARC-Refers-To-Target-URI": original} | date
    same = {"WARC-Profile": warc.NOT_MODIFIED, "WARC-Refers-To-Target-URI": made.url} | date
    kept = [(f"X-Archive-Orig-{name}" if name.lower() in PACKING else name, value) for name, value in headers]
    head = plain_head("HTTP/1.1 200 OK", [*kept, ("Content-Length", str(len(body)))])
    question = plain_record("request", a_question, plain_head("GET /x?q=1 HTTP/1.1", asked))

    def unpacked(pair: tuple[bytes, bytes]) -> list[bytes]:
        return [ID.sub(b"ID", from_gzip_member(packed)) for packed in pair]

    payload = sha1(body).digest()
    answer = plain_record("response", an_answer | digest, head, body)
    assert unpacked(warc.response_records(made, payload)) == [answer, question]
    if sum(len(f"{name}{value}".encode("utf-8", "replace")) for name, value in headers) > 300:
        return  # a record of nothing new may leave some of them out
    copied = plain_record("revisit", an_answer | digest | copy, head)
    assert unpacked(warc.revisit_records(made, payload, original, 1.5)) == [copied, question]
    unchanged = plain_record("revisit", an_answer | same, head)
    assert unpacked(warc.not_modified_records(made, 1.5)) == [unchanged, question]


def test_a_record_of_nothing_new_is_small_whatever_a_server_sends() -> None:
    dice = Random(1)
    many = tuple((f"X-Trace-{number}", dice.randbytes(90).hex()) for number in range(60))
    telling = (("ETag", '"a"'), ("X-Robots-Tag", "noarchive"), ("Content-Usage", "train-ai=n"), ("Date", "x" * 900))
    made = response(headers=(*many, *telling))
    for record, _ in (warc.revisit_records(made, b"1" * 20, made.url, 1.5), warc.not_modified_records(made, 1.5)):
        assert len(record) <= warc.MOST_REVISIT == 1024
        headers = dict(warc.parse_record(record)[2])
        assert headers.pop("Content-Length")
        assert headers == dict(telling[:3]), "what says something of the page is there"
    assert len(warc.response_records(made, b"1" * 20)[0]) > 4096, "an answer that is new is kept as it came"


def test_every_record_has_a_random_name_of_its_own() -> None:
    pairs = [warc.response_records(response(request_headers=(("A", "b"),)), b"") for _ in range(50)]
    names = [ID.findall(from_gzip_member(answer))[0].decode() for answer, _ in pairs]
    names += [ID.findall(from_gzip_member(question))[0].decode() for _, question in pairs]
    assert len(set(names)) == 100
    assert {UUID(name).version for name in names} == {4}


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_forked_process_names_its_records_otherwise() -> None:
    program = (
        "import os; from scenthound.library.archive import warc\n"
        "child = os.fork(); record = warc.info_record('x', {}, 0.0); child and os.waitpid(child, 0)\n"
        "os.write(1, warc.from_gzip_member(record))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    assert len(set(ID.findall(told))) == 2


def warc_files(folder: Path) -> list[Path]:
    return sorted((folder / "warc").iterdir())


def test_a_copy_is_a_revisit(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.record(fetched(entry(SEED), 1.7e9, BODY))
        library.record(fetched(entry("http://b.example/"), 1.7e9 + 1, BODY))
    _, original, copy = records(warc_files(tmp_path)[0].read_bytes())
    assert copy[0]["WARC-Type"] == "revisit"
    assert copy[0]["WARC-Profile"].endswith("identical-payload-digest")
    assert copy[0]["WARC-Refers-To-Target-URI"] == SEED
    assert copy[0]["WARC-Refers-To-Date"] == original[0]["WARC-Date"]
    assert copy[0]["WARC-Payload-Digest"] == original[0]["WARC-Payload-Digest"]
    assert copy[2] == b""


def test_files_begin_with_who_made_them_and_are_ended_at_a_size(tmp_path: Path) -> None:
    settings, info = LibrarySection(warc_bytes=2000), {"operator": "me@example.org"}
    for start in (0, 10):  # the second opening goes on with the last file
        with open_library(tmp_path, create=True, settings=settings, info=info) as library:
            for n in range(start, start + 10):
                library.record(fetched(entry(f"http://a.example/{n}"), 1.7e9 + n, b"%d" % n * 300))
            bodies = [library.body(f"http://a.example/{n}").body for n in range(start + 10)]
            assert bodies == [b"%d" % n * 300 for n in range(start + 10)]
    files = warc_files(tmp_path)
    assert len(files) > 2
    assert [path.name[-13:] for path in files] == [f"{n + 1:05d}.warc.gz"[-13:] for n in range(len(files))]
    for path in files:
        first = records(path.read_bytes())[0]
        assert first[0]["WARC-Type"] == "warcinfo"
        assert b"operator: me@example.org\r\n" in first[2]
        assert b"software: Scenthound/" in first[2]
        assert path.stat().st_size < 3000
        checker = Checker(Namespace(inputs=[str(path)], verbose=False))
        checker.process_all()
        assert checker.exit_value == 0


def test_leftovers_of_a_crash_are_cut_off(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.record(fetched(entry(SEED)))
    [path] = warc_files(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole + warc.response_records(response(), b"")[0] + b"\x1f\x8b\x08 half a record")
    orphan = path.with_name("scenthound-20260101000000-00002.warc.gz")
    orphan.write_bytes(b"begun, never named")
    mine = path.with_name("notes.txt")
    mine.write_text("a user's own file")
    open_library(tmp_path).close()
    assert path.read_bytes() == whole
    assert not orphan.exists()
    assert mine.exists()
