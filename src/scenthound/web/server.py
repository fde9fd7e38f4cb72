"""The address that is served, and how long: until somebody stops it."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from msgspec import Struct

from scenthound.app.strategies import trainable
from scenthound.errors import UsageError
from scenthound.web.dashboard import dashboard
from scenthound.web.guard import Guard
from scenthound.web.shelf import Shelf

PORT = 8417


class Address(Struct, frozen=True):
    """Where to serve. Port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: int = PORT

    @property
    def is_loopback(self) -> bool:
        if self.host == "localhost":
            return True
        with contextlib.suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return False


class Serving(Struct, frozen=True):
    """What was opened: the address to type, token included."""

    url: str
    port: int
    token: str = ""


class QuietServer(uvicorn.Server):
    """Leaves Ctrl-C to whoever serves."""

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]
        yield


@asynccontextmanager
async def serving(shelf: Shelf, address: Address) -> AsyncIterator[Serving]:
    """Serves the shelf as long as this lasts, on the event loop of whoever asks."""
    listener = _listener(address)
    port = listener.getsockname()[1]
    token = "" if address.is_loopback else secrets.token_urlsafe(24)
    names = [address.host] if not address.is_loopback else ["127.0.0.1", "localhost", "[::1]", address.host]
    if address.host in ("0.0.0.0", "::"):
        names += [socket.gethostname(), *_own_addresses()]
    hosts = [each for name in names for each in (f"{_bracketed(name)}:{port}", *([name] if port == 80 else []))]
    config = uvicorn.Config(
        Guard(dashboard(shelf), hosts, token),
        log_level="critical",  # a request that a stop cuts off is no error
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=65_536,
    )
    server = QuietServer(config)
    task = asyncio.create_task(server.serve([listener]))
    warm = asyncio.create_task(
        asyncio.to_thread(trainable)
    )  # loads all strategies: else whoever sees Trails first waits
    try:
        while not server.started and not task.done():  # noqa: ASYNC110  (uvicorn tells nobody)
            await asyncio.sleep(0.01)
        shown = address.host if address.host not in ("0.0.0.0", "::") else names[-1]
        url = f"http://{_bracketed(shown)}:{port}/" + (f"?token={token}" if token else "")
        yield Serving(url, port, token)
    finally:
        server.should_exit = True
        await asyncio.gather(task, warm, return_exceptions=True)
        await shelf.close()


def _listener(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise UsageError(
            f"Nothing can be served on {address.host}, port {address.port}: {error}. "
            "Choose another: --port 0 takes a free one."
        ) from error
    return listener


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _own_addresses() -> list[str]:
    with contextlib.suppress(OSError):
        return sorted({entry[4][0] for entry in socket.getaddrinfo(socket.gethostname(), None)})  # type: ignore[misc]
    return []
