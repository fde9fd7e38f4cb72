"""A graph grown backwards from its targets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from scenthound.learn.graphs.target_graph import GraphGrowth, collect, reversed_links
from scenthound.model import Lessons, Link, Page
from scenthound.text import idf


class Web:
    """Pages by number; who links to whom; what was asked for."""

    def __init__(self, links: dict[int, Sequence[int]], words: dict[int, str] | None = None) -> None:
        self.links = links
        self.words = words or {}
        self.asked: list[str] = []
        self.fetched: list[str] = []

    def fetch(self, url: str) -> Page | None:
        self.fetched.append(url)
        number = int(url.rpartition("/")[2])
        if number not in self.links:
            return None
        terms = dict(Counter(self.words.get(number, f"word{number}").split()))
        return Page(url, terms=terms, links=tuple(Link(at(target), url) for target in self.links[number]))

    def backlinks(self, url: str) -> list[str]:
        self.asked.append(url)
        number = int(url.rpartition("/")[2])
        return [at(page) for page, targets in self.links.items() if number in targets]

    def collect(self, *targets: int, seed: int = 0, **how: int) -> Lessons:
        given = [at(target) for target in targets]
        return collect(given, self.backlinks, self.fetch, idf=idf.none(), random=Random(seed), **how)  # type: ignore[arg-type]


def at(number: int) -> str:
    return f"http://a.test/{number}"


def numbers(lessons: Lessons) -> list[int]:
    return [int(page.url.rpartition("/")[2]) for page in lessons.pages]


def test_layers_edges_and_states() -> None:
    # 4 -> 3 -> 2 -> 1 -> 0, a short cut 4 -> 1, a link up 0 -> 3, and 9, that nothing leads to.
    web = Web({0: [3], 1: [0], 2: [1], 3: [2], 4: [3, 1], 9: []})
    lessons = web.collect(0)
    named = numbers(lessons)
    assert (named[:2], set(named[2:4]), named[4:]) == ([0, 1], {2, 4}, [3])  # 4 is in layer 2, by its short cut
    assert dict(zip(named, lessons.states, strict=True)) == {0: 0, 1: 1, 2: 2, 3: 3, 4: 2}
    links = {(named[source], named[target]) for source, target in lessons.edges}
    assert links == {(0, 3), (1, 0), (2, 1), (3, 2), (4, 3), (4, 1)}
    assert len(lessons.sequences) == 10_000
    assert sorted(web.fetched) == [at(number) for number in range(5)]  # each once
    assert [page.url for page in lessons.targets] == [at(0)]


def test_a_page_like_a_target_is_one_and_states_follow() -> None:
    same = "tram depot rails museum"
    web = Web({0: [], 1: [0], 2: [1], 3: [2]}, {0: same, 2: "tram depot rails trip", 3: "other words"})
    assert web.collect(0).states == (0, 1, 2, 3)  # 3 of 4 words in common: 0.75
    web.words[2] = f"{same} trip"  # 4 / (2 * sqrt 5) = 0.894
    assert web.collect(0).states == (0, 1, 0, 1)


def test_the_threshold_counts_itself_in() -> None:
    web = Web({0: [], 1: [0]}, {0: "a b c d", 1: "a b c e"})
    for similar, states in ((0.75, (0, 0)), (0.7501, (0, 1))):
        found = collect(
            [at(0)], web.backlinks, web.fetch, similar=similar - 1e-12, idf=idf.none(), random=Random(0), sequences=0
        )
        assert found.states == states
        assert found.sequences == ()


def test_backlinks_are_shared_out_evenly() -> None:
    # 0 has a hundred backlinks, 1 has three.
    web = Web({0: [], 1: []} | {n: [0] for n in range(100, 200)} | {n: [1] for n in range(200, 203)})
    lessons = web.collect(0, 1, per_layer=8, layers=1)
    popular = sum(100 <= number < 200 for number in numbers(lessons))
    assert (popular, len(lessons.pages) - 2 - popular) == (4, 3)  # 8 / 2 each at most


def test_the_example_of_the_paper() -> None:
    """Liu 3.1: "if the current layer contains 200 nodes, the number of the backlinks for each node is limited to
    600 / 200 = 3". Each of the 200 has ten."""
    web = Web({n: [] for n in range(200)} | {1000 + n: [n // 10] for n in range(2000)})
    lessons = web.collect(*range(200), layers=1)
    drawn = Counter((number - 1000) // 10 for number in numbers(lessons) if number >= 1000)
    assert set(drawn.values()) == {3}
    assert len(drawn) == 200


def test_a_layer_is_no_larger_than_said() -> None:
    web = Web({n: [] for n in range(5)} | {100 + n: [n % 5] for n in range(50)})
    lessons = web.collect(*range(5), per_layer=3, layers=1)
    assert numbers(lessons)[:3] == [0, 1, 2]  # of the targets, too
    assert len(lessons.pages) == 6


def test_a_limit_is_shared_by_the_layers() -> None:
    # A tree with ten pages that link to each: taken as they come, layer 1 and 2 would use up everything.
    tree = {0: [0]} | {n: [(n - 1) // 10] for n in range(1, 11111)}
    lessons = Web(tree).collect(0, limit=41, layers=4)
    assert Counter(lessons.states) == {0: 1, 1: 10, 2: 10, 3: 10, 4: 10}
    assert Counter(Web(tree).collect(0, limit=3, layers=4).states) == {0: 1, 1: 1, 2: 1}
    assert len(Web(tree).collect(0, limit=1).pages) == 1


def test_what_cannot_be_had_is_left_out() -> None:
    web = Web({0: [], 1: [0]})
    growth = GraphGrowth([at(0), at(7)], Random(0))
    growth.arrive({at(0): Page(at(0))})
    assert growth.asking == [at(0)]
    growth.extend({at(0): [at(1), at(8)]})
    assert set(growth.wanted) == {at(1), at(8)}
    growth.arrive({at(1): Page(at(1))})
    lessons = growth.lessons(idf.none(), sequences=0)
    assert [page.url for page in lessons.pages] == [at(0), at(1)]
    assert lessons.edges == ((1, 0),)  # the source of backlinks said so, although the page does not show it
    assert web.collect(5).pages == ()


def test_a_redirect_to_a_page_that_is_there() -> None:
    growth = GraphGrowth([at(0)], Random(0))
    growth.arrive({at(0): Page(at(0), canonical=at(50))})
    growth.extend({at(0): [at(1), at(2)]})
    one = Page(at(1), links=(Link(at(50), at(1)),))
    growth.arrive({at(1): one, at(2): one})
    lessons = growth.lessons(idf.none(), sequences=0)
    assert len(lessons.pages) == 2
    assert lessons.edges == ((1, 0),)  # by its canonical name


@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_seed_grows_the_same_graph(seed: int) -> None:
    random = Random(5)
    web = {n: random.sample(range(300), 6) for n in range(300)}
    first, second = (Web(web).collect(0, 1, seed=seed, per_layer=20) for _ in range(2))
    assert first == second
    assert first != Web(web).collect(0, 1, seed=seed + 1, per_layer=20)
    assert all(state >= 0 for state in first.states)
    assert max(Counter(first.states).values()) <= 60


def test_links_the_other_way_round() -> None:
    web = Web({0: [0, 1, 7, 1], 1: [], 2: [1, 0]})
    told: list[tuple[int, int]] = []
    backlinks = reversed_links(map(at, (0, 1, 2, 5, 1)), web.fetch, lambda *how: told.append(how))
    assert (backlinks(at(1)), backlinks(at(0)), backlinks(at(2)), backlinks(at(7))) == ([at(0), at(2)], [at(2)], [], [])
    assert told[-1] == (4, 4)
    assert len(web.fetched) == 4
