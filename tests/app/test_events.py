import json

import msgspec
import pytest

from scenthound.app import events
from scenthound.app.events import (
    ArchiveCut,
    Checked,
    Event,
    HostRests,
    Judged,
    Judging,
    LanguageRecognized,
    Learned,
    Moved,
    NoneRelevant,
    Refused,
    RequestFailed,
    Retry,
    Stopped,
    Summary,
    TopicAbsent,
    TopicUnderstood,
    Visited,
    events_of,
)
from scenthound.model import Check, Response, Step
from tests.app.steps import lease, visited

HEAD = ("http://a.test/", 1.0, 0, 0.5)
EXAMPLES: list[Event] = [
    Visited(*HEAD, 200, 0.5, True, "A title", "http://b.test/", "an anchor", 3, ""),
    Moved(*HEAD, "http://b.test/"),
    RequestFailed(*HEAD, "dns: no such name"),
    Refused(*HEAD, "robots"),
    Retry(*HEAD, "timeout: 10 s"),
    Checked(*HEAD, "changed", 0.4, "a few words"),
    HostRests("a.test", 1.0, 61.0, "status: 429"),
    Learned("topic", "ferns", 50, ("fern", "spore")),
    ArchiveCut("warc/a.warc.gz", 2048, 3, 2),
    Judging(100, 900),
    Judged(900, 40, 29, 38, 10, 1, 12, ("topic", "labels"), True),
    TopicUnderstood("ferns", "en", {"ferns": 1.0}, ("flowers",)),
    LanguageRecognized("de", "en", True),
    TopicAbsent(30, ("ferns",)),
    NoneRelevant(100, "http://a.test/", 0.3),
    Stopped("pages", 10, 4, 3, 1, 20, 2.5),
    Summary("ferns", "best-first", "x", "pages", 2.5, 10, 4, 3, 0.3, 0, 11, 900, 20, 1, {"dns": 1}, 2),
]


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_an_event_survives_the_way_to_json_and_back(event: Event) -> None:
    assert events.decode(events.encode(event)) == event


def test_every_kind_of_event_has_an_example_and_a_name_of_its_own() -> None:
    ours = {kind for kind in events.kinds() if kind.__module__ == events.__name__}
    assert {type(event) for event in EXAMPLES} == ours
    names = [json.loads(events.encode(event))["event"] for event in EXAMPLES]
    assert len(set(names)) == len(names)


def test_a_new_kind_is_a_class_and_no_more() -> None:
    class Drawn(Event, frozen=True, tag="drawn"):
        path: str

    assert events.decode(events.encode(Drawn("x.svg"))) == Drawn("x.svg")


def one(step: Step) -> dict[str, object]:
    (event,) = events_of(step)
    found: dict[str, object] = json.loads(events.encode(event))
    return found


def test_a_page_that_arrived() -> None:
    step = msgspec.structs.replace(
        visited(0.51234567, title="two\nlines"), response=Response(url="http://a.test/", status=200)
    )
    found = one(step)
    assert list(found) == [
        "event", "url", "at", "depth", "priority", "status", "relevance", "relevant", "title", "source", "anchor",
        "links", "duplicate_of",
    ]  # fmt: skip
    assert (found["event"], found["status"], found["relevance"]) == ("visited", 200, 0.512346)
    assert found["title"] == "two lines"


@pytest.mark.parametrize(
    ("state", "reason", "told"),
    [
        ("moved", "http://b.test/", {"event": "moved", "to": "http://b.test/"}),
        ("failed", "dns: no such name", {"event": "failed", "reason": "dns: no such name"}),
        ("refused", "robots", {"event": "refused", "reason": "robots"}),
        ("waiting", "timeout: 10 s", {"event": "retry", "reason": "timeout: 10 s"}),
    ],
)
def test_what_else_becomes_of_a_link(state: str, reason: str, told: dict[str, str]) -> None:
    found = one(Step(lease=lease(), state=state, at=1.0004, reason=reason))  # type: ignore[arg-type]
    assert found == {"url": "http://a.test/", "at": 1.0, "depth": 0, "priority": 0.5, **told}


def test_adding_seeds_is_no_event() -> None:
    assert list(events_of(Step(lease=lease(), state="waiting", at=1.0))) == []


@pytest.mark.parametrize("status", [429, 503])
def test_a_host_that_asks_for_a_pause_rests(status: int) -> None:
    waiting = msgspec.structs.replace(lease(), not_before=61.0)
    retry, rests = events_of(Step(lease=waiting, state="waiting", at=1.0, reason=f"status: {status}"))
    assert isinstance(retry, Retry)
    assert rests == HostRests("a.test", 1.0, 61.0, f"status: {status}")


def test_a_look_at_a_stored_page() -> None:
    check = Check(outcome="changed", before=0.4, detail="a few words")
    step = msgspec.structs.replace(visited(0.5), check=check)
    assert list(events_of(step)) == [Checked("http://a.test/", 1.0, 0, 0.5, "changed", 0.4, "a few words")]
    assert not list(events_of(msgspec.structs.replace(step, check=Check(outcome="nothing"))))
