from __future__ import annotations

from math import exp
from random import Random

import pytest

from scenthound import registry
from scenthound.model import Keyword, Lessons, Link, Page, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.strategies.apprentice import Apprentice
from scenthound.text import idf

TOPIC = Topic("x", (Keyword("dengue", 0.5), Keyword("fever", 0.5)))
GOOD = Link("http://a.example/wiki/one", source="http://a.example/", anchor="outbreak", context="an outbreak in May")
BAD = Link("http://a.example/shop/two", source="http://a.example/", anchor="basket", context="your basket is empty")


def begun(**params: float) -> Apprentice:
    made: Apprentice = registry.strategy.build("apprentice", params)
    made.begin(Context(topic=TOPIC, idf=idf.none(), random=Random(1)))
    return made


def visit(link: Link, relevance: float, *links: Link, memory: bytes | None = None) -> Visit:
    return Visit(link, Page(link.url, links=links), relevance, relevance > 0.3, 1, memory)


def test_before_the_first_lesson_it_is_best_first() -> None:
    link = Link("http://a.example/", anchor="dengue fever", context="see dengue fever here")
    context = 2 / (2**0.5 * 3**0.5)  # see, dengue, fever; "here" is a stop word
    (ranked,) = begun().rank(visit(Link("http://seed/", kind="seed"), 0.25, link))
    assert ranked.priority == pytest.approx(1 / (1 + exp(-(-2 + 2 * 0.25 + 2 * 1 + 1 * context))))


def test_learns_which_words_and_urls_lead_to_good_pages() -> None:
    strategy = begun()
    for _ in range(30):
        strategy.learn(visit(GOOD, 0.9))
        strategy.learn(visit(BAD, 0.0))
    unseen = (
        Link("http://b.example/x", anchor="outbreak"),
        Link("http://b.example/y", anchor="basket"),
        Link("http://b.example/wiki/", anchor="nothing"),
        Link("http://b.example/shop/", anchor="nothing"),
    )
    anchor, other_anchor, url, other_url = (
        one.priority for one in strategy.rank(visit(Link("http://seed/"), 0.5, *unseen))
    )
    assert anchor > other_anchor
    assert url > other_url


def test_a_dead_link_teaches_only_its_url() -> None:
    strategy = begun()
    probes = [Link("http://b.test/x", anchor="outbreak"), Link("http://a.example/wiki/x", anchor="nothing")]
    before = strategy.rescore(probes)
    strategy.missed(GOOD)
    after = strategy.rescore(probes)
    assert after[0] == before[0]
    assert after[1] < before[1]


def test_the_relevance_of_the_page_travels_with_the_link() -> None:
    """By memory on the way to the page (a redirect changes the source), by the table when links are rescored."""
    strategy = begun()
    page = visit(Link("http://a.example/", kind="seed"), 0.75, GOOD)
    strategy.learn(page)
    (ranked,) = strategy.rank(page)
    assert strategy.rescore([GOOD]) == [ranked.priority]
    stranger = Link(GOOD.url, source="http://unknown.example/", anchor=GOOD.anchor, context=GOOD.context)
    assert strategy.rescore([stranger]) == [ranked.priority], "the mean so far is that of the one page"
    strategy.learn(visit(Link("http://c.example/", kind="seed"), 0.0))
    assert strategy.rescore([stranger])[0] < strategy.rescore([GOOD])[0]
    told, untold = begun(), begun()
    told.learn(visit(stranger, 1.0, memory=ranked.memory))
    untold.learn(visit(stranger, 1.0))
    assert told.model_.weights[1] > untold.model_.weights[1] == 2.0


@pytest.mark.parametrize("params", [{"rate": 0}, {"bits": 4}, {"bits": 40}, {"rescore_every": 0}])
def test_bad_parameters(params: dict[str, float]) -> None:
    with pytest.raises(registry.ConfigError, match=next(iter(params))):
        registry.strategy.build("apprentice", params)


def test_lessons_teach_before_the_crawl() -> None:
    """Links to targets against links elsewhere; what was learned is copied, so that a crawl does not change it."""
    hub = Page("http://a.example/", links=(GOOD, BAD))
    lessons = Lessons((hub, Page(GOOD.url), Page(BAD.url)), ((0, 1), (0, 2)) * 5, (1, 0, -1))
    context = Context(topic=TOPIC, idf=idf.none(), random=Random(1), lessons=lessons)
    made: Apprentice = registry.strategy.build("apprentice")
    made.train(context)
    assert made.taught_ is not None
    before = made.taught_.copy()
    made.begin(context)
    better, worse = made.rank(visit(Link("http://new.example/"), 0.0, GOOD, BAD))
    assert better.priority > worse.priority
    made.learn(visit(GOOD, 0.0))
    assert (made.taught_ == before).all()
