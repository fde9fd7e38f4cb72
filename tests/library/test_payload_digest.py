from hashlib import sha1

from hypothesis import given
from hypothesis import strategies as st

from scenthound.library.payload_digest import digest_of, payload_digest


def test_as_the_warc_standard_spells_it() -> None:
    """Of an empty body, as every archive tool has it."""
    assert payload_digest(sha1(b"").digest()) == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


@given(st.binary())
def test_it_is_read_back(body: bytes) -> None:
    digest = sha1(body).digest()
    assert digest_of(payload_digest(digest)) == digest


@given(st.text())
def test_what_is_no_digest_is_none(text: str) -> None:
    assert isinstance(digest_of(text), bytes)


def test_a_digest_of_another_kind_is_none() -> None:
    assert digest_of("md5:not base 32!") == b""
