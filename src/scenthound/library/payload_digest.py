"""The digest of an answer's body, as archives spell it: `sha1:` and 32 letters and digits.

Libraries name answers by it, whether they write WARC files or not.
"""

from __future__ import annotations

from base64 import b32decode, b32encode

SHA1 = "sha1:"


def payload_digest(digest: bytes) -> str:
    return f"{SHA1}{b32encode(digest).decode()}"


def digest_of(payload_digest: str) -> bytes:
    """The digest in a header that `payload_digest` wrote; nothing where it cannot be read."""
    try:
        return b32decode(payload_digest.removeprefix(SHA1))
    except ValueError:
        return b""
