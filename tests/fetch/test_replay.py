"""What a recording gives back, and what it says when it is broken."""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import RecordingError
from scenthound.fetch import recording
from scenthound.fetch.replay import ReplayFetcher, dechunked, split
from scenthound.model import Failed, Link, Response
from tests.fetch.recorded import http, record, write

Opener = Callable[..., ReplayFetcher]


def replayed(fetcher: ReplayFetcher, url: str) -> Response | Failed:
    return fetcher.answer(Link(url))


def body(fetcher: ReplayFetcher, url: str) -> bytes:
    outcome = replayed(fetcher, url)
    assert isinstance(outcome, Response), outcome
    return outcome.body


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opener]:
    """Opens recordings, and closes them after the test."""
    fetchers: list[ReplayFetcher] = []

    def open_(*records: bytes, name: str = "a.warc.gz", **settings: bool) -> ReplayFetcher:
        path = write(tmp_path / name, *records)
        fetchers.append(ReplayFetcher([path], index_folder=tmp_path / "index", **settings))
        return fetchers[-1]

    yield open_
    for fetcher in fetchers:
        fetcher._recording.close()


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_pages_are_found_by_any_spelling_of_their_address(opened: Opener, name: str) -> None:
    fetcher = opened(
        record("http://A.test:80/x/../one#top", http(b"<p>one")),
        record("<http://a.test/two>", http(b"<p>2")),
        name=name,
    )
    assert body(fetcher, "http://a.test/one") == b"<p>one"
    assert body(fetcher, "http://a.test/two") == b"<p>2"
    assert list(fetcher.urls()) == ["http://a.test/one", "http://a.test/two"]
    assert len(fetcher) == 2


def test_the_last_success_wins(opened: Opener) -> None:
    url = "http://a.test/"
    pages = [http(b"<p>old"), http(b"<p>new"), http(b"gone", "404 Not Found"), http(b"", "301 Moved", location="/x")]
    fetcher = opened(*(record(url, page) for page in pages))
    assert body(fetcher, url) == b"<p>new"
    assert len(fetcher) == 1
    assert list(fetcher.urls()) == [url]


def test_without_success_the_last_answer_wins(opened: Opener) -> None:
    url = "http://a.test/"
    fetcher = opened(record(url, http(b"", "500 Oops")), record(url, http(b"", "410 Gone")))
    outcome = replayed(fetcher, url)
    assert isinstance(outcome, Failed)
    assert outcome.status == 410


def test_other_records_are_passed_over(opened: Opener) -> None:
    fetcher = opened(
        record("", b"software: x\r\n", "warcinfo", content_type="application/warc-fields"),
        record("http://a.test/", b"GET / HTTP/1.1\r\n\r\n", "request", content_type="application/http"),
        record("http://a.test/", http()),
        record("dns:a.test", b"a.test. 1 IN A 1.2.3.4", "response", content_type="text/dns"),
        record("http://a.test/", b"note: x\r\n", "metadata", content_type="application/warc-fields"),
    )
    assert body(fetcher, "http://a.test/") == b"<p>page"
    assert len(fetcher) == 1


def test_resources_are_pages(opened: Opener) -> None:
    fetcher = opened(record("http://a.test/r", b"<p>resource", "resource", content_type="text/html"))
    assert body(fetcher, "http://a.test/r") == b"<p>resource"


def test_revisits_stand_for_their_originals(opened: Opener) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    fetcher = opened(
        record("http://a.test/by-url", head, "revisit", warc_refers_to_target_uri="http://a.test/original"),
        record("http://a.test/by-digest", head, "revisit", warc_payload_digest="sha1:AAAA"),
        record("http://a.test/lost", head, "revisit", warc_payload_digest="sha1:BBBB"),
        record("http://a.test/original", http(b"<p>original"), warc_payload_digest="sha1:AAAA"),
        record("http://a.test/original", head, "revisit", warc_payload_digest="sha1:AAAA"),
    )
    for path in ("by-url", "by-digest", "original"):
        assert body(fetcher, f"http://a.test/{path}") == b"<p>original"
    outcome = replayed(fetcher, "http://a.test/lost")
    assert isinstance(outcome, Failed)
    assert outcome.status == 404


