"""Links are sorted by what scope, traps and the page say; what was said before is said again only where it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.config import Config, PolitenessSection
from scenthound.crawler import link_filter as module
from scenthound.crawler.link_filter import FRAME_HOPS, LinkFilter
from scenthound.crawler.traps import Traps
from scenthound.model import Link, Page
from scenthound.scope.scope import Scope

HERE = "http://a.example/here"


def link_filter(allow: str = "", deny: str = "", depth: int = 0, traps: Traps | None = None) -> LinkFilter:
    return LinkFilter(Config(), Scope(allow, deny, depth), traps)


def page(*links: Link, language: str = "en", nofollow: bool = False) -> Page:
    return Page(url=HERE, links=links, language=language, nofollow=nofollow)


def urls_of(links: tuple[Link, ...]) -> list[str]:
    return [link.url for link in links]


def test_links_are_ranked_refused_or_stand_for_the_page() -> None:
    links = (
        Link("http://a.example/1"),
        Link("http://b.example/2"),
        Link("http://a.example/3", rel="nofollow ugc"),
        Link("http://a.example/4", kind="refresh"),
        Link("http://a.example/5", kind="frame"),
        Link("http://a.example/6", kind="feed"),
    )
    ranked, onward, refused = link_filter("site:a.example").sort(page(*links), 1, 0)
    assert urls_of(ranked) == ["http://a.example/1"]
    assert urls_of(onward) == ["http://a.example/4", "http://a.example/5"]
    assert [(one.link.url, one.reason) for one in refused] == [
        ("http://b.example/2", "scope: not in allow rule"),
        ("http://a.example/3", "nofollow"),
    ]


def test_frames_within_frames_end() -> None:
    frame = page(Link("http://a.example/5", kind="frame"))
    assert link_filter().sort(frame, 1, FRAME_HOPS).refused[0].reason == "frames within frames"


def test_a_page_that_wants_no_link_followed() -> None:
    assert link_filter().sort(page(Link("http://a.example/1"), nofollow=True), 1, 0) == ((), (), ())
    careless = LinkFilter(Config(politeness=PolitenessSection(nofollow=False)), Scope())
    assert len(careless.sort(page(Link("http://a.example/1"), nofollow=True), 1, 0).links) == 1


def test_depth_is_asked_anew_where_a_rule_speaks_of_it() -> None:
    for few in (link_filter(depth=2), link_filter("depth:<=2"), link_filter(deny="not depth:<3 and host:*")):
        link = Link("http://a.example/1")
        assert few.sort(page(link), 1, 0).links == (link,)
        assert few.sort(page(link), 3, 0).links == ()
        assert few.sort(page(link), 2, 0).links == (link,)


def test_the_language_of_the_page_is_asked_anew() -> None:
    german = link_filter("language:de")
    link = Link("http://a.example/1")
    assert german.sort(page(link, language="en"), 1, 0).links == ()
    assert german.sort(page(link, language="de"), 1, 0).links == (link,)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 5)
    follow = link_filter("not path:/7", depth=1000)
    for depth in range(20):
        links = [Link(f"http://a.example/{number}") for number in range(depth, depth + 9)]
        refused = [url for url in urls_of(tuple(links)) if url.endswith("/7")]
        assert [one.link.url for one in follow.sort(page(*links), depth, 0).refused] == refused
        assert len(follow._said) <= module.GROUPS
        assert all(len(answers) <= 5 for answers in follow._said.values())


def test_a_trap_found_later_closes_links_that_were_open() -> None:
    traps = Traps()
    follow = link_filter(traps=traps)
    link = Link("http://a.example/list?page=77")
    assert follow.sort(page(link), 1, 0).links == (link,)
    for number in range(200):
        traps.learn(f"http://a.example/list?page={number}", duplicate=True, relevant=False)
    assert follow.sort(page(link), 1, 0).refused[0].reason.startswith("trap: endless near-duplicates")


kinds = st.sampled_from(["a", "a", "a", "area", "frame", "refresh", "feed"])
links = st.builds(
    Link,
    url=st.sampled_from(
        [f"http://{host}.example/{name}" for host in "ab" for name in ("", "x", "x.pdf", "de/y", "2031/1")]
    ),
    rel=st.sampled_from(["", "", "nofollow", "next"]),
    kind=kinds,
)
visits = st.tuples(st.lists(links, max_size=8), st.integers(1, 4), st.sampled_from(["", "de", "en"]), st.booleans())


@given(
    st.lists(visits, max_size=8),
    st.sampled_from(["", "site:a.example", "depth:<=2 or host:b.example", "not (depth:>2 and language:de)"]),
    st.sampled_from(["", "path:/x", "language:de"]),
    st.sampled_from([0, 3]),
)
def test_remembering_changes_nothing(
    seen: list[tuple[list[Link], int, str, bool]], allow: str, deny: str, depth: int
) -> None:
    traps = Traps()
    mindful = link_filter(allow, deny, depth, traps)
    for found, hops_from_seed, language, duplicate in seen:
        visited = page(*found, language=language)
        forgetful = link_filter(allow, deny, depth, traps)
        assert mindful.sort(visited, hops_from_seed, 0) == forgetful.sort(visited, hops_from_seed, 0)
        for _ in range(30):
            traps.learn("http://a.example/x", duplicate=duplicate, relevant=False)
