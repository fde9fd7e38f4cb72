import asyncio
import io
import json

from scenthound.app.events import observer
from scenthound.cli.views.lines import JsonLines, PlainLines
from scenthound.cli.views.output import Output
from tests.app.steps import visited
from tests.cli.views.test_live import progress_of


def no_call() -> None:
    raise AssertionError("the output is not gone")


def test_json_is_a_line_per_event() -> None:
    stream = io.StringIO()
    view = JsonLines(Output(stream, no_call))
    observe = observer(view)
    observe(visited(0.5, title="two\nlines"))
    observe(visited(0.1))
    lines = stream.getvalue().splitlines()
    assert [json.loads(line)["relevance"] for line in lines] == [0.5, 0.1]


async def test_plain_lines_come_at_their_pace_and_once_at_the_end() -> None:
    stream = io.StringIO()
    progress = progress_of(40)
    async with PlainLines(progress, Output(stream, no_call), pause=0.02):
        while not stream.getvalue():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.1)  # nothing new after the first line
        assert progress.crawl is not None
        progress.crawl.tally.pages = 41
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert "40/600 pages" in lines[0]
    assert "1 failed (1 × 404 not found)" in lines[0]
    assert "41/600 pages" in lines[1]


def test_a_reader_who_left_stops_the_crawl(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    gone = []
    monkeypatch.setattr("scenthound.cli.views.output.forget_stdout", lambda: None)
    output = Output(Closed(), lambda: gone.append(True))
    output.line("one")
    output.line("two")
    assert gone == [True]


def test_silence_is_silent(capsys) -> None:  # type: ignore[no-untyped-def]
    from scenthound.cli.views.lines import Silence

    observer(Silence())(visited(0.5))
    Silence().say("x")
    assert capsys.readouterr() == ("", "")
