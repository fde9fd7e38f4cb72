"""Certificates made for the occasion, and servers that fail before there is anything to certify.

`server_context()` answers each host with the certificate that its name asks for; `client_context()` believes our own
authority and nobody else, so that what a crawl refuses is refused for the reason meant.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Wish:
    """What a host's certificate says."""

    names: tuple[str, ...]
    begins: timedelta = -DAY
    ends: timedelta = 30 * DAY
    by: str = "ours"  # ours, another authority, itself


CERTIFICATES = {
    "tls-self-signed": Wish(("tls-self-signed.test",), by="itself"),
    "tls-unknown-authority": Wish(("tls-unknown-authority.test",), by="another"),
    "tls-expired": Wish(("tls-expired.test",), begins=-30 * DAY, ends=-DAY),
    "tls-not-yet": Wish(("tls-not-yet.test",), begins=DAY),
    "tls-wrong-host": Wish(("somebody-else.test",)),
    "tls-no-name": Wish(()),
    "tls-half-wildcard": Wish(("*.test-half-wildcard.test", "t*.test")),
}


@cache
def server_context() -> ssl.SSLContext:
    contexts = {name: _context(wish) for name, wish in CERTIFICATES.items()}

    def choose(connection: ssl.SSLObject | ssl.SSLSocket, name: str | None, _: ssl.SSLContext) -> None:
        host = (name or "").removesuffix(".test").rpartition(".")[2]
        connection.context = contexts[host] if host in contexts else _context(Wish((name or "nobody.test",)))

    usual = _context(Wish(("nobody.test",)))
    usual.sni_callback = choose  # type: ignore[assignment]
    return usual


@cache
def client_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=_authority("ours")[0].public_bytes(serialization.Encoding.PEM).decode())
    return context


@cache
def _authority(name: str) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    about = _about(f"authority {name}")
    builder = _builder(about, about, key, Wish(())).add_extension(x509.BasicConstraints(True, None), critical=True)
    return builder.sign(key, hashes.SHA256()), key


@cache
def _context(wish: Wish) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    about = _about(wish.names[0] if wish.names else "nobody")
    authority, signing = (None, key) if wish.by == "itself" else _authority(wish.by)
    builder = _builder(about, authority.subject if authority else about, key, wish)
    if wish.names:
        names = x509.SubjectAlternativeName([x509.DNSName(name) for name in wish.names])
        builder = builder.add_extension(names, critical=False)
    certificate = builder.sign(signing, hashes.SHA256())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:  # OpenSSL takes a server's certificate from a file only
        file = Path(folder) / "certificate.pem"
        plain = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        file.write_bytes(key.private_bytes(*plain) + certificate.public_bytes(serialization.Encoding.PEM))
        context.load_cert_chain(file)
    return context


def _about(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _builder(
    about: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, wish: Wish
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(about)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + wish.begins)
        .not_valid_after(now + wish.ends)
    )


# Before there is a certificate

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def _cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)


async def _reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    await asyncio.sleep(3600)


async def _plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain")
    await writer.drain()


async def _garbage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.write(b"\x16\x03\x03\xff\xff" + bytes(range(256)) * 300)
    await writer.drain()


async def _alert(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.write(b"\x15\x03\x03\x00\x02\x02\x28")  # fatal, handshake failure
    await writer.drain()


HANDSHAKES: dict[str, Talk] = {
    "tls-cut": _cut,
    "tls-reset": _reset,
    "tls-silent": _silent,
    "tls-plain": _plain,
    "tls-garbage": _garbage,
    "tls-alert": _alert,
}
