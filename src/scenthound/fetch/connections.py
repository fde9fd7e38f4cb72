"""Connections of the HTTP client, few enough for the operating system.

A connection that has answered is kept open for a while, for the next request to its host. A crawl of thousands of hosts
a minute would so hold thousands of them, and most systems allow a process about a thousand open files. So there is a
limit, and who finds none left closes those that wait and tries again.
"""

from __future__ import annotations

import errno
from typing import Any

import aiohttp

MOST_IDLE = 200
"""Connections that wait for a next request to their host."""

_NONE_LEFT = frozenset({errno.EMFILE, errno.ENFILE})


class BoundedConnector(aiohttp.TCPConnector):
    """As aiohttp's, which limits connections in use, and not those that wait."""

    def _release(self, key: Any, protocol: Any, *, should_close: bool = False) -> None:
        super()._release(key, protocol, should_close=should_close or len(self._conns) >= MOST_IDLE)

    def close_idle(self) -> None:
        for waiting in self._conns.values():
            for protocol, _ in waiting:
                protocol.close()
        self._conns.clear()


def none_left(error: BaseException) -> bool:
    """Whether the system refused a connection because this process, or all together, have too many files open."""
    cause: object = getattr(error, "os_error", error)
    return isinstance(cause, OSError) and cause.errno in _NONE_LEFT
