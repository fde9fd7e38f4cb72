"""A way to PostgreSQL that can be cut: TCP on loopback to the server's socket, for one client process or another.

What a process sends while it is cut off is swallowed, and so is what is sent to it; nobody is told. When the way is
mended, connections of that time are reset, as they are by a router that has forgotten them.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

import psutil


class PostgresProxy:
    """Runs in a thread of its own, from the first use to `close`. `port` is where it listens."""

    def __init__(self, socket_path: str) -> None:
        self._path = socket_path
        self._cut: set[int] = set()  # processes
        self._ways: dict[int, tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = {}  # by the client's port
        self._loop = asyncio.new_event_loop()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def cut(self, process: int) -> None:
        self._cut.add(process)
        self._dead = _ports(process)

    def mend(self, process: int) -> None:
        dead = self._dead | _ports(process)
        self._cut.discard(process)
        self._dead = set()
        self._loop.call_soon_threadsafe(self._reset, dead)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    _dead: set[int] = set()

    def _is_cut(self, port: int) -> bool:
        return port in self._dead

    def _reset(self, ports: set[int]) -> None:
        for port in ports:
            for writer in self._ways.pop(port, ()):
                writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port = writer.get_extra_info("peername")[1]
        if any(port in _ports(process) for process in self._cut):
            self._dead.add(port)
        try:
            from_server, to_server = await asyncio.open_unix_connection(self._path)
        except OSError:
            writer.transport.abort()  # there is no server
            return
        self._ways[port] = writer, to_server
        await asyncio.gather(self._pump(port, reader, to_server), self._pump(port, from_server, writer))
        self._ways.pop(port, None)

    async def _pump(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                if self._is_cut(port):
                    continue
                writer.write(data)
                await writer.drain()
        if not self._is_cut(port):  # of one that is cut off nobody hears that it has ended
            writer.close()


def _ports(process: int) -> set[int]:
    try:
        return {each.laddr.port for each in psutil.Process(process).net_connections("tcp")}
    except psutil.Error:
        return set()
