"""One site while it is looked at: the order of its links, what counts as another site, when it is decided."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.model import Link, Page
from scenthound.sites.exploration import Exploration, pages_of, variance
from tests.sites.site_pages import page

ROOT = "https://a.test"


class Told:
    """A classifier whose answers are in the pages' titles."""

    p_err = 0.0

    def confidence(self, page: Page) -> float:
        return float(page.title)


def told(path: str, confidence: float, *links: str) -> Page:
    made = page(f"{ROOT}{path}", "", *(link if "://" in link else f"{ROOT}{link}" for link in links))
    return Page(url=made.url, title=str(confidence), links=made.links)


def exploration(**options: object) -> Exploration:
    return Exploration("a.test", Told(), **options)  # type: ignore[arg-type]


def next_path(site: Exploration) -> str | None:
    link = site.next_link()
    return link and link.url.removeprefix(ROOT)


def test_the_variance_of_two_classes() -> None:
    assert variance((0.9, 0.1)) == pytest.approx(0.16)
    assert variance((0.5, 0.5)) == 0.0
    assert variance((1.0, 0.0, 0.0)) == pytest.approx(2 / 9)


def test_it_begins_at_the_homepage() -> None:
    site = exploration()
    assert next_path(site) == "/"
    assert site.next_link() is None
    assert Exploration("a.test", Told(), start="http://a.test/en/").next_link() == Link(  # type: ignore[arg-type]
        "http://a.test/en/", kind="seed"
    )


def test_links_of_pages_that_speak_clearly_come_first_whichever_class_they_speak_for() -> None:
    site = exploration()
    site.visit(told("/", 0.5, "/vague", "/clear"))
    site.missed(Link(f"{ROOT}/vague"))
    site.visit(told("/clear", 0.1, "/from-clear"))
    site.visit(told("/mild", 0.7, "/from-mild"))
    assert [candidate.link.url.removeprefix(ROOT) for candidate in site.waiting()] == ["/from-clear", "/from-mild"]
    assert [candidate.rank for candidate in site.waiting()] == pytest.approx([0.16, 0.04])


def test_a_link_on_several_pages_has_the_mean_of_their_variances() -> None:
    site = exploration()
    site.visit(told("/", 0.5, "/x", "/x", "/y"))  # twice on one page counts once
    site.visit(told("/a", 1.0, "/x"))
    ranks = {candidate.link.url: candidate.rank for candidate in site.waiting()}
    assert ranks == pytest.approx({f"{ROOT}/x": 0.125, f"{ROOT}/y": 0.0})
    assert next_path(site) == "/x"
    assert next_path(site) == "/y"


def test_ties_go_by_order_of_discovery() -> None:
    site = exploration()
    site.next_link()
    site.visit(told("/", 0.5, "/c", "/a", "/b"))
    assert [next_path(site) for _ in range(3)] == ["/c", "/a", "/b"]


def test_what_was_visited_or_missed_does_not_wait_again() -> None:
    site = exploration()
    first = site.next_link()
    assert first is not None
    site.visit(told("/home", 0.6, "/", "/home", "/x"), asked=first.url)
    assert len(site) == 1
    link = site.next_link()
    assert link is not None
    site.missed(link)
    site.visit(told("/y", 0.6, "/x", "/", "/home"))
    assert len(site) == 0


def test_other_sites_are_noted_once_a_page_with_the_confidence_of_the_page() -> None:
    site = exploration()
    site.visit(told("/", 0.9, "https://b.test/1", "https://b.test/2", "https://c.test/", "https://b.test/big.pdf"))
    site.visit(told("/p", 0.5, "https://b.test/1"))
    assert [(c.link.url, c.confidence) for c in site.crossings["b.test"]] == [
        ("https://b.test/1", 0.9),
        ("https://b.test/2", 0.9),
        ("https://b.test/1", 0.5),
    ]
    assert set(site.crossings) == {"b.test", "c.test"}
    assert len(site) == 0


def test_folders_are_sites_of_their_own() -> None:
    site = Exploration("a.test/~jo", Told(), kind="folder")  # type: ignore[arg-type]
    site.visit(told("/~jo/", 0.9, "/~jo/x", "/~amy/", "/"))
    assert next_path(site) == "/~jo/x"
    assert set(site.crossings) == {"a.test/~amy", "a.test"}


def test_it_is_decided_by_pages_together() -> None:
    site = exploration(prior=0.5)
    site.visit(told("/", 0.5))
    assert not site.decided(0.7)
    site.visit(told("/a", 0.8))
    assert site.decided(0.7)
    assert not site.decided(0.9)
    site.visit(told("/b", 0.8))
    assert site.decided(0.9)
    assert site.relevant
    assert site.probability == pytest.approx(0.64 / 0.68)
    assert [seen.confidence for seen in site.strongest(2)] == [0.8, 0.8]


def test_the_strongest_pages_speak_for_the_verdict() -> None:
    site = exploration()
    for path, confidence in (("/a", 0.1), ("/b", 0.9), ("/c", 0.2)):
        site.visit(told(path, confidence))
    assert [seen.url for seen in site.strongest(2)] == [f"{ROOT}/a", f"{ROOT}/c"]


def test_a_trap_fills_no_memory() -> None:
    site = exploration()
    for start in range(0, 9_000, 1_000):
        site.visit(told(f"/p{start}", 0.9, *(f"/trap/{n}" for n in range(start, start + 1_000))))
    assert len(site) == 5_000


def test_feeds_and_files_are_no_pages() -> None:
    links = (Link(f"{ROOT}/feed", kind="feed"), Link(f"{ROOT}/a.zip"), Link(f"{ROOT}/b"), Link(f"{ROOT}/b"))
    assert [link.url for link in pages_of(links)] == [f"{ROOT}/b"]


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(0, 1), st.lists(st.sampled_from("abcdefgh"))), max_size=12)
)
def test_shown_the_same_pages_it_is_the_same_again(visits: list[tuple[str, float, list[str]]]) -> None:
    first, second = exploration(), exploration()
    for site in (first, second):
        for name, confidence, links in visits:
            site.visit(told(f"/{name}", confidence, *(f"/{link}" for link in links)))
    assert [c.link for c in first.waiting()] == [c.link for c in second.waiting()]
    assert first.probability == second.probability
    best = max((candidate.rank for candidate in first.waiting()), default=None)
    ranks = {candidate.link.url: candidate.rank for candidate in first.waiting()}
    link = first.next_link()
    assert (link is None) == (best is None)
    assert link is None or ranks[link.url] == best
