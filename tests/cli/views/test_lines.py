import asyncio
import io
import json

import msgspec

from scenthound.cli.views.lines import JsonLines, Output, PlainLines, event_of
from scenthound.model import Response, Step
from tests.cli.steps import lease, visited
from tests.cli.views.test_live import watch_of


def no_call() -> None:
    raise AssertionError("the output is not gone")


def test_every_kind_of_step_has_its_event() -> None:
    steps = [
        msgspec.structs.replace(visited(0.5), response=Response(url="http://a.test/", status=200)),
        Step(lease=lease(), state="moved", at=1.0, reason="http://b.test/"),
        Step(lease=lease(), state="failed", at=1.0, reason="dns: no such name"),
        Step(lease=lease(), state="refused", at=1.0, reason="robots"),
        Step(lease=lease(), state="waiting", at=1.0, reason="timeout: 10 s"),
    ]
    events = [event_of(step) for step in steps]
    assert [event and event["event"] for event in events] == ["visited", "moved", "failed", "refused", "retry"]
    assert events[0] is not None
    assert (events[0]["relevance"], events[0]["relevant"], events[0]["status"]) == (0.5, True, 200)
    assert events[1] is not None
    assert events[1]["to"] == "http://b.test/"


def test_sowing_is_no_event() -> None:
    assert event_of(Step(lease=lease(), state="waiting", at=1.0)) is None


def test_json_is_a_line_per_step() -> None:
    stream = io.StringIO()
    view = JsonLines(Output(stream, no_call))
    view(visited(0.5, title="two\nlines"))
    view(visited(0.1))
    lines = stream.getvalue().splitlines()
    assert [json.loads(line)["relevance"] for line in lines] == [0.5, 0.1]


async def test_plain_lines_come_at_their_pace_and_once_at_the_end() -> None:
    stream = io.StringIO()
    watch = watch_of(40)
    async with PlainLines(watch, Output(stream, no_call), pause=0.02):
        await asyncio.sleep(0.1)  # nothing new after the first line
        assert watch.crawl is not None
        watch.crawl.tally.pages = 41
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert "40/600 pages" in lines[0]
    assert "1 failed (status 1)" in lines[0]
    assert "41/600 pages" in lines[1]


def test_a_reader_who_left_stops_the_crawl(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    gone = []
    monkeypatch.setattr("scenthound.cli.views.lines.forget_stdout", lambda: None)
    output = Output(Closed(), lambda: gone.append(True))
    output.line("one")
    output.line("two")
    assert gone == [True]


def test_silence_is_silent(capsys) -> None:  # type: ignore[no-untyped-def]
    from scenthound.cli.views.lines import Silence

    Silence()(visited(0.5))
    Silence().say("x")
    assert capsys.readouterr() == ("", "")
