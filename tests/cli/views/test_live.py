import asyncio
import io

from rich.console import Console, ConsoleDimensions

from scenthound.cli.views.live import LiveView
from scenthound.cli.views.live_screen import Screen
from tests.cli.views.test_live_screen import progress_of
from tests.counting import calls_of

CLEAR = "\x1b[2J"


async def test_the_view_redraws_and_leaves_a_clean_screen() -> None:
    file = io.StringIO()
    console = Console(file=file, width=80, height=24, force_terminal=True)
    view = LiveView(console, Screen(progress_of(5), "x"))
    async with view:
        await asyncio.sleep(0.05)
        view.say("Stopping soon.")
        while "Stopping soon." not in file.getvalue():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    text = file.getvalue()
    assert "Stopping soon." in text
    assert text.endswith("\x1b[2K") or text.rstrip("\n").endswith("\x1b[2K")
    assert "\x1b[?25h" in text  # the cursor is back


async def test_a_window_of_another_size_is_begun_anew() -> None:
    file = io.StringIO()
    console = Console(file=file, width=80, height=24, force_terminal=True)
    view = LiveView(console, Screen(progress_of(5), "x"))
    async with view:
        view.draw()
        assert CLEAR not in file.getvalue()
        console.size = ConsoleDimensions(60, 24)
        view.draw()
        assert file.getvalue().count(CLEAR) == 1
        view.draw()
        assert file.getvalue().count(CLEAR) == 1


async def test_a_frame_is_cheap() -> None:
    """However long the crawl: a frame of 300 pages takes 2 ms or so, and one of 3,000 takes no more."""

    async def frame(pages: int) -> int:
        console = Console(file=io.StringIO(), width=80, height=24, force_terminal=True)
        view = LiveView(console, Screen(progress_of(pages), "x"))
        async with view:
            await asyncio.sleep(0)
            return calls_of(view.draw)

    short, long = await frame(300), await frame(3_000)
    assert long < 1.1 * short
    assert long < 30_000
