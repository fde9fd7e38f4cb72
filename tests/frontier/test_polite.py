from scenthound.frontier.polite import PoliteFrontier
from scenthound.protocols import Frontier
from tests.conformance.frontiers import FrontierConformance


class TestPoliteFrontier(FrontierConformance):
    make = PoliteFrontier
    resume = PoliteFrontier.resume


def test_it_is_a_frontier() -> None:
    frontier: Frontier = PoliteFrontier()
    assert len(frontier) == 0
    assert frontier.next_time(0.0) is None
    assert frontier.take(3, 0.0) == []
