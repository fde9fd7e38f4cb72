"""A web server one writes byte by byte: every path is a function that does to the connection what it likes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

Act = Callable[[asyncio.StreamWriter], Awaitable[None]] | bytes


class Served:
    """Where the server is, and what it was asked: (path, headers) in order."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.connections = 0

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


@asynccontextmanager
async def serving(acts: dict[str, Act]) -> AsyncIterator[Served]:
    served = Served(0)
    tasks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while not writer.is_closing():
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                path = head[0].split(" ")[1]
                served.requests.append((path, dict(line.split(": ", 1) for line in head[1:] if line)))
                act = acts.get(path, b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone")
                if isinstance(act, bytes):
                    writer.write(act)
                    await writer.drain()
                else:
                    await act(writer)
        writer.close()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(talk(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    served.port = server.sockets[0].getsockname()[1]
    try:
        yield served
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def answer(body: bytes = b"", status: str = "200 OK", **fields: str) -> bytes:
    """A well-formed answer; `content_type="text/plain"` and the like set headers."""
    headers = {"Content-Type": "text/html", "Content-Length": str(len(body))}
    headers |= {name.replace("_", "-").title(): value for name, value in fields.items()}
    lines = [f"{name}: {value}" for name, value in headers.items() if value]
    return (
        f"HTTP/1.1 {status}\r\n{chr(10).join(lines)}\n\r\n".replace("\r\n", "\n").replace("\n", "\r\n").encode() + body
    )
