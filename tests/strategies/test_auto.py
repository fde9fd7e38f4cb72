"""The order that is learned: what it begins with, what it learns, and that it does without a judge that imagines."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.learn.ranking.waiting_features import PRIOR
from scenthound.model import Block, Keyword, Lessons, Link, Page, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.strategies.auto import FAMILIAR, LearnedOrder
from scenthound.text import idf
from scenthound.urls import fingerprint

TOPIC = Topic("x", (Keyword("graduate", 0.5), Keyword("student", 0.5)))
SEED = Link("http://a.test/", kind="seed")


def begun(topic: Topic = TOPIC) -> LearnedOrder:
    made: LearnedOrder = registry.strategy.build("auto", {})
    made.begin(Context(topic=topic, idf=idf.none(), random=Random(1)))
    return made


def link(name: str, anchor: str = "", block: int = 0, source: str = "http://a.test/") -> Link:
    return Link(f"http://a.test/{name}", source=source, anchor=anchor, context=anchor, block=block)


def visit(here: Link, relevance: float, *links: Link, title: str = "", blocks: tuple[Block, ...] = ()) -> Visit:
    return Visit(here, Page(here.url, title=title, links=links, blocks=blocks), relevance, relevance > 0.5, 1)


def ranked(strategy: LearnedOrder, seen: Visit) -> dict[str, float]:
    strategy.learn(seen)
    return {each.link.url.rpartition("/")[2]: each.priority for each in strategy.rank(seen)}


def test_at_first_keywords_in_the_anchor_lead() -> None:
    links = [link("one", "graduate students"), link("two", "news"), link("three", "events"), link("four", "students")]
    found = ranked(begun(), visit(SEED, 0.1, *links))
    assert found["one"] > found["four"] > found["two"] == pytest.approx(found["three"])


def test_a_feature_can_be_left_out() -> None:
    links = [link("one", "graduate students"), link("two", "news"), link("three", "events")]
    strategy = LearnedOrder(without="anchor + context")
    strategy.begin(Context(topic=TOPIC, idf=idf.none(), random=Random(1)))
    assert len(set(ranked(strategy, visit(SEED, 0.1, *links)).values())) == 1
    with pytest.raises(ValueError, match="'anchors' is none of anchor, context"):
        LearnedOrder(without="anchors")


def test_a_name_in_a_list_inherits_what_the_list_is_about() -> None:
    names = [link(name, name.title(), 1) for name in ("ada", "grace", "alan")]
    news = [link("paper", "paper", 0)]
    blocks = (
        Block("", 0, "a long text about what else there is to know here with one link to a paper in it"),
        Block("Graduate Students", 2, "Graduate Students Ada Grace Alan"),
    )
    found = ranked(begun(), visit(SEED, 0.1, *names, *news, title="Graduate Students", blocks=blocks))
    assert min(found[name] for name in ("ada", "grace", "alan")) > found["paper"]


def test_what_other_links_of_a_list_led_to_counts() -> None:
    strategy = begun()
    good = [link(f"good{n}", f"x{n}", 0) for n in range(4)]
    poor = [link(f"poor{n}", f"y{n}", 1) for n in range(4)]
    blocks = (Block("A", 2, "x0 x1 x2 x3"), Block("B", 2, "y0 y1 y2 y3"))
    before = ranked(strategy, visit(SEED, 0.1, *good, *poor, blocks=blocks))
    assert before["good3"] == pytest.approx(before["poor3"])
    for each, relevance in ((good[0], 1.0), (poor[0], 0.0), (good[1], 1.0), (poor[1], 0.0)):
        ranked(strategy, visit(each, relevance))
    good3, poor3 = strategy.rescore([good[3], poor[3]])
    assert good3 > poor3
    words, part = strategy.why(good[3])[0]
    assert words == "2 of 2 links followed from the list it stands in were relevant"
    assert 0 < part < good3 - poor3
    assert strategy.why(link("never seen")) == []


def test_a_link_that_many_pages_have_keeps_its_place_and_its_pages_count() -> None:
    strategy, menu = begun(), link("menu", "menu")
    for number in range(FAMILIAR):
        assert "menu" in ranked(strategy, visit(link(f"p{number}"), 0.0, menu))
    for number in range(FAMILIAR):
        assert list(ranked(strategy, visit(link(f"q{number}"), 1.0, menu, link(f"new{number}")))) == [f"new{number}"]
    row = strategy.evidence_.row(fingerprint(menu.url))
    assert strategy.evidence_.parents[row].tolist() == [FAMILIAR, 2 * FAMILIAR], "sum of relevance, and number"


def test_the_weights_follow_what_leads_here() -> None:
    """On this web anchors with keywords lead nowhere, and pages found from relevant ones are relevant."""
    strategy, random = begun(), Random(3)
    for number in range(20):  # what else waits
        others = [link(f"w{number}/{k}", "graduate" if k else "page") for k in range(2)]
        strategy.rank(visit(link(f"w{number}"), number % 2, *others))
    for number in range(60):
        source, relevance = link(f"p{number}", source=""), random.choice([0.0, 1.0])
        onward = [link(f"p{number}/{k}", "graduate student" if k else "page", source=source.url) for k in range(2)]
        strategy.rank(visit(source, relevance, *onward))
        for each in onward:
            strategy.learn(visit(each, relevance))
    weights = dict(zip(PRIOR, strategy.weights_(), strict=True))
    assert weights["parents"] > 2 * PRIOR["parents"]
    assert weights["anchor"] <= PRIOR["anchor"]


def test_a_start_site_of_which_little_was_seen_comes_first() -> None:
    strategy, other = begun(), Link("http://b.test/", kind="seed")
    here, there = link("more"), Link("http://b.test/more", source=other.url)
    ranked(strategy, visit(SEED, 0.1, here, link("news", "news")))
    ranked(strategy, visit(other, 0.1, there))
    of_here, of_there = strategy.rescore([here, there])
    for number in range(9):
        strategy.learn(visit(link(f"p{number}"), 0.1))
    later, of_there_later = strategy.rescore([here, there])
    assert of_there_later - later > of_there - of_here == 0


def test_a_site_that_nobody_named_has_no_such_claim() -> None:
    strategy = begun()
    here, there = link("more"), Link("http://b.test/more", source=SEED.url)
    ranked(strategy, visit(SEED, 0.1, here, there, link("news", "news")))
    for number in range(9):
        strategy.learn(visit(link(f"p{number}"), 0.1))
    of_here, of_there = strategy.rescore([here, there])
    assert of_here == of_there


def test_lessons_teach_which_words_of_links_lead_to_relevant_pages() -> None:
    names = [link(f"n{n}", f"person {n}") for n in range(3)]
    pages = [
        Page(SEED.url, links=(link("staff", "timetable"), link("news", "weather"))),
        Page("http://a.test/staff", links=tuple(names)),
        Page("http://a.test/news"),
        *(Page(each.url) for each in names),
    ]
    edges = ((0, 1), (0, 2), (1, 3), (1, 4), (1, 5))
    context = Context(topic=TOPIC, idf=idf.none(), random=Random(1))
    taught = LearnedOrder()
    taught.train(replace(context, lessons=Lessons(tuple(pages), edges, (2, 1, -1, 0, 0, 0))))
    taught.begin(context)
    elsewhere = [
        Link(f"http://b.test/{n}", source=SEED.url, anchor=text) for n, text in enumerate(["timetable", "weather"])
    ]
    timetable, weather = ranked(taught, visit(SEED, 0.1, *elsewhere)).values()
    assert timetable > weather
    timetable, weather = ranked(begun(), visit(SEED, 0.1, *elsewhere)).values()
    assert timetable == weather


def test_a_link_that_redirects_is_a_lesson_once_its_target_brings_a_page() -> None:
    strategy, old, new = begun(), link("old", "graduate students"), "http://a.test/new"
    ranked(strategy, visit(SEED, 0.1, old, link("other", "news")))
    before, known = strategy.rescore([old]), strategy.why(old)
    strategy.moved(old, new)
    target = replace(old, url=new, source=old.url, kind="redirect")
    assert strategy.why(old) == []
    assert strategy.why(target) == known
    assert strategy.rescore([target]) == before
    assert len(strategy.evidence_) == 2, "it stands in the place of the link"
    strategy.learn(visit(target, 1.0))
    assert len(strategy.evidence_) == 1
    assert strategy.weights_.number == 1, "what the link said was a lesson"
    assert "old" not in ranked(strategy, visit(link("later"), 0.1, old, link("third")))
    assert len(strategy.evidence_) == 2


def test_the_target_of_a_redirect_counts_as_of_its_own_site() -> None:
    strategy, other = begun(), Link("http://b.test/", kind="seed")
    old, here = link("old"), link("here")
    ranked(strategy, visit(SEED, 0.1, old, here, link("news", "news")))
    ranked(strategy, visit(other, 0.1))
    strategy.moved(old, "http://b.test/new")
    for number in range(9):
        strategy.learn(visit(link(f"p{number}"), 0.1))
    there, stays = strategy.rescore([Link("http://b.test/new", source=old.url), here])
    assert there > stays, "little was seen of it"


@pytest.mark.parametrize("target", ["known", "done", "old"])
def test_a_link_that_redirects_to_what_is_known_only_goes(target: str) -> None:
    strategy, old = begun(), link("old", "graduate students")
    ranked(strategy, visit(SEED, 0.1, old, link("known", "news"), link("done")))
    strategy.learn(visit(link("done"), 0.1))
    known = strategy.why(link("known"))
    strategy.moved(old, f"http://a.test/{target}")
    assert len(strategy.evidence_) == 1
    assert strategy.why(link("known")) == known
    assert ranked(strategy, visit(link("later"), 0.1, old)) == {}


@pytest.mark.parametrize("for_good", [True, False])
def test_a_link_that_was_refused_waits_no_more(for_good: bool) -> None:
    strategy, shut = begun(), link("shut", "graduate students")
    ranked(strategy, visit(SEED, 0.1, shut, link("other", "news")))
    strategy.refused(shut, for_good)
    assert len(strategy.evidence_) == 1
    found = ranked(strategy, visit(link("later"), 0.1, shut))
    assert list(found) == ([] if for_good else ["shut"]), "what may come back does so when it is found again"


def test_others_hear_of_links_that_moved_or_were_refused() -> None:
    strategy, hearer = begun(), begun()
    far = [Link(f"http://c.test/{name}", source=SEED.url) for name in ("old", "shut", "lost")]
    ranked(strategy, visit(SEED, 0.1, *far))

    def waits_with_the_other(url: str) -> bool:
        if (told := strategy.experience()) is not None:
            hearer.take_experience(told, "teller")
        return hearer.evidence_.row(fingerprint(url)) is not None

    old, shut, lost = (each.url for each in far)
    assert all(map(waits_with_the_other, (old, shut, lost)))
    strategy.moved(far[0], "http://b.test/new")
    assert waits_with_the_other("http://b.test/new")
    assert not waits_with_the_other(old)
    strategy.refused(far[1], True)
    assert not waits_with_the_other(shut)
    strategy.refused(far[2], False)
    assert waits_with_the_other(lost), "it is told when it is found again"


def test_asking_again_changes_nothing() -> None:
    strategy = begun()
    links = [link("one", "graduate student"), link("two", "news")]
    ranked(strategy, visit(SEED, 0.1, *links))
    asked = [*links, link("never seen", "student")]
    assert strategy.rescore(asked) == strategy.rescore(asked)
    assert len(strategy.evidence_) == 2


def test_a_link_whose_evidence_was_forgotten_is_scored_by_itself() -> None:
    strategy = begun()
    ranked(strategy, visit(SEED, 0.1, link("one", "graduate student"), link("two", "news")))
    unknown = [link("three", "graduate student"), link("four", "news")]
    three, four = strategy.rescore(unknown)
    assert three > four
    assert strategy.rescore([]) == []


def test_a_new_topic_leaves_what_was_learned() -> None:
    strategy = begun()
    ranked(strategy, visit(SEED, 0.1, link("one", "graduate student")))
    strategy.learn(visit(link("one", "graduate student"), 1.0))
    strategy.retopic(Context(topic=Topic("y", (Keyword("syllabus", 1.0),)), idf=idf.none(), random=Random(1)))
    assert strategy.weights_.number == 1
    found = ranked(strategy, visit(SEED, 0.1, link("five", "syllabus"), link("six", "graduate"), link("seven", "tea")))
    assert found["five"] > max(found["six"], found["seven"])


def test_a_page_without_links_and_a_topic_without_words() -> None:
    assert begun().rank(visit(SEED, 0.5)) == []
    with pytest.raises(ConfigError, match="needs to know the topic"):
        begun(Topic("x", ()))


def test_a_senseless_parameter_is_refused() -> None:
    with pytest.raises((ValueError, ConfigError), match="rescore_every"):
        registry.strategy.build("auto", {"rescore_every": 0})


def test_once_relevant_pages_are_rare_it_says_whether_a_link_is_new_ground_or_names_the_topic() -> None:
    strategy = begun()
    named, new = link("seen/1", "graduate students"), link("new/1", "weather")
    for number in range(20):
        ranked(strategy, visit(link(f"seen/good{number}"), 1.0))
    for number in range(60):
        ranked(strategy, visit(link(f"seen/bad{number}"), 0.0, *([named, new] if not number else [])))
    assert strategy.ground_.barren() > 0.5
    reasons = {each.url: [why for why, _ in strategy.why(each)] for each in (named, new)}
    assert "relevant pages have become rare, and its text names the topic" in reasons[named.url]
    followed = "no link was followed into sections called as its own"
    assert f"relevant pages have become rare, and {followed}" in reasons[new.url]
