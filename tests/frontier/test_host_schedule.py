from scenthound.frontier.host_schedule import HostSchedule
from scenthound.frontier.host_state import NOTHING, HostState


def host(number: int, ended: float = -9.0) -> HostState:
    return HostState(f"h{number}", number, 1.0, ended)


def test_the_best_goes_first_and_a_better_word_moves_up() -> None:
    schedule, a, b = HostSchedule(), host(0), host(1)
    schedule.settle(a, (-0.5, 0, 0), 0.0)
    schedule.settle(b, (-0.4, 0, 0), 0.0)
    schedule.settle(b, (-0.9, 1, 0), 0.0)
    assert schedule.next() == (b, (-0.9, 1, 0))
    assert schedule.next() == (a, (-0.5, 0, 0))
    assert schedule.next() is None


def test_a_host_with_nothing_leaves() -> None:
    schedule, a, b = HostSchedule(), host(0), host(1, ended=5.0)
    schedule.settle(a, (-0.5, 0, 0), 0.0)
    schedule.settle(b, (-0.5, 0, 0), 0.0)
    assert schedule.first_rested() == 6.0
    schedule.settle(a, NOTHING, 0.0)
    schedule.settle(b, NOTHING, 0.0)
    assert not schedule.any()
    assert schedule.first_rested() is None
    assert schedule.rested(9.0) == []


def test_a_longer_rest_outdates_the_shorter() -> None:
    schedule, a = HostSchedule(), host(0, ended=5.0)
    schedule.settle(a, (-0.5, 0, 0), 5.0)
    a.until = 8.0
    schedule.settle(a, (-0.5, 0, 0), 5.0)
    assert schedule.rested(7.0) == []
    assert schedule.rested(8.0) == [a]


def test_what_is_stale_is_swept() -> None:
    schedule, a = HostSchedule(), host(0)
    for number in range(10_000):
        schedule.settle(a, (-float(number), 0, 0), 0.0)
    assert len(schedule._far._heap) <= 2_000
    assert schedule.next() == (a, (-9999.0, 0, 0))
    assert schedule.next() is None


def test_what_is_far_must_promise_more() -> None:
    schedule, near, far = HostSchedule(), host(0), host(1)
    near.near = True
    schedule.settle(near, (-0.2, 0, 0), 0.0)
    schedule.settle(far, (-0.5, 0, 0), 0.0)
    assert schedule.any(far=0.9)
    assert schedule.next(far=0.9) == (near, (-0.2, 0, 0))
    assert not schedule.any(far=0.9)
    assert schedule.next(far=0.9) is None
    assert schedule.next(least=0.9, far=0.1) is None, "the least is asked of all"
    assert schedule.next(far=0.5) == (far, (-0.5, 0, 0))


def test_near_and_far_go_by_priority() -> None:
    schedule, near, far = HostSchedule(), host(0), host(1)
    near.near = True
    schedule.settle(near, (-0.2, 0, 0), 0.0)
    schedule.settle(far, (-0.5, 0, 0), 0.0)
    assert [schedule.next(), schedule.next(), schedule.next()] == [(far, (-0.5, 0, 0)), (near, (-0.2, 0, 0)), None]
