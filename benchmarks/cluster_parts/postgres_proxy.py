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
    """Runs in a thread of its own until `close`. `port` is where it listens."""

    def __init__(self, socket_path: str) -> None:
        self._path = socket_path
        self._cut_off: set[int] = set()  # processes; 0 stands for all
        self._dead: set[int] = set()  # ports of connections that carry nothing any more
        self._ways: dict[int, tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = {}  # by the client's port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        starting = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result()
        self.port: int = self._server.sockets[0].getsockname()[1]

    def cut(self, process: int = 0) -> None:
        """From here on nothing of this process comes through, or, with 0, of anybody."""
        self._cut_off.add(process)
        self._dead |= _ports(process) if process else set(self._ways)

    def mend(self) -> None:
        """The way is free again for all. Connections of before are reset."""
        self._cut_off.clear()
        self._loop.call_soon_threadsafe(self._reset)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        self._dead |= set(self._ways)
        self._reset()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others)

    def _reset(self) -> None:
        for port in self._dead:
            for writer in self._ways.pop(port, ()):
                writer.transport.abort()
        self._dead = set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port = writer.get_extra_info("peername")[1]
        if any(not process or port in _ports(process) for process in self._cut_off):
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
                if port in self._dead:
                    continue
                writer.write(data)
                await writer.drain()
        if port not in self._dead:  # of one that is cut off nobody hears that it has ended
            writer.close()


def _ports(process: int) -> set[int]:
    try:
        return {each.laddr.port for each in psutil.Process(process).net_connections("tcp")}
    except psutil.Error:
        return set()
