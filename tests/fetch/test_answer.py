"""What an answer is worth, by its head and by its first bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.fetch.answer import MAX_RETRY_AFTER, classify, decoded, looks_binary, retry_after
from scenthound.model import Failed, LinkKind, Response

PAGE = b"<p>page"
NOON = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


def answer(status: int = 200, body: bytes = PAGE, **headers: str) -> Response:
    fields = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response("http://a.test/", status, fields, body, at=NOON)


@pytest.mark.parametrize(
    "stated", ["text/html", "TEXT/HTML; charset=x", "text/html,text/html", "application/xhtml+xml", "", "*/*"]
)
def test_pages(stated: str) -> None:
    response = answer(content_type=stated)
    assert classify(response) is response


@pytest.mark.parametrize(
    "stated", ["text/plain", "application/pdf", "image/png", "text/htmlx", "html", "application/xml"]
)
def test_other_types(stated: str) -> None:
    outcome = classify(answer(content_type=stated))
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.detail) == ("type", stated)


@pytest.mark.parametrize("kind", ["feed", "sitemap", "data"])
def test_lists_may_be_of_any_type(kind: LinkKind) -> None:
    for stated in ("application/json", "application/gzip", "text/html", ""):
        response = answer(body=b"\x1f\x8b\x00", content_type=stated)
        assert classify(response, kind) is response
    assert isinstance(classify(answer(body=b""), kind), Failed)
    assert isinstance(classify(answer(404), kind), Failed)
    busy = classify(answer(429, retry_after="7"), kind)
    assert isinstance(busy, Failed)
    assert busy.retry_after == 7


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
def test_redirects(status: int) -> None:
    assert isinstance(classify(answer(status, b"", location="/x")), Response)
    outcome = classify(answer(status, b"", location=" "))
    assert isinstance(outcome, Failed)
    assert outcome.kind == "redirect"


def test_not_modified_is_an_answer_only_to_who_asked() -> None:
    assert isinstance(classify(answer(304, b""), conditional=True), Response)
    assert isinstance(classify(answer(304, b"")), Failed)


@given(st.integers(0, 1200), st.binary(max_size=20), st.text(max_size=20), st.sampled_from(["a", "robots"]))
def test_any_status_gets_a_verdict(status: int, body: bytes, stated: str, kind: str) -> None:
    outcome = classify(Response("u", status, (("Content-Type", stated),), body), kind)  # type: ignore[arg-type]
    assert isinstance(outcome, Failed | Response)
    if kind == "a" and isinstance(outcome, Response):
        assert 200 <= status < 300


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        (" 7 ", 7),
        ("9" * 6000, MAX_RETRY_AFTER),
        ("999999", MAX_RETRY_AFTER),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60),
        ("Tue, 14 Nov 2023 22:00:00 GMT", 0),
        ("Tue, 14 Nov 2099 22:00:00 GMT", MAX_RETRY_AFTER),
        ("", 0),
        ("-5", 0),
        ("soon", 0),
        ("1.5", 0),
        ("٣", 0),
        ("Tue, 99 Nov 2023 99:99:99 GMT", 0),
        ("Mon, 01 Jan 0001 00:00:00 +2359", 0),
    ],
)
def test_retry_after(value: str, seconds: float) -> None:
    assert retry_after(value, NOON) == pytest.approx(seconds)


@given(st.text())
def test_retry_after_is_bounded(value: str) -> None:
    assert 0 <= retry_after(value, NOON) <= MAX_RETRY_AFTER


def test_sniffing() -> None:
    assert looks_binary(b"%PDF-1.7")
    assert looks_binary(b"a\x00b")
    assert not looks_binary("<p>é\t\r\n\x1b".encode())
    assert not looks_binary("<p>".encode("utf-16"))


@given(st.lists(st.tuples(st.binary(), st.binary())))
def test_headers_are_text_without_surrogates(raw: list[tuple[bytes, bytes]]) -> None:
    for name, value in decoded(tuple(raw)):
        (name + value).encode("utf-8")


def test_headers_are_utf8_where_they_can_be() -> None:
    assert decoded(((b"Location", "/ü".encode()), (b"X", b"\xfc"))) == (("Location", "/ü"), ("X", "ü"))
