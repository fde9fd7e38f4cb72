"""How good is the website classifier, and how many pages does it need? Asked of labelled sites (Ester 5.2).

In ten folds every site is judged once, by classifiers trained on the others: by its homepage alone, and by
an internal crawl that stops as soon as the posterior reaches `p_threshold`. The crawl goes where a real one would,
so a page costs what it would cost: nothing of a site is known but the pages asked for.

The order in which an internal crawl visits pages does not depend on the threshold, so one exploration of a site gives
the verdict of every threshold: the one that held when it was first reached.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from random import Random

from msgspec import Struct

from scenthound.errors import ModelError
from scenthound.model import Link, Page
from scenthound.protocols.crawl import Idf
from scenthound.sites.classifier import CLUSTERS, PageClassifier
from scenthound.sites.definition import SiteKind, site_of
from scenthound.sites.exploration import Exploration, pages_of
from scenthound.sites.folds import FOLDS, fold_numbers
from scenthound.sites.homepage import HomepageClassifier
from scenthound.sites.posterior import Posterior, SitePrior
from scenthound.sites.site_crawl import least_prior

TRAINING_PAGES = 25
"""Pages a training site is known by: the first ones in a breadth-first walk from its homepage (Ester 5.2)."""

SITE_PAGES = 25
"""Pages after which a site is judged, decided or not."""

THRESHOLDS = (0.7, 0.8, 0.9)
HOMEPAGE = "homepage"

Look = Callable[[Link], Page | None]
"""What following a link brings: a page, redirects followed, or nothing."""


class LabelledSite(Struct, frozen=True):
    """A site whose class is known, and the way to look at its pages."""

    site: str
    relevant: bool
    start: str  # its homepage
    look: Look
    kind: SiteKind = "host"


class SiteVerdict(Struct, frozen=True):
    """What was said of a site, and what is true. `probability` is that of being relevant."""

    site: str
    truth: bool
    said: bool
    probability: float
    pages: int


class CrossValidationSettings(Struct, frozen=True):
    """How site classifiers are trained and asked."""

    thresholds: tuple[float, ...] = THRESHOLDS
    clusters: int = CLUSTERS
    training_pages: int = TRAINING_PAGES
    site_pages: int = SITE_PAGES
    prior: float | None = None  # None: the share of relevant sites in training, as `posterior.SitePrior` takes it
    folds: int = FOLDS
    published: bool = False  # classes are not brought into balance, and the prior knows no bound


def first_pages(labelled: LabelledSite, n: int = TRAINING_PAGES) -> list[Page]:
    """The first pages of a site breadth first from its homepage."""
    waiting = deque([Link(labelled.start, kind="seed")])
    known = {labelled.start}
    found: list[Page] = []
    while waiting and len(found) < n:
        page = labelled.look(waiting.popleft())
        if page is None or site_of(page.url, labelled.kind) != labelled.site:
            continue
        known.add(page.url)
        found.append(page)
        for link in pages_of(page.links):
            if link.url not in known and site_of(link.url, labelled.kind) == labelled.site:
                known.add(link.url)
                waiting.append(link)
    return found


def explore(
    labelled: LabelledSite, classifier: PageClassifier, settings: CrossValidationSettings, priors: Mapping[float, float]
) -> dict[str, SiteVerdict]:
    """The verdict of an internal crawl for each threshold, where `priors` has the prior of each."""
    site = Exploration(labelled.site, classifier, kind=labelled.kind, start=labelled.start)
    verdicts: dict[str, SiteVerdict] = {}
    open_ = {threshold: Posterior(prior, classifier.p_err) for threshold, prior in priors.items()}
    while open_ and len(site.pages) < settings.site_pages and (link := site.next_link()) is not None:
        page = labelled.look(link)
        if page is None or site_of(page.url, labelled.kind) != labelled.site:
            site.missed(link)
            continue
        confidence = site.visit(page, asked=link.url)
        for threshold, posterior in list(open_.items()):
            posterior.add(confidence)
            if posterior.decided(threshold):
                verdicts[name_of(threshold)] = _verdict(labelled, open_.pop(threshold))
    return verdicts | {name_of(threshold): _verdict(labelled, posterior) for threshold, posterior in open_.items()}


def cross_validate(
    labelled_sites: Sequence[LabelledSite],
    settings: CrossValidationSettings,
    *,
    idf: Idf,
    seed: int = 0,
    tell: Callable[[int], None] = lambda done: None,
) -> dict[str, list[SiteVerdict]]:
    """Verdicts on every site, by method: `homepage`, and a threshold each. `tell` hears how many folds are done."""
    if len({labelled.relevant for labelled in labelled_sites}) < 2:
        raise ModelError("Cross-validation needs sites of both kinds: relevant ones and others.")
    numbers = fold_numbers([labelled.relevant for labelled in labelled_sites], Random(seed), settings.folds)
    pages = [first_pages(labelled, settings.training_pages) for labelled in labelled_sites]
    found: dict[str, list[SiteVerdict]] = {HOMEPAGE: [], **{name_of(level): [] for level in settings.thresholds}}
    for fold in range(settings.folds):
        rest = [index for index, number in enumerate(numbers) if number != fold]
        relevant = [pages[index] for index in rest if labelled_sites[index].relevant and pages[index]]
        other = [pages[index] for index in rest if not labelled_sites[index].relevant and pages[index]]
        website = PageClassifier.train(
            relevant,
            other,
            clusters=settings.clusters,
            random=Random(seed + fold),
            idf=idf,
            balanced=not settings.published,
        )
        priors = {level: prior_of(settings, level, len(relevant), len(other)) for level in settings.thresholds}
        homepage = HomepageClassifier.train(
            [site[0] for site in relevant],
            [site[0] for site in other],
            clusters=settings.clusters,
            random=Random(seed + fold),
            idf=idf,
        )
        for index in (index for index, number in enumerate(numbers) if number == fold):
            for name, verdict in explore(labelled_sites[index], website, settings, priors).items():
                found[name].append(verdict)
            found[HOMEPAGE].append(_by_homepage(labelled_sites[index], pages[index][:1], homepage))
        tell(fold + 1)
    return found


def name_of(threshold: float) -> str:
    return f"{threshold:g}"


def prior_of(settings: CrossValidationSettings, threshold: float, relevant: int, other: int) -> float:
    """As a crawl with this threshold has it after sites like those of the training."""
    if settings.prior is not None:
        return settings.prior
    least = least_prior(threshold, bounded=not settings.published)
    return SitePrior(least=least, relevant=relevant, sites=relevant + other).value


def _verdict(labelled: LabelledSite, posterior: Posterior) -> SiteVerdict:
    return SiteVerdict(labelled.site, labelled.relevant, posterior.relevant, posterior.probability, posterior.pages)


def _by_homepage(labelled: LabelledSite, homepages: Sequence[Page], classifier: HomepageClassifier) -> SiteVerdict:
    """A site whose homepage cannot be had is not called relevant."""
    if not homepages:
        return SiteVerdict(labelled.site, labelled.relevant, False, 0.5, 0)
    page = homepages[0]
    return SiteVerdict(labelled.site, labelled.relevant, classifier.relevant(page), classifier.probability(page), 1)
