import io
from types import SimpleNamespace

import pytest
from rich.cells import cell_len
from rich.console import Console

from scenthound.app.crawl_progress import CrawlProgress
from scenthound.app.events import observer
from scenthound.cli.views.live_screen import KEYS, KEYS_LINE, ORDERS, Screen
from scenthound.config import Config
from scenthound.model import Step
from tests.app.steps import lease, visited


class Clock:
    now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def progress_of(pages: int, title: str = "Dengue fever", clock: Clock | None = None) -> CrawlProgress:
    progress = CrawlProgress(clock=clock or Clock())
    settings = Config()
    settings.topic.name = "dengue fever"
    settings.crawl.pages = 600
    tally = SimpleNamespace(pages=pages, relevant=pages // 2, failed=1, duplicates=0)
    crawl = SimpleNamespace(
        config=settings,
        tally=tally,
        frontier=range(4312),
        fetcher=SimpleNamespace(parallel=8),
        paused=False,
        time_left=600.0,
    )
    progress.attach(crawl)  # type: ignore[arg-type]
    observe = observer(progress)
    for number in range(pages):
        observe(visited((number % 10) / 10, f"http://a.test/{number}/a-rather-long-path-of-a-page", title=title))
    observe(Step(lease=lease("http://b.test/gone"), state="failed", at=1.0, reason="status: 404"))
    return progress


def drawn(progress: CrawlProgress, width: int, height: int) -> str:
    return shown(Screen(progress, "crawls/dengue-fever"), width, height)


def shown(screen: Screen, width: int, height: int = 24) -> str:
    file = io.StringIO()
    Console(file=file, width=width, height=height, color_system=None).print(screen)
    return file.getvalue()


@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 15), (140, 30), (220, 60), (40, 12)])
@pytest.mark.parametrize("pages", [0, 1, 250])
def test_it_fits_the_terminal(width: int, height: int, pages: int) -> None:
    lines = drawn(progress_of(pages, "デング熱は、蚊が媒介する"), width, height).splitlines()
    assert len(lines) < max(height, 19)  # less makes no sense, and is cropped
    assert all(cell_len(line) <= width for line in lines)


@pytest.mark.parametrize("width", [60, 80])
def test_it_shows_what_one_wants_to_know(width: int) -> None:
    text = drawn(progress_of(250), width, 24)
    for word in (
        "dengue fever",
        "auto",
        "250 / 600 pages",
        "relevant",
        "125",
        "50 %",
        "last 100",
        "4,312",
        "failed",
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


LABELS = ("relevant", "harvest", "last 100", "pages/s", "hosts", "waiting", "failed", "copies", "parallel")


@pytest.mark.parametrize("width", [60, 80, 110, 200])
def test_nothing_but_titles_and_addresses_is_cut(width: int) -> None:
    screen = Screen(progress_of(250), "crawls/dengue-fever")
    screen.keys = True
    screen.notice = "Paused: what is under way is finished, nothing more is asked. p goes on."
    text = shown(screen, width)
    above, below = text.split(" Best finds ")[0], text.splitlines()[-3:]
    assert "…" not in above
    for label in LABELS:
        assert f" {label} " in above
    said = " ".join(" ".join(below).split())
    assert screen.notice in said
    assert KEYS_LINE in said


@pytest.mark.parametrize("width", [60, 80, 110, 200])
def test_columns_align(width: int) -> None:
    lines = shown(Screen(progress_of(250), "x"), width).splitlines()
    figures = [line for line in lines if any(f" {label} " in line for label in LABELS) and "━" not in line]
    places = [{line.index(f" {label} ") for label in LABELS if f" {label} " in line} for line in figures[:-1]]
    assert all(later <= places[0] for later in places[1:])
    rows = [line for line in lines if line[2:3] in {"●", "·", "✗", "="}]
    assert {line[9] == " " for line in rows} == {False}  # all titles, and what went wrong, begin in one column


def test_narrow_rows_have_the_whole_title() -> None:
    title = "Dengue fever: symptoms, treatment and prevention"
    assert title in shown(Screen(progress_of(250, title), "x"), 60)


def test_the_end_is_told_as_time_left_and_time_of_day() -> None:
    clock = Clock()
    progress = progress_of(250, clock=clock)
    clock.now += 100
    text = shown(Screen(progress, "x", clock=clock), 80)
    assert "1:40 · 2:20 left, until about " in text
    assert progress.crawl is not None
    progress.crawl.config.crawl.pages = 10_000_000
    far = shown(Screen(progress, "x", clock=clock), 120)
    assert "46 d 7 h left, until about " in far
    assert "Dec" in far or "Jan" in far  # the day, too


def test_a_paused_crawl_says_so_and_guesses_nothing() -> None:
    progress = progress_of(250)
    assert isinstance(progress.crawl, SimpleNamespace)
    progress.crawl.paused = True
    text = shown(Screen(progress, "x"), 80)
    assert "paused" in text
    assert "left" not in text


@pytest.mark.parametrize("width", [60, 120])
def test_help_names_every_key(width: int) -> None:
    screen = Screen(progress_of(250), "x")
    screen.help = screen.keys = True
    text = " ".join(shown(screen, width).split())
    for key, meaning in KEYS.items():
        assert f" {key} {meaning}" in text
    assert "Best finds" not in text


def test_best_finds_in_three_orders() -> None:
    progress = CrawlProgress()
    for relevance, url in ((0.9, "http://b.test/"), (0.8, "http://a.test/"), (0.7, "http://c.test/")):
        observer(progress)(visited(relevance, url, title=url[7]))
    screen = Screen(progress, "x")
    seen = []
    for screen.order in ORDERS:
        lines = shown(screen, 60).split("Best finds")[1].splitlines()[1:4]
        seen.append([line.split()[-1] for line in lines])
    assert seen == [["b", "a", "c"], ["c", "a", "b"], ["a", "b", "c"]]
