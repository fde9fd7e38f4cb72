"""Cross-validation of site classifiers on sites made by hand."""

from collections.abc import Mapping

import pytest

from scenthound.errors import ModelError
from scenthound.model import Link, Page
from scenthound.sites.cross_validation import (
    HOMEPAGE,
    CrossValidationSettings,
    LabelledSite,
    cross_validate,
    explore,
    first_pages,
    prior_of,
)
from scenthound.sites.site_crawl import halfway
from scenthound.text import idf
from tests.sites.site_pages import page, site

ROOT = "http://a.test"


class Told:
    """Says of a page what its title says."""

    p_err = 0.0

    def confidence(self, page: Page) -> float:
        return float(page.title)


def labelled(
    pages: Mapping[str, Page], relevant: bool = True, start: str = f"{ROOT}/", name: str = "a.test"
) -> LabelledSite:
    return LabelledSite(name, relevant, start, lambda link: pages.get(link.url))


def told(path: str, confidence: float, *links: str) -> Page:
    return Page(f"{ROOT}{path}", title=str(confidence), links=tuple(Link(f"{ROOT}{link}") for link in links))


def test_training_pages_are_the_first_breadth_first() -> None:
    pages = {
        f"{ROOT}/": page(f"{ROOT}/", "", f"{ROOT}/a", f"{ROOT}/b", "http://else.test/", f"{ROOT}/gone"),
        f"{ROOT}/a": page(f"{ROOT}/a", "", f"{ROOT}/deep", f"{ROOT}/"),
        f"{ROOT}/b": page(f"{ROOT}/b", "", f"{ROOT}/a"),
        f"{ROOT}/deep": page(f"{ROOT}/deep"),
        "http://else.test/": page("http://else.test/"),
    }
    found = [page.url.removeprefix(ROOT) for page in first_pages(labelled(pages))]
    assert found == ["/", "/a", "/b", "/deep"]
    assert len(first_pages(labelled(pages), 2)) == 2
    assert first_pages(labelled({})) == []


def test_each_threshold_has_the_verdict_of_its_own_stop() -> None:
    pages = {
        f"{ROOT}/": told("/", 0.5, "/1", "/2", "/3"),
        f"{ROOT}/1": told("/1", 0.76),
        f"{ROOT}/2": told("/2", 0.76),
        f"{ROOT}/3": told("/3", 0.01),
    }
    priors = {0.7: 0.5, 0.9: 0.5, 0.99: 0.5}
    found = explore(labelled(pages), Told(), CrossValidationSettings(), priors)  # type: ignore[arg-type]
    assert [(found[name].said, found[name].pages) for name in ("0.7", "0.9", "0.99")] == [
        (True, 2),  # 0.76
        (True, 3),  # 10 to 1
        (False, 4),  # 10 * 0.01 / 0.99 to 1, and nothing left to look at
    ]
    limited = explore(labelled(pages), Told(), CrossValidationSettings(site_pages=2), priors)  # type: ignore[arg-type]
    assert limited["0.99"].pages == 2
    assert limited["0.99"].said


def test_a_site_that_leads_elsewhere_or_nowhere_stays_undecided() -> None:
    elsewhere = {f"{ROOT}/": Page("http://else.test/", title="1.0")}
    verdict = explore(labelled(elsewhere), Told(), CrossValidationSettings(), {0.9: 0.25})["0.9"]  # type: ignore[arg-type]
    assert (verdict.pages, verdict.said, verdict.probability) == (0, False, pytest.approx(0.25))


def labelled_sites() -> list[LabelledSite]:
    made = []
    for theme in ("orchid", "rail", "bread"):
        for number in range(10):
            pages = {page.url: page for page in site(theme, number)}
            start = next(iter(pages))
            made.append(labelled(pages, theme == "orchid", start, start.removeprefix("http://").rstrip("/")))
    return made


def test_pages_tell_what_homepages_do_not() -> None:
    """All homepages but a few are empty: the website classifier is right nearly everywhere, at a few pages a site."""
    given = labelled_sites()
    for index in range(0, 30, 3):  # so that there is a word to learn from homepages
        look = given[index].look

        def with_words(link: Link, look=look, start=given[index].start) -> Page | None:  # type: ignore[no-untyped-def]
            found = look(link)
            inner = look(Link(start.rstrip("/") + "/1.html"))
            return Page(found.url, terms=inner.terms, links=found.links) if link.url == start else found

        given[index] = LabelledSite(given[index].site, given[index].relevant, given[index].start, with_words)
    found = cross_validate(given, CrossValidationSettings(clusters=2), idf=idf.none(), seed=1)
    assert set(found) == {HOMEPAGE, "0.7", "0.8", "0.9"}
    for verdicts in found.values():
        assert sorted(verdict.site for verdict in verdicts) == sorted(labelled.site for labelled in given)
    right = {name: sum(verdict.said == verdict.truth for verdict in verdicts) for name, verdicts in found.items()}
    assert right["0.9"] >= 29
    missed = [verdict for verdict in found[HOMEPAGE] if verdict.truth and not verdict.said]
    assert len(missed) >= 5
    assert all(verdict.pages < 6 for verdict in found["0.9"] if verdict.said)
    assert cross_validate(given, CrossValidationSettings(clusters=2), idf=idf.none(), seed=1) == found


def test_both_kinds_of_sites_are_needed() -> None:
    with pytest.raises(ModelError, match="both kinds"):
        cross_validate(labelled_sites()[:10], CrossValidationSettings(), idf=idf.none())


def test_as_published_the_share_of_training_sites_is_the_prior() -> None:
    """30 of 40 sites, smoothed by five of each class: 35 / 50. Of 38 it is 43 / 50, and 0.75 where that is bounded."""
    ours, published = CrossValidationSettings(), CrossValidationSettings(published=True)
    assert [prior_of(each, 0.9, 30, 10) for each in (ours, published)] == pytest.approx([35 / 50, 35 / 50])
    assert [prior_of(each, 0.9, 38, 2) for each in (ours, published)] == pytest.approx([0.75, 43 / 50])


def test_a_prior_is_half_the_way_to_the_threshold_at_most() -> None:
    """The rule of the crawl, which the trials follow: odds 9 to 1 halve to 3 to 1."""
    assert halfway(0.9) == pytest.approx(0.75)
