"""Site classifiers on trial: labelled sites of a recorded or generated web, judged in ten folds.

    with open_web(recorded([Path("apache.warc.gz")])) ...
    trial = try_sites("big-data", labelled_sites, idf=background("en"))
    trial.scores["0.9"].f                  # with its interval

Every method judges the same sites in the same folds, so their differences are paired.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from scenthound import urls
from scenthound.errors import ConfigError
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.measures.sites import SiteScores, f_difference, scores
from scenthound.lab.statistics import Estimate
from scenthound.model import Failed, Link, Page, Response
from scenthound.parse.safe_parse import parse_safely
from scenthound.protocols.crawl import Idf
from scenthound.sites.cross_validation import (
    HOMEPAGE,
    CrossValidationSettings,
    LabelledSite,
    SiteVerdict,
    cross_validate,
)
from scenthound.sites.definition import site_of

HOPS = 5
"""Redirects followed in a row."""

Answer = Callable[[Link], Response | Failed]


class ClassifierTrial(Struct, frozen=True):
    """One class of sites: every method's figures, and what each adds to the homepage classifier's F."""

    name: str
    sites: int
    relevant: int
    scores: Mapping[str, SiteScores]
    gains: Mapping[str, Estimate]
    verdicts: Mapping[str, list[SiteVerdict]]


class SiteWalker:
    """Follows links of a web that holds still; each page is read once, and kept, without its text unless `whole`."""

    def __init__(self, answer: Answer, language: str = "en", *, whole: bool = False) -> None:
        self._answer = answer
        self._whole = whole
        self._language = language
        self._known: dict[str, Page | None] = {}

    def __call__(self, link: Link) -> Page | None:
        if link.url not in self._known:
            self._known[link.url] = self._follow(link)
        return self._known[link.url]

    def _follow(self, link: Link) -> Page | None:
        for _ in range(HOPS):
            answer = self._answer(link)
            if isinstance(answer, Failed):
                return None
            if not 300 <= answer.status < 400:
                page = parse_safely(answer, self._language)
                return page if self._whole else slim(page)
            target = urls.Base(answer.url).resolve(answer.header("location"))
            if not isinstance(target, str):
                return None
            link = Link(target, kind="redirect")
        return None


def slim(page: Page) -> Page:
    """What site classifiers look at: terms, and where links lead."""
    links = tuple(Link(link.url, kind=link.kind) for link in page.links)
    return msgspec.structs.replace(page, text="", blocks=(), images=(), headings=(), links=links)


def generated_labelled_sites(web: SiteWeb, name: str, look: SiteWalker) -> list[LabelledSite]:
    """Every site of a generated web that has a host of its own, those of one class being relevant."""
    relevant = set(web.relevant(name))
    return [LabelledSite(site.key, site.key in relevant, site.homepage, look) for site in web.sites if not site.root]


def recorded_labelled_sites(
    labels: Mapping[str, Iterable[str]], name: str, homepages: Mapping[str, str], look: SiteWalker
) -> list[LabelledSite]:
    """Labelled sites of a recording that have a homepage in it. One without any label stands for all other sites."""
    return [LabelledSite(site, name in labels[site], homepages[site], look) for site in labels if site in homepages]


def homepages_of(pages: Iterable[str]) -> dict[str, str]:
    """Host -> its page at `/`, of the URLs of a recording; https where both are there."""
    found: dict[str, str] = {}
    for url in sorted(pages):
        if urls.path(url) == "/" and "?" not in url:
            found[site_of(url)] = url
    return found


def read_labels(path: Path) -> dict[str, frozenset[str]]:
    """Host -> categories, from a table with the columns `host` and `categories` (separated by commas)."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        return {row["host"]: frozenset(filter(None, (row["categories"] or "").split(","))) for row in rows}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"The table of sites {path} cannot be read: {error}.") from error
    except KeyError as error:
        raise ConfigError(f"The table of sites {path} has no column {error}. It needs: host, categories.") from error


def try_sites(
    name: str,
    labelled_sites: list[LabelledSite],
    settings: CrossValidationSettings,
    *,
    idf: Idf,
    seed: int = 0,
    tell: Callable[[int], None] = lambda done: None,
) -> ClassifierTrial:
    """Cross-validates every method on the same sites."""
    verdicts = cross_validate(labelled_sites, settings, idf=idf, seed=seed, tell=tell)
    truth = [verdict.truth for verdict in verdicts[HOMEPAGE]]
    by_homepage = [verdict.said for verdict in verdicts[HOMEPAGE]]
    return ClassifierTrial(
        name,
        len(truth),
        sum(truth),
        {method: _scores(found) for method, found in verdicts.items()},
        {
            method: f_difference(truth, [verdict.said for verdict in found], by_homepage)
            for method, found in verdicts.items()
            if method != HOMEPAGE
        },
        verdicts,
    )


def _scores(found: list[SiteVerdict]) -> SiteScores:
    return scores(
        [verdict.truth for verdict in found],
        [verdict.said for verdict in found],
        [verdict.pages for verdict in found],
    )
