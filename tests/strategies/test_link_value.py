from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.errors import ConfigError
from scenthound.model import Link
from scenthound.registry import strategy as registry
from scenthound.strategies.link_value import LinkValue
from tests.small_web import ScriptedFetcher, crawl_of, page
from tests.strategies.grown_web import context, visit

BEHIND = ("a.test/2", "a.test/3", "a.test/4", "a.test/5", "b.test/1", "b.test/2")
A, B, C = "http://one.example/a", "http://one.example/b", "http://two.example/c"


def begun(**params: float) -> LinkValue:
    strategy = registry.build("link-value", params)
    assert isinstance(strategy, LinkValue)
    strategy.begin(context())
    return strategy


def scores(strategy: LinkValue, *urls: str) -> list[float]:
    return list(strategy.rescore([Link(url) for url in urls]))


def test_by_hand() -> None:
    """Two pages of one host with 2 and 4 links, one of twenty words the topic's on the first, none on the second."""
    strategy = begun(topic=0.5, half=0.05)
    first = visit("http://one.example/", A, C, terms={"dengu": 1, "rash": 19})
    strategy.learn(first)
    # F(a) = (2 + 2) / 2 = 2 and F(c) = (0 + 2) / 1 = 2; B = 1; S = 1/20.
    assert [one.priority for one in strategy.rank(first)] == pytest.approx([0.5 * 0.5 + 0.5 / 3] * 2)
    strategy.learn(visit("http://one.example/2", A, B, "http://x.example/", "http://y.example/", terms={"rash": 1}))
    # F(a) = (2 + 4 + 3) / 3 = 3, B(a) = 2, the best S stays; F(b) = 3, B(b) = 1, S = 0; F(c) = 3, B(c) = 1.
    expected = [0.5 * 0.5 + 0.5 * 1 / 5, 0.5 * 2 / 4, 0.5 * 0.5 + 0.5 * 2 / 4]
    assert scores(strategy, A, B, C) == pytest.approx(expected)


def test_pvalue_as_published() -> None:
    """F - B, not divided by anything; what the pages say of the topic makes no difference."""
    strategy = begun(published=True)
    strategy.learn(visit("http://one.example/", A, C, terms={"dengu": 1}))
    assert scores(strategy, A, C) == [2 - 1, 2 - 1]  # F(a) = (2 + 2) / 2, F(c) = (0 + 2) / 1
    strategy.learn(visit("http://one.example/2", A, B, "http://x.example/", "http://y.example/"))
    assert scores(strategy, A, B, C) == [3 - 2, 3 - 1, 3 - 1]  # F(a) = (2 + 4 + 3) / 3
    strategy.missed(Link(A))
    assert scores(strategy, A) == [0 - 2]  # broken: no forward links, so it is negative and sinks


def test_broken_links_sink_and_pull_their_host_down() -> None:
    strategy = begun(topic=0.0)
    strategy.learn(visit("http://seed.example/", A, B, C))
    before = scores(strategy, A, B, C)
    strategy.missed(Link(A))
    broken, beside, elsewhere = scores(strategy, A, B, C)
    assert broken == -1.0  # Pvalue = 0 - 1, as the document has it
    assert -1.0 < beside < before[1]
    assert beside < elsewhere


def test_a_broken_link_that_is_found_again_stays_at_the_bottom() -> None:
    strategy = begun()
    strategy.learn(visit("http://seed.example/", A, C, terms={"dengu": 1}))
    strategy.missed(Link(A))
    again = visit("http://two.example/", A, C, terms={"dengu": 1})
    strategy.learn(again)
    broken, sound = strategy.rank(again)
    assert broken.priority < sound.priority


def test_many_links_to_it_make_a_page_less_urgent() -> None:
    strategy = begun(topic=0.0)
    for i in range(4):
        strategy.learn(visit(f"http://seed.example/{i}", A, *([B] if i == 0 else ["http://z.example/"])))
    often, once = scores(strategy, A, B)
    assert often < once


def test_the_topic_alone() -> None:
    strategy = begun(topic=1.0, half=0.5)
    strategy.learn(visit("http://seed.example/", A, terms={"dengu": 1, "rash": 1}))
    assert scores(strategy, A, B) == [0.5, 0.0]


def test_nothing_is_known_yet() -> None:
    strategy = begun()
    strategy.missed(Link(A))
    assert scores(strategy, A, B) == [0.0, 0.0]


@pytest.mark.parametrize("params", [{"topic": 1.1}, {"topic": -0.1}, {"half": 0.0}, {"half": float("nan")}])
def test_bad_parameters(params: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(params))):
        begun(**params)


async def test_a_crawl_by_pvalue_in_numbers(tmp_path: Path) -> None:
    """By hand. The seed has 2 links, so F = 2 and B = 1 for both: the first goes first. It has 6, so that a page is
    expected to have (6 + 4) / 2 = 5 on its host and 4 on the other: 5 - 1 for its own, 4 - 1 for b/2, 4 - 2 for b/1,
    to which two pages link now. So what is linked to more is left for later, as the document has it."""
    script = {
        "http://s.test/": page("1=http://a.test/1", "2=http://b.test/1"),
        "http://a.test/1": page(*(f"{n}=http://{where}" for n, where in enumerate(BEHIND))),
        "http://b.test/1": page(),
        "http://b.test/2": page(),
    } | {f"http://a.test/{n}": page() for n in range(3, 6)}
    fetcher = ScriptedFetcher(script)
    with crawl_of(tmp_path, fetcher, strategy=begun(published=True), seeds=("http://s.test/",)) as crawl:
        await crawl.run()
    asked = [url.removeprefix("http://").replace(".test", "") for url in fetcher.asked]
    assert asked == ["s/", "a/1", "a/2", "a/3", "a/4", "a/5", "b/2", "b/1"]