def test_revisits_reach_into_other_files(tmp_path: Path) -> None:
    first = write(tmp_path / "1.warc.gz", record("http://a.test/", http(b"<p>one")))
    again = record("http://b.test/", b"", "revisit", warc_refers_to_target_uri="http://a.test/")
    second = write(tmp_path / "2.warc.gz", again, record("http://c.test/", http(b"<p>three")))
    fetcher = ReplayFetcher([first, second], index_folder=tmp_path)
    assert [body(fetcher, f"http://{host}.test/") for host in "abc"] == [b"<p>one", b"<p>one", b"<p>three"]
    fetcher._recording.close()


def test_codings_are_undone_unless_the_recorder_did(opened: Opener) -> None:
    chunks = b"4\r\n<p>a\r\n3;x=y\r\nbcd\r\n0\r\n\r\n"
    packed = gzip.compress(b"<p>packed")
    chunked_gzip = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    fetcher = opened(
        record("http://a.test/chunked", http(chunks, transfer_encoding="chunked")),
        record("http://a.test/undone", http(b"<p>abcd", transfer_encoding="chunked")),
        record("http://a.test/both", http(chunked_gzip, transfer_encoding="chunked", content_encoding="gzip")),
        record("http://a.test/said", http(b"<p>plain", content_encoding="gzip")),
    )
    assert body(fetcher, "http://a.test/chunked") == b"<p>abcd"
    assert body(fetcher, "http://a.test/undone") == b"<p>abcd"
    assert body(fetcher, "http://a.test/both") == b"<p>packed"
    assert body(fetcher, "http://a.test/said") == b"<p>plain"


def test_a_damaged_record_fails_alone(opened: Opener, tmp_path: Path) -> None:
    bad = record("http://a.test/bad", b"not http at all")
    fetcher = opened(bad, record("http://a.test/good", http()))
    outcome = replayed(fetcher, "http://a.test/bad")
    assert isinstance(outcome, Failed)
    assert outcome.kind == "protocol"
    assert body(fetcher, "http://a.test/good") == b"<p>page"


