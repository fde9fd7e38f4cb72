"""Blocks, worked by hand; a score over several parents; the limit; the rebuilt table; what it costs in memory."""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.judges.blocks import BlocksJudge
from scenthound.model import Block, Keyword, Link, Page, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.strategies import blocks
from scenthound.strategies.blocks import Blocks
from scenthound.text import idf
from scenthound.text.analysis import analyzer

TOPIC = Topic("x", (Keyword("dengue", 0.5), Keyword("fever", 0.5)))  # the table: dengu 1, fever 1
ABOUT, HALF, OTHER = "dengue fever", "dengue museum", "museum tickets"
R = {ABOUT: 1.0, HALF: 0.5, OTHER: 0.0}  # HALF: (1, 0, 1) . (1, 1, 0) / 2


def context(*examples: Page) -> Context:
    return Context(TOPIC, idf.none(), Random(1), examples)


def visit(url: str, *texts: str, target: str = "", relevant: bool = True) -> Visit:
    """A page of one block a text; each holds a link to /0, /1, ..., or to `target`."""
    page = Page(
        url=url,
        terms=analyzer("en").counts(" ".join(texts)),
        blocks=tuple(Block("", 0, text) for text in texts),
        language="en",
        links=tuple(Link(target or f"{url}/{n}", source=url, block=n) for n in range(len(texts))),
    )
    return Visit(Link(url), page, 0.5, relevant, 1)


def begun(*examples: Page, **params: Any) -> Blocks:
    strategy = Blocks(**params)
    strategy.begin(context(*examples))
    return strategy


def step(strategy: Blocks, visit: Visit) -> list[float]:
    strategy.learn(visit)
    first = [one.priority for one in strategy.rank(visit)]
    assert [one.priority for one in strategy.rank(visit)] == first
    return first


def test_a_link_is_worth_what_its_block_is() -> None:
    got = step(begun(), visit("http://a", ABOUT, HALF, "dengue"))
    assert got == pytest.approx([1.0, 0.5, 1 / sqrt(2)])


def test_links_of_blocks_not_over_the_limit_come_after_all_others() -> None:
    assert step(begun(limit=0.5), visit("http://a", ABOUT, HALF, OTHER)) == pytest.approx([1.0, 0.5 - 1, -1.0])


def test_score_over_all_known_parents() -> None:
    strategy = begun(mu=0.5)
    assert step(strategy, visit("http://a", HALF, target="http://t")) == pytest.approx([0.5])
    assert step(strategy, visit("http://b", ABOUT, target="http://t")) == pytest.approx([0.5 * 1 + 0.5 * 0.75])
    # A bad third parent lowers the mean, and the best block stays the best.
    assert step(strategy, visit("http://c", OTHER, target="http://t")) == pytest.approx([0.5 * 1 + 0.5 * 0.5])
    assert strategy.merge == "last", "so that the frontier takes the new score as it is"


@pytest.mark.parametrize(("mu", "expected"), [(1.0, 1.0), (0.0, 0.75), (0.2, 0.8)])
def test_mu_weighs_the_block_against_the_parents(mu: float, expected: float) -> None:
    strategy = begun(mu=mu)
    step(strategy, visit("http://a", HALF, target="http://t"))
    assert step(strategy, visit("http://b", ABOUT, target="http://t")) == pytest.approx([expected])


def test_the_score_does_not_depend_on_the_order_of_the_parents() -> None:
    scores = set()
    for texts in ((ABOUT, HALF, OTHER), (OTHER, ABOUT, HALF), (HALF, OTHER, ABOUT)):
        strategy = begun()
        for n, text in enumerate(texts):
            last = step(strategy, visit(f"http://{n}", text, target="http://t"))
        scores.add(round(last[0], 12))
    assert scores == {0.75}


def test_the_table_is_built_from_examples_and_rebuilt_from_relevant_pages() -> None:
    example = Page("http://e", terms={"rash": 2, "tick": 1})
    keywords = {"dengu": 1.0, "fever": 1.0}
    strategy = begun(example, rebuild_every=2)
    assert strategy.table_.weights == {**keywords, "rash": 1.0, "tick": 0.5}
    strategy.learn(visit("http://a", "tick tick rash", relevant=True))
    assert strategy.table_.weights == {**keywords, "rash": 1.0, "tick": 1.0}  # 1 + 1/2 each
    strategy.learn(visit("http://b", "museum", relevant=False))
    strategy.learn(visit("http://c", "museum", relevant=False))
    assert "museum" not in strategy.table_.weights
    kept = begun(example)
    kept.learn(visit("http://a", "tick tick rash"))
    kept.learn(visit("http://b", "tick tick rash"))
    assert kept.table_.weights == {**keywords, "rash": 1.0, "tick": 0.5}


def seed(url: str, text: str, *, relevant: bool) -> Visit:
    there = visit(url, text, relevant=relevant)
    return Visit(Link(url, kind="seed"), there.page, there.relevance, relevant, 0)


def test_the_table_is_built_from_seed_pages_as_they_are_fetched() -> None:
    """Of pages that each have one vote: tick 1 + 1, rash 1/2 + 0; the tourist office is a seed off the topic."""
    keywords = {"dengu": 1.0, "fever": 1.0}
    visits = [
        seed("http://a", "tick tick rash", relevant=True),
        seed("http://b", "museum tour", relevant=False),
        seed("http://c", "tick", relevant=True),
    ]
    tables = {}
    for which in ("none", "relevant", "all"):
        for first in (True, False):
            strategy = begun(seeds=which, keywords=first)
            assert strategy.table_.weights == keywords, "until there are pages"
            for each in visits:
                strategy.learn(each)
            tables[which, first] = strategy.table_.weights
    assert tables["none", True] == tables["none", False] == keywords
    assert tables["relevant", True] == keywords | {"tick": 1.0, "rash": 0.25}
    assert tables["relevant", False] == {"tick": 1.0, "rash": 0.25}
    assert tables["all", False] == {"tick": 1.0, "rash": 0.25, "museum": 0.5, "tour": 0.5}


