"""What every strategy has to do, whatever it believes. One function is one duty; `CHECKS` lists them.

A check takes a factory: a strategy is built anew, and begun on a context, as often as the check likes. A strategy that
learns ahead of the crawl is trained first, on the lessons of the context. One that cannot work on a context (no
examples, no lessons) may refuse in `begin` with a `ConfigError`, and `begun` then says None.
To run a strategy of your own through them:

    @pytest.mark.parametrize("check", CHECKS)
    def test_mine(check, monkeypatch):
        check(MyStrategy, monkeypatch)
"""

from __future__ import annotations

import builtins
import copy
import dataclasses
import inspect
import math
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest

from scenthound.cluster.experience_format import packed as packed_experiences
from scenthound.cluster.experience_format import told
from scenthound.cluster.experience_format import unpacked as unpacked_experiences
from scenthound.errors import ConfigError
from scenthound.library.snapshot_format import PackedSnapshot, unpacked
from scenthound.model import Block, Keyword, Lessons, Link, MergeRule, Page, Ranked, Topic, Visit
from scenthound.protocols.crawl import (
    STRATEGY_HOOKS,
    Begins,
    Context,
    HearsMisses,
    HearsMoves,
    HearsRefusals,
    Learns,
    NotesLinks,
    Rescores,
    Restores,
    SharesExperience,
    Snapshots,
    Strategy,
    TakesExperience,
    Trains,
)
from scenthound.protocols.hooks import hook, misfits
from scenthound.text import idf
from scenthound.text.analysis import analyzer

Factory = Callable[[], Any]

TOPIC = Topic("dengue", (Keyword("dengue fever", 0.6), Keyword("mosquito", 0.4)))
ABOUT = "Dengue fever is carried by mosquitoes. The mosquito bites by day, and the fever comes within a week. "
OTHER = "The museum opens at nine. Tickets for the exhibition of paintings are sold at the entrance hall. "
FOREIGN = "Денге передаётся комарами. 登革热由蚊子传播。 ไข้เลือดออก \u202bحمى الضنك\u202c \x00 \ud83e\udd9f "


def make_page(number: int, text: str = ABOUT, links: int = 5, language: str = "en") -> Page:
    url = f"http://host{number % 7}.example/page{number}"
    anchors = ("dengue fever", "museum", "", "mosquito nets", "home")
    return Page(
        url=url,
        title=f"Page {number}",
        text=text,
        terms=analyzer(language).counts(f"Page {number} {text}"),
        headings=("Heading",),
        blocks=(Block("", 0, ""), Block("Heading", 1, f"Heading {text}")),
        links=tuple(
            Link(
                url=f"http://host{i % 5}.example/{number}/{i}",
                source=url,
                anchor=anchors[i % 5],
                title="a mosquito" if i % 5 == 2 else "",
                context=f"see {anchors[i % 5]} here",
                block=1,
                position=i,
            )
            for i in range(links)
        ),
        language=language,
    )


def make_visit(page: Page, depth: int = 1, relevance: float = 0.5, memory: bytes | None = None) -> Visit:
    link = Link(url=page.url, source="http://host0.example/", anchor="dengue")
    return Visit(link, page, relevance, relevance >= 0.3, depth, memory)


def make_context(examples: bool = True, topic: Topic = TOPIC) -> Context:
    return Context(
        topic=topic,
        idf=idf.background(topic.language),
        random=Random(7),
        examples=tuple(make_page(100 + i) for i in range(3)) if examples else (),
        counterexamples=tuple(make_page(200 + i, OTHER) for i in range(3)) if examples else (),
        lessons=make_lessons() if examples else None,
    )


def make_lessons() -> Lessons:
    """A web of nine pages: museums link to museums, the last of them to one about dengue, and that to another."""
    urls = [f"http://host{i % 3}.example/lesson{i}" for i in range(9)]
    edges = ((0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6), (6, 0), (7, 0), (6, 8))
    pages = []
    for number, url in enumerate(urls):
        page = make_page(300 + number, ABOUT if number in (4, 6) else OTHER)
        anchors = {target: "dengue" if target in (4, 6) else "museum" for source, target in edges if source == number}
        links = tuple(Link(urls[target], url, anchor, context=f"see {anchor}") for target, anchor in anchors.items())
        pages.append(msgspec.structs.replace(page, url=url, links=links))
    return Lessons(
        pages=tuple(pages),
        edges=edges,
        states=(3, 2, 2, 1, 0, 1, 0, 4, -1),
        sequences=((0, 1, 3, 4), (7, 0, 2, 3, 5, 6), (4, 6), (3, 4, 6), (0, 2, 3, 4)),
    )


