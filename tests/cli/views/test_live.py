import asyncio
import io
from types import SimpleNamespace

import pytest
from rich.cells import cell_len
from rich.console import Console

from scenthound.app.crawl_progress import CrawlProgress
from scenthound.app.events import observer
from scenthound.cli.views.live import LiveView, Screen
from scenthound.config import Config
from scenthound.model import Step
from tests.app.steps import lease, visited
from tests.counting import calls_of


def progress_of(pages: int, title: str = "Dengue fever") -> CrawlProgress:
    progress = CrawlProgress()
    settings = Config()
    settings.topic.name = "dengue fever"
    settings.crawl.pages = 600
    tally = SimpleNamespace(pages=pages, relevant=pages // 2, failed=1, duplicates=0)
    progress.attach(SimpleNamespace(config=settings, tally=tally, frontier=range(4312)))  # type: ignore[arg-type]
    observe = observer(progress)
    for number in range(pages):
        observe(visited((number % 10) / 10, f"http://a.test/{number}/a-rather-long-path-of-a-page", title=title))
    observe(Step(lease=lease("http://b.test/gone"), state="failed", at=1.0, reason="status: 404"))
    return progress


def drawn(progress: CrawlProgress, width: int, height: int, *, colour: bool = False) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, height=height, force_terminal=colour, color_system=None)
    console.print(Screen(progress, "crawls/dengue-fever"))
    return file.getvalue()


@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 15), (140, 30), (220, 60), (40, 12)])
@pytest.mark.parametrize("pages", [0, 1, 250])
def test_it_fits_the_terminal(width: int, height: int, pages: int) -> None:
    lines = drawn(progress_of(pages, "デング熱は、蚊が媒介する"), width, height).splitlines()
    assert len(lines) < max(height, 16)
    assert all(cell_len(line) <= width for line in lines)


@pytest.mark.parametrize("width", [80, 140])
def test_it_shows_what_one_wants_to_know(width: int) -> None:
    text = drawn(progress_of(250), width, 24)
    for word in (
        "dengue fever",
        "auto",
        "250 / 600 pages",
        "relevant 125",
        "harvest 50 %",
        "last 100",
        "waiting 4,312",
        "failed 1",
        "Best finds",
        "Last pages",
        "404",
        "█",
    ):
        assert word in text


def test_before_the_crawl_there_is_a_word() -> None:
    assert "Setting out" in drawn(CrawlProgress(), 80, 24)


def test_titles_are_no_markup_and_no_commands() -> None:
    text = drawn(progress_of(3, "[red]x[/red] \x1b]0;owned\x07"), 80, 24)
    assert "[red]x[/red]" in text
    assert "\x1b" not in text


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
