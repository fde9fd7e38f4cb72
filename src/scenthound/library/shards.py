"""Hosts divided among logical shards, by a hash that is the same everywhere and for good.

A shard is what a worker of a cluster owns: all its hosts, and no host of another. `www.` and a port make no difference,
so that a host and the one it redirects to are most often in one hand.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import md5

SHARDS = 256

_BESIDE_THE_NAME = re.compile(r"^www\.|:[0-9]+$")

SQL = (
    "CAST(CAST('x' || left(md5(regexp_replace(host, '^www\\.|:[0-9]+$', '', 'g')), 4) AS BIT(16)) AS INTEGER) "
    f"% {SHARDS}"
)
"""The same in PostgreSQL's words."""


@lru_cache(maxsize=65_536)
def shard_of(host: str) -> int:
    name = _BESIDE_THE_NAME.sub("", host)
    return int(md5(name.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:4], 16) % SHARDS