def begun(factory: Factory, context: Context | None = None) -> Any:
    """A strategy ready for its first visit; None if it refuses the context and says what to do about it."""
    strategy, context = factory(), context or make_context()
    refusal = ""
    try:
        if (pupil := hook(strategy, Trains)) is not None and context.lessons is not None:
            pupil.train(context)
        if (beginner := hook(strategy, Begins)) is not None:
            beginner.begin(context)
    except ConfigError as error:
        refusal = str(error)
    assert not refusal or len(refusal) > 30, "a refusal says what the next step is"
    return None if refusal else strategy


def go(strategy: Any, visit: Visit) -> Sequence[Ranked]:
    """One step as the engine makes it: learn, then rank. What comes back is checked every time."""
    if (learner := hook(strategy, Learns)) is not None:
        learner.learn(visit)
    ranked = strategy.rank(visit)
    known = set(visit.page.links)
    assert all(isinstance(one, Ranked) for one in ranked)
    assert all(one.link in known for one in ranked), "a strategy ranks the links of the page and invents none"
    assert len({id(one.link) for one in ranked}) == len(ranked), "a link is ranked once"
    assert all(type(one.priority) is float and math.isfinite(one.priority) for one in ranked)
    assert all(one.memory is None or type(one.memory) is bytes for one in ranked)
    return ranked


def crawl(strategy: Any, steps: int, memories: dict[str, bytes | None] | None = None, start: int = 0) -> list[Any]:
    """Some steps of a made-up crawl; memories travel with their links, as in the frontier."""
    memories = {} if memories is None else memories
    log = []
    for number in range(start, start + steps):
        page = make_page(number, ABOUT if number % 3 else OTHER)
        memory = next((memories[url] for url in sorted(memories)), None)
        ranked = go(strategy, make_visit(page, depth=number, relevance=0.6 if number % 3 else 0.05, memory=memory))
        memories.update((one.link.url, one.memory) for one in ranked)
        log += [(one.link.url, one.priority, one.memory) for one in ranked]
    return log


