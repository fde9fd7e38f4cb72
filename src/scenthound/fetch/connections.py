"""Connections of the HTTP client, few enough for the operating system, and none used that may not be.

A connection that has answered is kept open for a while, for the next request to its host. A crawl of thousands of hosts
a minute would so hold thousands of them, and most systems allow a process about a thousand open files. So there is a
limit, and who finds none left closes those that wait and tries again.

Between the decision to ask a host and the moment when a connection to it stands, a name is looked up and packets
travel. Whether it may still be asked is looked at once more then, before a byte of the request is sent.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import aiohttp

MOST_IDLE = 200
"""Connections that wait for a next request to their host."""

_NONE_LEFT = frozenset({errno.EMFILE, errno.ENFILE})


class NotSent(Exception):
    """A connection stood, and the host may not be asked any more."""


class BoundedConnector(aiohttp.TCPConnector):
    """As aiohttp's, which limits connections in use, and not those that wait. `may_send` has the last word."""

    def __init__(self, *, may_send: Callable[[], bool], **settings: Any) -> None:
        super().__init__(**settings)
        self._may_send = may_send

    async def connect(self, *request: Any, **settings: Any) -> Any:
        connection = await super().connect(*request, **settings)
        if not self._may_send():
            connection.close()
            raise NotSent
        return connection

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
