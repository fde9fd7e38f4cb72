"""Steps of a crawl that never was."""

from scenthound.model import Link, Page, Step, Visit, Waiting


def lease(url: str = "http://a.test/", host: str = "a.test") -> Waiting:
    return Waiting(id=1, link=Link(url=url), host=host, priority=0.5, order=1)


def visited(relevance: float, url: str = "http://a.test/", *, duplicate_of: str = "", title: str = "A title") -> Step:
    visit = Visit(
        link=Link(url=url), page=Page(url=url, title=title), relevance=relevance, relevant=relevance >= 0.3, depth=1
    )
    return Step(lease=lease(url), state="fetched", at=1.0, visit=visit, duplicate_of=duplicate_of)
