"""Requests that show who makes them: HTTP message signatures (RFC 9421), as Web Bot Auth uses them.

    Signature-Agent: "https://crawler.example.org"
    Signature-Input: sig1=("@authority" "signature-agent");created=...;expires=...;keyid="...";tag="web-bot-auth"
    Signature: sig1=:...:

`Signature-Agent` names where the public key is found, under `/.well-known/http-message-signatures-directory`; `keyid`
is its thumbprint (RFC 7638). What is signed are the host that is asked and that name, so one signature serves all
requests to a host for a minute.
"""

from __future__ import annotations

import base64
import hashlib
import time
from pathlib import Path
from typing import Any

from scenthound.bounded_cache import BoundedCache
from scenthound.errors import ConfigError, UsageError
from scenthound.protocols.crawl import Clock

LIFETIME = 300  # seconds for which a signature holds
RENEWED = 60  # seconds after which another is made
HOSTS = 10_000
DIRECTORY = "/.well-known/http-message-signatures-directory"
MISSING = "Signatures take the package cryptography, which is not installed: pip install 'scenthound[sign]'"


class RequestSigner:
    """Signs for one key. `agent`: https://host under which the key is published; empty: it is not said."""

    def __init__(self, key: Path, agent: str = "", clock: Clock = time.time) -> None:
        self._key = load_key(key)
        self.agent = agent.rstrip("/")
        self.key_id = thumbprint(self._key)
        self._clock = clock
        self._signed: BoundedCache[str, tuple[float, dict[str, str]]] = BoundedCache(HOSTS)

    def headers(self, authority: str) -> dict[str, str]:
        """What to send along to a host, given as in a URL, the port left out where it is the usual one."""
        now = self._clock()
        known = self._signed.get(authority)
        if known is not None and known[0] <= now < known[0] + RENEWED:
            return known[1]
        made = self._made(authority, int(now))
        self._signed.put(authority, (now, made))
        return made

    def _made(self, authority: str, now: int) -> dict[str, str]:
        agent = f'"{self.agent}"' if self.agent else ""
        covered = '"@authority" "signature-agent"' if agent else '"@authority"'
        parameters = (
            f'({covered});created={now};expires={now + LIFETIME};keyid="{self.key_id}";alg="ed25519";tag="web-bot-auth"'
        )
        lines = [f'"@authority": {authority}', *([f'"signature-agent": {agent}'] if agent else [])]
        base = "\n".join([*lines, f'"@signature-params": {parameters}'])
        signature = base64.b64encode(self._key.sign(base.encode())).decode()
        headers = {"Signature-Input": f"sig1={parameters}", "Signature": f"sig1=:{signature}:"}
        return {"Signature-Agent": agent, **headers} if agent else headers


def load_key(path: Path) -> Any:
    """The private Ed25519 key of a PEM file."""
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError:
        raise UsageError(MISSING) from None
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise ConfigError(
            f"The key {path} cannot be read: {error.strerror}. To make one: scenthound identity --new-key {path}"
        ) from error
    except (ValueError, TypeError) as error:
        raise ConfigError(f"{path} is no private key in PEM without a password: {error}.") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ConfigError(f"{path} is a key of another kind. To make one: scenthound identity --new-key FILE")
    return key


def new_key() -> bytes:
    """A private key as a PEM file."""
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    except ImportError:
        raise UsageError(MISSING) from None
    made: bytes = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return made


def public_jwk(key: Any) -> dict[str, str]:
    """The public half of a key, as a directory of keys lists it."""
    raw = key.public_key().public_bytes_raw()
    return {"kty": "OKP", "crv": "Ed25519", "x": base64.urlsafe_b64encode(raw).rstrip(b"=").decode()}


def thumbprint(key: Any) -> str:
    """RFC 7638: SHA-256 over the members that make up the key, in the order of the alphabet."""
    jwk = public_jwk(key)
    text = f'{{"crv":"{jwk["crv"]}","kty":"{jwk["kty"]}","x":"{jwk["x"]}"}}'
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