def test_a_redirected_seed_is_a_seed_and_a_page_found_is_not() -> None:
    strategy = begun(seeds="relevant")
    there = seed("http://a", "tick", relevant=True)
    strategy.learn(Visit(Link("http://b", kind="redirect"), there.page, 0.5, True, 0))
    strategy.learn(visit("http://c", "museum", relevant=True))
    assert strategy.table_.weights.keys() == {"dengu", "fever", "tick"}


def test_memory_is_bounded_and_what_was_found_lately_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "REMEMBERED", 10)
    strategy = begun()
    for n in range(50):
        step(strategy, visit(f"http://{n}", ABOUT, HALF))
        step(strategy, visit(f"http://often/{n}", HALF, target="http://t"))
    assert len(strategy.held_) == 10
    assert step(strategy, visit("http://z", ABOUT, target="http://t"))[0] < 0.5 + 0.5 * 0.6, "fifty parents count"


def test_a_restart_relives_the_visits() -> None:
    visits = [visit(f"http://{n}", text, target="http://t") for n, text in enumerate((ABOUT, OTHER, HALF))]
    strategy, again = begun(), begun()
    before = [step(strategy, each) for each in visits][-1]
    for each in visits:
        again.learn(each)
    assert [one.priority for one in again.rank(visits[-1])] == before


def test_bad_parameters_and_an_empty_topic_are_refused() -> None:
    for params in ({"mu": 1.1}, {"limit": -1}, {"terms": 0}, {"seeds": "some"}, {"rebuild_every": -1}):
        with pytest.raises(ValueError, match=next(iter(params))):
            Blocks(**params)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="keywords"):
        Blocks().begin(Context(Topic(""), idf.none(), Random(1)))


@pytest.mark.parametrize(("mode", "expected"), [("sum", 1.0), ("mean", 0.5)])
def test_page_relevance_is_the_sum_or_the_mean_over_blocks(mode: Any, expected: float) -> None:
    judge = BlocksJudge(mode=mode)
    judge.begin(context())
    page = visit("http://a", HALF, HALF, OTHER, ABOUT, "").page
    assert judge(page) == pytest.approx(expected)
    assert dict(judge.strongest(page, 5)) == pytest.approx({"dengu": expected * 3 / 4, "fever": expected / 4})
    assert judge(visit("http://a", HALF).page) == pytest.approx(0.5)
    assert judge(Page("http://empty")) == 0.0
    assert judge.strongest(Page("http://empty"), 5) == []


def test_as_published_only_links_of_relevant_blocks_are_taken() -> None:
    made = registry.strategy.build("blocks", {"published": True})
    assert (made.seeds, made.keywords, made.norm, made.others, made.best_block) == ("all", False, "table", False, False)
    made.begin(context())  # no seed yet: the keywords stand in
    first = Block("Dengue", 1, "Dengue: the dengue fever among many other words")
    page = Page(
        "http://p.example/",
        terms=analyzer("en").counts(first.text),
        blocks=(Block("", 0, "museum"), first),
        links=(Link("http://a.example/", block=0), Link("http://b.example/", block=1)),
    )
    seen = Visit(Link(page.url), page, 0.0, False, 1)
    made.learn(seen)
    [one] = made.rank(seen)
    weights = made.table_.weights
    assert one.link.url == "http://b.example/"
    assert one.priority == pytest.approx(
        (weights["dengu"] * 2 + weights["fever"]) / (5**0.5 * sum(weight**2 for weight in weights.values()) ** 0.5)
    )


def test_the_published_score_over_two_parents_in_numbers() -> None:
    """Two seeds make the table: n / n_max is (dengu 1, fever 1/2) and (dengu 1, fever 1), so t = (1, 3/4), of length
    5/4. The first has the link in a block that says dengue alone, and only its own table by then, (1, 1/2): 2 / sqrt 5.
    The second has it in one that says both once, among words which the norm leaves out: 1.75 / (1.25 * sqrt 2).
    score(u) = 0.5 * R(here) + 0.5 * mean of both."""
    made = registry.strategy.build("blocks", {"published": True})
    made.begin(context())
    wanted = "http://u.example/"
    first = visit("http://a", "dengue", "dengue fever", target=wanted)
    second = visit("http://b", "dengue fever of some museum", target=wanted)
    alone, both = 2 / sqrt(5), 1.75 / (1.25 * sqrt(2))
    ranked = {}
    for seed, links in ((first, first.page.links[:1]), (second, second.page.links)):
        terms = {term: n for term, n in seed.page.terms.items() if term in ("dengu", "fever")}
        page = replace(seed.page, links=links, terms=terms)
        seen = replace(seed, page=page, depth=0)
        made.learn(seen)
        [ranked[page.url]] = made.rank(seen)
    assert made.table_.weights == pytest.approx({"dengu": 1.0, "fever": 0.75})
    assert ranked["http://a"].priority == pytest.approx(alone)
    assert ranked["http://b"].priority == pytest.approx(0.5 * both + 0.5 * (alone + both) / 2)