def check_ranks_links(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = begun(factory)
    assert strategy is not None, "a context with keywords, examples and counterexamples is enough for every strategy"
    assert len(crawl(strategy, 12)) > 0


def check_same_seed_same_order(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    assert crawl(begun(factory), 20) == crawl(begun(factory), 20)


def check_empty_page(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = begun(factory)
    assert list(go(strategy, make_visit(Page(url="http://empty.example/")))) == []
    go(strategy, make_visit(msgspec.structs.replace(make_page(1), text="", terms={}, blocks=(), headings=())))
    go(strategy, Visit(Link("http://seed.example/", kind="seed"), make_page(2), 0.0, False, 0))


def check_many_links(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    page = make_page(1, ABOUT * 50, links=5000)
    assert len(go(begun(factory), make_visit(page))) <= 5000


def check_repeated_links(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    page = make_page(1)
    go(begun(factory), make_visit(msgspec.structs.replace(page, links=tuple(map(copy.copy, page.links * 2)))))


def check_foreign_languages(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = begun(factory)
    for language in ("ru", "zh", "th", "ar", "tlh", ""):
        page = make_page(3, FOREIGN, language=language)
        links = tuple(msgspec.structs.replace(link, anchor=FOREIGN, context=FOREIGN * 3) for link in page.links)
        go(strategy, make_visit(msgspec.structs.replace(page, links=links)))
    german = Topic("Fieber", (Keyword("Fieber", 1.0),), language="de")
    if (strategy := begun(factory, make_context(topic=german))) is not None:
        crawl(strategy, 3)


def check_little_ground(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    for context in (make_context(examples=False), make_context(topic=Topic("")), make_context(False, Topic(""))):
        if (strategy := begun(factory, context)) is not None:
            crawl(strategy, 5)


def check_parameters_and_what_is_learned(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = factory()
    assert dataclasses.is_dataclass(strategy), "a strategy is a dataclass"
    fields = dataclasses.fields(strategy)
    for field in fields:
        assert field.init != field.name.endswith("_"), f"{field.name}: parameters only, or learned and ending in _"
        assert not field.init or field.default is not dataclasses.MISSING or callable(field.default_factory)
    names = {field.name for field in fields}
    parameters = {field.name: copy.deepcopy(getattr(strategy, field.name)) for field in fields if field.init}
    strategy = begun(lambda: strategy)
    crawl(strategy, 3)
    assert set(vars(strategy)) <= names, "what is learned is a field too, so that it can be saved"
    assert {name: getattr(strategy, name) for name in parameters} == parameters, "parameters are not written to"


def check_hooks(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(misfits(factory(), Strategy, STRATEGY_HOOKS)) == []


def check_docstring(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    doc = inspect.cleandoc(type(factory()).__doc__ or "")
    assert "elieves" in doc, "says what it believes about the web"
    assert any(line.startswith("    ") and "=" in line for line in doc.splitlines()), "gives its formula, indented"
    sources = ("Batsakis", "Liu", "Mali", "Ester", "Aastha", "Source:")
    assert any(source in doc for source in sources), "names its source"


def check_the_visit_is_left_alone(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    visit = make_visit(make_page(1))
    before = msgspec.to_builtins(visit)
    go(begun(factory), visit)
    assert msgspec.to_builtins(visit) == before


def check_no_files_and_no_network(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object, **kwargs: object) -> None:
        raise AssertionError(f"a strategy does no I/O: {args}")

    strategy = begun(factory)
    crawl(strategy, 1)  # what is imported or read late is read here
    with monkeypatch.context() as patch:
        for owner, name in ((builtins, "open"), (Path, "open"), (socket, "socket"), (socket, "create_connection")):
            patch.setattr(owner, name, refused)
        crawl(strategy, 5, start=1)


def check_restart(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process died: a new strategy gets links back with the memory the old one gave them."""
    memories: dict[str, bytes | None] = {}
    crawl(begun(factory), 6, memories)
    assert crawl(begun(factory), 6, memories, start=6)


def check_snapshots(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that learns can be stopped anywhere: what it ranks from there on is what it would have ranked."""
    strategy = begun(factory)
    if hook(strategy, Learns) is None and hook(strategy, HearsMisses) is None:
        return
    assert hook(strategy, Snapshots) is not None, "a strategy that learns has snapshots"
    assert hook(strategy, Restores) is not None, "snapshots are of use to one who can restore"
    for stop in (0, 1, 7, 23):
        memories: dict[str, bytes | None] = {}
        stopped, other = begun(factory), begun(factory)
        _crawl_with_misses(stopped, 0, stop, memories)
        packed = PackedSnapshot(stopped.snapshot())
        pieces = dict(packed.pieces(()))
        expected = _crawl_with_misses(stopped, stop, 60, dict(memories))
        other.restore(unpacked(packed.manifest, pieces.__getitem__))
        assert _crawl_with_misses(other, stop, 60, dict(memories)) == expected, f"stopped after {stop} pages"


def check_reliving(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crawl that goes on lets it relive visits: it ranks as if it had lived them, whatever it was asked meanwhile."""
    lived, relived = begun(factory), begun(factory)
    if hook(lived, Learns) is None:
        return
    waiting = [Ranked(Link(url="http://host0.example/", kind="seed"), 1.0)]
    for number in range(130):
        if not waiting:  # a published form may give links up
            return
        next_one = waiting.pop(number * number % len(waiting))
        text, links = ABOUT if number % 3 else OTHER, 0 if number % 6 == 5 else 5
        page = msgspec.structs.replace(make_page(number, text, links), url=next_one.link.url)
        relevance = 0.6 - number % 7 / 20 if number % 3 else 0.05
        visit = Visit(next_one.link, page, relevance, bool(number % 3), number, next_one.memory)
        relived.learn(visit)
        if number % 10 == 9:  # one of these is the last
            assert _ranked(go(lived, visit)) == _ranked(relived.rank(visit)), f"after {number} pages"
            continue
        ranked = go(lived, visit)
        if (noter := hook(relived, NotesLinks)) is not None:
            noter.note(visit)
        if number % 4 and (rescorer := hook(lived, Rescores)) is not None:
            rescorer.rescore([one.link for one in waiting])
        waiting += ranked


def check_experience(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever takes in what another says it learned, in its order, ranks as that one does, which saw every page."""
    seer, hearer, second = begun(factory), begun(factory), begun(factory)
    if hook(seer, SharesExperience) is None:
        return
    assert hook(hearer, TakesExperience) is not None, "what is said is of use to one who can take it in"
    waiting = [Ranked(Link(url="http://start.example/", kind="seed"), 1.0)]
    for number in range(60):
        next_one = waiting.pop(number * number % len(waiting))
        page = msgspec.structs.replace(make_page(number, ABOUT if number % 3 else OTHER), url=next_one.link.url)
        links = [
            msgspec.structs.replace(each, url=f"http://far{number}-{n}.example/") for n, each in enumerate(page.links)
        ]
        page = msgspec.structs.replace(page, links=tuple(links))
        visit = Visit(next_one.link, page, 0.6 - number % 7 / 20, bool(number % 3), number % 4, next_one.memory)
        if number == 59:
            break
        waiting += go(seer, visit)
        _tell(seer, hearer, second)
        if number % 5 == 4 and (missing := hook(seer, HearsMisses)) is not None:
            missing.missed(waiting.pop().link)
            _tell(seer, hearer, second)
        if number % 5 == 3 and (follower := hook(seer, HearsMoves)) is not None:
            one = waiting.pop()
            target = msgspec.structs.replace(one.link, url=f"{one.link.url}moved", kind="redirect")
            follower.moved(one.link, target.url)
            waiting.append(msgspec.structs.replace(one, link=target))
            _tell(seer, hearer, second)
        if number % 5 == 2 and (refuser := hook(seer, HearsRefusals)) is not None:
            refuser.refused(waiting.pop().link, True)
            _tell(seer, hearer, second)
    assert _ranked(go(hearer, visit)) == _ranked(go(second, visit)) == _ranked(go(seer, visit))


def _tell(seer: Any, *hearers: Any) -> None:
    experience = seer.experience()
    assert seer.experience() is None, "it is told once"
    if experience is not None:
        for hearer in hearers:
            [sent] = unpacked_experiences(packed_experiences([told("strategy", experience)]))
            hearer.take_experience(sent.snapshot(), "seer")
            assert hearer.experience() is None, "what was heard is not told on"


def _ranked(found: Sequence[Ranked]) -> list[tuple[str, float, bytes | None]]:
    return [(one.link.url, one.priority, one.memory) for one in found]


def check_a_snapshot_holds_still(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is packed while the crawl goes on."""
    strategy = begun(factory)
    if hook(strategy, Snapshots) is None:
        return
    _crawl_with_misses(strategy, 0, 7, {})
    snapshot = strategy.snapshot()
    before = PackedSnapshot(snapshot)
    _crawl_with_misses(strategy, 7, 30, {})
    after = PackedSnapshot(snapshot)
    assert (after.manifest, after.digests) == (before.manifest, before.digests)


def check_a_strange_snapshot_is_refused(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = begun(factory)
    if hook(strategy, Restores) is not None:
        with pytest.raises((ValueError, LookupError)):
            strategy.restore(msgspec.structs.replace(strategy.snapshot(), version=-1))


def _crawl_with_misses(strategy: Any, first: int, last: int, memories: dict[str, bytes | None]) -> list[Any]:
    """Some steps in which now and then a link brings no page, and the links that wait are scored again."""
    log: list[Any] = []
    for number in range(first, last):
        log += crawl(strategy, 1, memories, start=number)
        links = make_page(number).links
        if number % 5 == 4 and (hearer := hook(strategy, HearsMisses)) is not None:
            hearer.missed(links[0])
        if number % 5 == 3 and (follower := hook(strategy, HearsMoves)) is not None:
            follower.moved(links[1], f"{links[1].url}moved")
        if number % 5 == 2 and (refuser := hook(strategy, HearsRefusals)) is not None:
            refuser.refused(links[1], number % 2 == 0)
        if (rescorer := hook(strategy, Rescores)) is not None:
            log.append(list(rescorer.rescore(links)))
    return log


def check_without_memory(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another strategy ranked the link, or an older version of this one: its memory is missing, or strange."""
    strategy = begun(factory)
    for memory in (None, b"", b"\x00", b"\xff" * 100, b'{"json": 1}'):
        go(strategy, make_visit(make_page(1), memory=memory))


def check_optional_parts(factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = begun(factory)
    crawl(strategy, 4)
    assert getattr(strategy, "merge", "max") in get_args(MergeRule)
    batch = getattr(strategy, "batch", 1)
    assert isinstance(batch, int)
    assert batch >= 1
    if (rescorer := hook(strategy, Rescores)) is not None:
        links = make_page(2).links
        priorities = list(rescorer.rescore(links))
        assert len(priorities) == len(links)
        assert all(type(priority) is float and math.isfinite(priority) for priority in priorities)
        assert list(rescorer.rescore(())) == []


CHECKS = [check for name, check in sorted(globals().items()) if name.startswith("check_")]
