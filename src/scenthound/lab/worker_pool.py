"""Processes that share out the work of an experiment: each says that it is free, and gets the next part.

They are started afresh, not forked: a fork would copy this process's threads half. Orders and reports are bytes, whose
meaning is the experiment's business. A worker runs `serve` until there is no more to do.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from scenthound.errors import ScenthoundError

FREE = b""
"""What a worker says that wants an order; no report is empty."""


class WorkerPool:
    """`size` processes, each running `main(pipe, *arguments)`, which must be found by its module's name."""

    def __init__(self, size: int, main: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        context = multiprocessing.get_context("spawn")
        self._workers: dict[Connection, BaseProcess] = {}
        for _ in range(size):
            ours, theirs = context.Pipe()
            process = context.Process(target=main, args=(theirs, *arguments), daemon=True)
            process.start()
            theirs.close()
            self._workers[ours] = process

    def work(self, orders: Iterator[bytes], tell: Callable[[bytes], None]) -> None:
        """Hands out all orders; `tell` hears every report as it comes."""
        busy = set(self._workers)
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                try:
                    said = pipe.recv_bytes()
                except (EOFError, ConnectionResetError):
                    code = self._workers[pipe].exitcode
                    raise ScenthoundError(
                        f"A worker of the lab ended before its time (exit code {code}), perhaps for want of memory. "
                        "What was finished is kept: the same command goes on, with --jobs 1 if need be."
                    ) from None
                if said != FREE:
                    tell(said)
                elif (order := next(orders, None)) is not None:
                    pipe.send_bytes(order)
                else:
                    busy.discard(pipe)

    def dismiss(self) -> None:
        for pipe, process in self._workers.items():
            pipe.close()
            process.terminate()
        for process in self._workers.values():
            process.join(10)


def serve(pipe: Connection, fulfil: Callable[[bytes], Iterable[bytes]]) -> None:
    """The life of a worker: say that you are free, do what you are given, until there is no more."""
    try:
        while True:
            pipe.send_bytes(FREE)
            for report in fulfil(pipe.recv_bytes()):
                pipe.send_bytes(report)
    except (EOFError, OSError):
        return


def leave_interrupts_to_the_parent() -> None:
    """Ctrl-C is for the parent, who ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