def test_damage_that_comes_later_is_a_failure_not_a_crash(opened: Opener, tmp_path: Path) -> None:
    records = [record(f"http://a.test/{n}", http(bytes(range(256)) * 40)) for n in range(3)]
    fetcher = opened(*records)
    path = tmp_path / "a.warc.gz"
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(size // 2)
    outcomes = [replayed(fetcher, f"http://a.test/{n}") for n in range(3)]
    assert isinstance(outcomes[0], Response)
    assert [outcome.kind for outcome in outcomes[1:] if isinstance(outcome, Failed)] == ["protocol", "protocol"]


@pytest.mark.parametrize("name", ["cut.warc", "cut.warc.gz"])
def test_a_cut_recording_gives_what_it_has_and_says_so(tmp_path: Path, name: str) -> None:
    path = write(
        tmp_path / name, *(record(f"http://a.test/{n}", http(b"<p>" + bytes(range(256)) * 9)) for n in range(3))
    )
    path.write_bytes(path.read_bytes()[: -1500 if name == "cut.warc" else -150])
    fetcher = ReplayFetcher([path], index_folder=tmp_path)
    assert isinstance(replayed(fetcher, "http://a.test/1"), Response)
    assert isinstance(replayed(fetcher, "http://a.test/2"), Failed)
    assert len(fetcher.damaged) == 1
    assert str(path) in fetcher.damaged[0]
    fetcher._recording.close()


@pytest.mark.parametrize("content", [b"", b"garbage\n" * 50, b"\x1f\x8b\x08garbage", bytes(range(256)) * 20])
def test_no_recording_is_said_with_the_next_step(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.warc.gz"
    path.write_bytes(content)
    with pytest.raises(RecordingError, match=r"bad\.warc\.gz.*warcio check"):
        ReplayFetcher([path], index_folder=tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"nowhere\.warc"):
        ReplayFetcher([tmp_path / "nowhere.warc"], index_folder=tmp_path)
    with pytest.raises(RecordingError, match="at least one"):
        ReplayFetcher([])


def test_a_recording_packed_in_one_piece_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "whole.warc.gz"
    path.write_bytes(gzip.compress(b"".join(record(f"http://a.test/{n}", http()) for n in range(3))))
    with pytest.raises(RecordingError, match="warcio recompress"):
        ReplayFetcher([path], index_folder=tmp_path)


def test_the_index_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.warc.gz", record("http://a.test/", http()))
    ReplayFetcher([path], index_folder=tmp_path / "index")
    monkeypatch.setattr(recording, "scan", None)
    assert len(ReplayFetcher([path], index_folder=tmp_path / "index")) == 1


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\x93NUMPY\x01\x00"])
def test_a_broken_index_is_made_again(tmp_path: Path, damage: bytes) -> None:
    path = write(tmp_path / "a.warc.gz", record("http://a.test/", http()))
    ReplayFetcher([path], index_folder=tmp_path / "index")
    (index,) = (tmp_path / "index").iterdir()
    index.write_bytes(damage)
    assert len(ReplayFetcher([path], index_folder=tmp_path / "index")) == 1
    assert len(index.read_bytes()) > 100


def test_a_changed_recording_is_scanned_again_and_its_old_index_goes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.warc.gz", record("http://a.test/", http()))
    ReplayFetcher([path], index_folder=tmp_path / "index")
    write(path, record("http://a.test/", http()), record("http://a.test/2", http()))
    assert len(ReplayFetcher([path], index_folder=tmp_path / "index")) == 2
    assert len(list((tmp_path / "index").iterdir())) == 1


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    path = write(tmp_path / "a.warc.gz", record("http://a.test/", http()))
    (tmp_path / "file").write_text("in the way")
    assert len(ReplayFetcher([path], index_folder=tmp_path / "file" / "index")) == 1


def test_the_cache_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert recording.cache_folder() == tmp_path / "scenthound" / "recordings"


@given(st.binary(max_size=300))
def test_any_payload_can_be_dechunked(payload: bytes) -> None:
    assert len(dechunked(payload)) <= len(payload)


@given(st.binary(max_size=300))
def test_any_block_is_split_or_refused(block: bytes) -> None:
    try:
        status, _, _ = split(b"HTTP/1.1 " + block)
    except Exception as error:
        pytest.fail(repr(error))
    assert 0 <= status <= 999


def test_http_and_https_answer_for_each_other(opened: Opener) -> None:
    records = (
        record("http://a.test/old", http(b"<p>old")),
        record("https://a.test/new", http(b"<p>new")),
        record("http://a.test/both", http(b"<p>plain")),
        record("https://a.test/both", http(b"<p>secure")),
    )
    either = opened(*records, either_scheme=True)
    assert body(either, "https://a.test/old") == b"<p>old"
    assert body(either, "http://a.test/new") == b"<p>new"
    assert (body(either, "http://a.test/both"), body(either, "https://a.test/both")) == (b"<p>plain", b"<p>secure")
    outcome = replayed(either, "http://a.test/new")
    assert isinstance(outcome, Response)
    assert outcome.url == "http://a.test/new"
    strict = replayed(opened(*records, name="b.warc.gz"), "https://a.test/old")
    assert isinstance(strict, Failed)
    assert strict.status == 404


def test_a_redirect_to_the_other_scheme_does_not_answer_for_it(opened: Opener) -> None:
    moved = b"HTTP/1.1 301 Moved\r\nLocation: https://a.test/x\r\n\r\n"
    elsewhere = b"HTTP/1.1 301 Moved\r\nLocation: https://a.test/z\r\n\r\n"
    fetcher = opened(record("http://a.test/x", moved), record("http://a.test/y", elsewhere), either_scheme=True)
    lost = replayed(fetcher, "https://a.test/x")
    assert isinstance(lost, Failed)
    assert lost.status == 404
    for url in ("http://a.test/x", "https://a.test/y"):
        outcome = replayed(fetcher, url)
        assert isinstance(outcome, Response)
        assert outcome.status == 301


def test_a_length_that_is_no_number_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"WARC/1.0\nWARC-Type:response\r\nContent-Length:7\r0")
    with pytest.raises(RecordingError, match="warcio check"):
        recording.scan(tmp_path / "a.warc")
