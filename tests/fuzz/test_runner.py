"""The runner finds what is planted: a crash, a hang, a broken promise, an error that nobody could act on."""

import time
from pathlib import Path

from fuzz.runner import Failure, corpus_of, fuzz, keep, tried
from fuzz.smaller import smaller
from fuzz.targets import Target
from fuzz.targets.target import must

from scenthound.errors import ConfigError

SHORT = 0.3  # seconds of CPU time


def planted(data: bytes) -> object:
    if b"crash" in data:
        return data[999_999]
    if b"hang" in data:
        while True:
            pass
    if b"bad" in data:
        raise ConfigError("that is bad; write good")
    if b"mute" in data:
        raise ConfigError("")
    must(b"wrong" not in data, "something wrong")
    return len(data) // 10


def target(refuses: bool = True) -> Target:
    return Target("planted", planted, [b"crash", b"bad", b"wrong"], refuses)  # type: ignore[arg-type]


def test_how_an_input_ends() -> None:
    assert tried(target(), b"good") == 0
    assert isinstance(tried(target(), b"bad"), tuple)  # a refusal that says what to do
    kinds = {}
    for data in (b"crash", b"hang", b"mute", b"wrong"):
        failure = tried(target(), data, patience=SHORT)
        assert isinstance(failure, Failure)
        kinds[data] = failure.kind
    assert kinds[b"hang"] == "hang"
    assert kinds[b"crash"].startswith("IndexError")
    assert kinds[b"wrong"].startswith("AssertionError")
    assert "message" in kinds[b"mute"]


def test_what_the_web_sends_is_never_refused_with_an_error() -> None:
    assert isinstance(tried(target(refuses=False), b"bad"), Failure)


def test_a_hang_may_also_be_waited_out_by_the_clock() -> None:
    """CPU time is what counts: a process that others keep waiting does not hang."""
    slow = Target("slow", lambda data: time.sleep(2 * SHORT))  # type: ignore[arg-type, return-value]
    assert tried(slow, b"", patience=SHORT) is None


def test_it_finds_what_is_planted_the_same_way_every_time() -> None:
    first, second = (fuzz(target(), 600, 5, [b"some words", b"others"]) for _ in range(2))
    assert {failure.kind.split()[0] for failure in first.failures} == {"IndexError", "AssertionError"}
    assert [failure.data for failure in first.failures] == [failure.data for failure in second.failures]
    assert first.executions == 600


def test_a_failure_is_made_small_and_kept(tmp_path: Path) -> None:
    found = tried(target(), b"a long text in which a crash is hidden somewhere" * 3)
    assert isinstance(found, Failure)
    least = smaller(target(), found, SHORT)
    assert least.data == b"crash"
    path = keep(target(), least.data, tmp_path)
    assert corpus_of(target(), tmp_path) == [b"crash"]
    assert path.parent.name == "planted"


def test_what_follows_from_a_new_kind_of_result_is_tried_further() -> None:
    """`abc` is found letter by letter, because each letter more is another kind of result."""

    def lock(data: bytes) -> int:
        open_ = 0
        while open_ < 3 and data[open_ : open_ + 1] == b"abc"[open_ : open_ + 1]:
            open_ += 1
        must(open_ < 3, "open")
        return open_

    assert fuzz(Target("lock", lock, [b"a", b"b", b"c"]), 20_000, 1, [b"xxxxxx"]).failures
