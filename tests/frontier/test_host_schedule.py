from scenthound.frontier.host_schedule import HostSchedule
from scenthound.frontier.host_state import NOTHING, HostState


def host(number: int, ended: float = -9.0) -> HostState:
    return HostState(f"h{number}", number, 1.0, ended)


def test_the_best_goes_first_and_a_better_word_moves_up() -> None:
    turns, a, b = HostSchedule(), host(0), host(1)
    turns.settle(a, (-0.5, 0, 0), 0.0)
    turns.settle(b, (-0.4, 0, 0), 0.0)
    turns.settle(b, (-0.9, 1, 0), 0.0)
    assert turns.next() == (b, (-0.9, 1, 0))
    assert turns.next() == (a, (-0.5, 0, 0))
    assert turns.next() is None


def test_a_host_with_nothing_leaves() -> None:
    turns, a, b = HostSchedule(), host(0), host(1, ended=5.0)
    turns.settle(a, (-0.5, 0, 0), 0.0)
    turns.settle(b, (-0.5, 0, 0), 0.0)
    assert turns.first_rested() == 6.0
    turns.settle(a, NOTHING, 0.0)
    turns.settle(b, NOTHING, 0.0)
    assert not turns.any()
    assert turns.first_rested() is None
    assert turns.rested(9.0) == []


def test_a_longer_rest_outdates_the_shorter() -> None:
    turns, a = HostSchedule(), host(0, ended=5.0)
    turns.settle(a, (-0.5, 0, 0), 5.0)
    a.until = 8.0
    turns.settle(a, (-0.5, 0, 0), 5.0)
    assert turns.rested(7.0) == []
    assert turns.rested(8.0) == [a]


def test_what_is_stale_is_swept() -> None:
    turns, a = HostSchedule(), host(0)
    for number in range(10_000):
        turns.settle(a, (-float(number), 0, 0), 0.0)
    assert len(turns._line) <= 2_000
    assert turns.next() == (a, (-9999.0, 0, 0))
    assert turns.next() is None
