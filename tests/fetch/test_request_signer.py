"""Signatures are checked by an independent implementation of RFC 9421."""

from pathlib import Path
from typing import Any

import pytest
import requests
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, InvalidSignature, algorithms

from scenthound.config import FetchSection, PolitenessSection
from scenthound.errors import ConfigError
from scenthound.fetch.http import HttpFetcher
from scenthound.fetch.request_signer import LIFETIME, RENEWED, RequestSigner, load_key, new_key
from scenthound.model import Link, Response
from tests.fetch.serving import answer, serving

AGENT = "https://crawler.example.org"
NOW = 1_800_000_000.0


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.pem"
    path.write_bytes(new_key())
    return path


def verified(key: Path, url: str, headers: dict[str, str]) -> Any:
    public = load_key(key).public_key()

    class Keys(HTTPSignatureKeyResolver):  # type: ignore[misc,unused-ignore]
        def resolve_public_key(self, key_id: str) -> Any:
            assert key_id == RequestSigner(key).key_id
            return public

        def resolve_private_key(self, key_id: str) -> Any:
            raise AssertionError

    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=Keys())
    request = requests.Request("GET", url, headers=headers).prepare()
    return verifier.verify(request, expect_tag="web-bot-auth")


@pytest.mark.parametrize("agent", ["", AGENT])
def test_another_library_takes_it_for_valid(key: Path, agent: str) -> None:
    headers = RequestSigner(key, agent).headers("www.example.org")
    [result] = verified(key, "https://www.example.org/any/page?at=all", headers)
    covered = [name for name in result.covered_components if name != '"@signature-params"']
    assert covered == ['"@authority"', '"signature-agent"'][: 1 + bool(agent)]
    assert result.parameters["expires"] - result.parameters["created"] == LIFETIME
    with pytest.raises(InvalidSignature):
        verified(key, "https://evil.example.org/", headers)


def test_one_serves_a_host_for_a_minute(key: Path) -> None:
    now = NOW
    signer = RequestSigner(key, AGENT, lambda: now)
    first = signer.headers("a.test")
    assert signer.headers("a.test") is first
    assert signer.headers("b.test") != first
    now += RENEWED
    assert signer.headers("a.test") != first


async def test_requests_of_a_crawl_are_signed(key: Path) -> None:
    async with serving({"/": answer(b"<p>x")}) as web:
        fetcher = HttpFetcher(
            FetchSection(private_addresses=True), PolitenessSection(), signer=RequestSigner(key, AGENT)
        )
        url = f"http://127.0.0.1:{web.port}/"
        assert isinstance(await fetcher(Link(url)), Response)
        await fetcher.close()
        [(_, headers)] = web.requests
    verified(key, url, dict(headers))


def test_what_is_no_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="identity --new-key"):
        load_key(tmp_path / "none.pem")
    (tmp_path / "bad.pem").write_text("hello")
    with pytest.raises(ConfigError, match="no private key"):
        load_key(tmp_path / "bad.pem")
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    other = generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "other.pem").write_bytes(other)
    with pytest.raises(ConfigError, match="another kind"):
        load_key(tmp_path / "other.pem")
