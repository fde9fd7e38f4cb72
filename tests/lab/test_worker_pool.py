"""Workers share out orders, and one that dies is reported."""

import os
from collections.abc import Iterator
from multiprocessing.connection import Connection

import pytest

from scenthound.errors import ScenthoundError
from scenthound.lab.worker_pool import WorkerPool, leave_interrupts_to_the_parent, serve


def doubling(pipe: Connection, ending: bytes) -> None:
    leave_interrupts_to_the_parent()

    def fulfil(order: bytes) -> Iterator[bytes]:
        if order == b"die":
            os._exit(3)
        yield order + ending
        yield ending + order

    serve(pipe, fulfil)


def test_every_order_is_fulfilled_once() -> None:
    pool, heard = WorkerPool(2, doubling, (b"!",)), list[bytes]()
    try:
        pool.work(iter([b"a", b"b", b"c"]), heard.append)
    finally:
        pool.dismiss()
    assert sorted(heard) == sorted([b"a!", b"!a", b"b!", b"!b", b"c!", b"!c"])


def test_a_worker_that_dies_is_reported() -> None:
    pool, heard = WorkerPool(1, doubling, (b"!",)), list[bytes]()
    try:
        with pytest.raises(ScenthoundError, match="the same command goes on"):
            pool.work(iter([b"a", b"die"]), heard.append)
    finally:
        pool.dismiss()
    assert heard == [b"a!", b"!a"]
