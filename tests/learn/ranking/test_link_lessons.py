"""What lessons teach of the words of links."""

from __future__ import annotations

from scenthound.learn.ranking.link_lessons import taught_links
from scenthound.learn.ranking.link_model import LinkModel
from scenthound.learn.ranking.link_texts import LinkReader
from scenthound.model import Lessons, Link, Page


def page(name: str, **links: str) -> Page:
    url = f"http://a.test/{name}"
    return Page(url=url, links=tuple(Link(f"http://a.test/{to}", url, anchor) for to, anchor in links.items()))


def test_links_to_targets_are_worth_most_then_those_that_lead_on() -> None:
    pages = (page("home", list="students", news="weather"), page("list", ada="graduate"), page("ada"), page("news"))
    lessons = Lessons(pages * 1, ((0, 1), (0, 3), (1, 2)), states=(2, 1, 0, -1))
    model = LinkModel(taught_links(lessons, "en"))
    shown = [Link("http://b.test/", "", anchor) for anchor in ("graduate", "students", "weather")]
    target, leads_on, elsewhere = model(LinkReader("en")(shown).rows(range(3))).tolist()
    assert target > leads_on > elsewhere
