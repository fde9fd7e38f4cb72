"""Work in a thread: what it tells arrives in order, its error where somebody listens, and calls reach its loop."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from scenthound.api.background import BackgroundWork

Tell = Callable[[int], None]


async def counting(tell: Tell) -> None:
    for number in range(1000):
        tell(number)
        if number % 100 == 0:
            await asyncio.sleep(0)


async def failing(tell: Tell) -> None:
    tell(1)
    raise ValueError("in the middle")


def test_all_is_told_in_order() -> None:
    assert list(BackgroundWork(counting, "count")) == list(range(1000))


async def test_all_is_told_in_order_to_a_loop() -> None:
    assert [number async for number in BackgroundWork(counting, "count")] == list(range(1000))


async def test_the_loop_goes_on_meanwhile() -> None:
    go = threading.Event()

    async def slow(tell: Tell) -> None:
        tell(1)
        await asyncio.to_thread(go.wait)
        tell(2)

    seen = []
    async for number in BackgroundWork(slow, "slow"):
        seen.append(number)
        asyncio.get_running_loop().call_soon(go.set)  # only a loop that is not held up gets here
    assert seen == [1, 2]


def test_an_error_is_raised_where_somebody_listens() -> None:
    told = iter(BackgroundWork(failing, "fail"))
    assert next(told) == 1
    with pytest.raises(ValueError, match="in the middle"):
        next(told)


async def test_an_error_is_raised_in_the_loop_too() -> None:
    with pytest.raises(ValueError, match="in the middle"):
        async for _ in BackgroundWork(failing, "fail"):
            pass


def test_calls_are_made_in_the_works_thread_also_early_ones() -> None:
    here: list[str] = []

    async def until_called(tell: Tell) -> None:
        called = asyncio.Event()
        work.call(called.set)
        await called.wait()
        here.append(threading.current_thread().name)

    ready = threading.Event()

    async def begins_late(tell: Tell) -> None:
        await asyncio.to_thread(ready.wait)
        await until_called(tell)

    work: BackgroundWork[int] = BackgroundWork(begins_late, "caller")
    work.call(lambda: here.append(threading.current_thread().name))
    ready.set()
    assert list(work) == []
    assert here == ["caller", "caller"]
    work.join()
    work.call(lambda: here.append("too late"))  # nobody is there any more, and nothing is raised
    assert here == ["caller", "caller"]
