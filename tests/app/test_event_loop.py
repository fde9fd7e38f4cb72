import asyncio

import pytest

from scenthound.app.event_loop import run


def test_a_coroutine_is_run_to_its_end() -> None:
    async def main() -> int:
        await asyncio.sleep(0)
        return 3

    assert run(main()) == 3


def test_one_that_is_cancelled_is_an_interrupt() -> None:
    async def main() -> None:
        raise asyncio.CancelledError

    with pytest.raises(KeyboardInterrupt):
        run(main())
