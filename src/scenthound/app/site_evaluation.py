"""How well sites are told apart, asked of sites that are labelled: precision, recall and F in ten folds (Ester 5.2).

    found = await evaluate_folder(Path("crawls/orchid-nursery"))       the folder's labelled sites
    found = evaluate_web(SiteExperiment(web=["apache.warc.gz"], labels="apache-sites.tsv"))

Beside the website classifier, which looks at a site page by page until it is sure, stands the homepage classifier,
which has one page to go by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.experiment import plain
from scenthound.app.sites import SiteOptions, SiteSearch, plan_sites
from scenthound.errors import UsageError
from scenthound.lab.report.tables import markdown_table, with_interval
from scenthound.lab.sites.site_experiment import SiteExperiment, labelled_classes
from scenthound.lab.sites.site_trials import ClassifierTrial, slim, try_sites
from scenthound.library import open_library
from scenthound.library.stored_pages import copy_of
from scenthound.model import Link, Page
from scenthound.sites import training
from scenthound.sites.cross_validation import HOMEPAGE, CrossValidationSettings, LabelledSite
from scenthound.sites.definition import site_of
from scenthound.text import idf

HEAD = ("class", "sites", "method", "precision", "recall", "F", "pages a site", "gain in F")
LEAST = 10
"""Sites of each kind, so that each of the ten folds has one of both."""

Tell = Callable[[str, int, int], None]


class SiteEvaluation(Struct, frozen=True):
    """Every class that was evaluated."""

    title: str
    trials: tuple[ClassifierTrial, ...]


def evaluate_web(
    experiment: SiteExperiment, settings: CrossValidationSettings, tell: Tell = lambda name, done, whole: None
) -> SiteEvaluation:
    """The classes of sites of a recorded or generated web."""
    trials = [
        _tried(name, sites, settings, tell) for name, sites in labelled_classes(experiment) if _enough(sites) is None
    ]
    if not trials:
        raise UsageError(f"No class has {LEAST} sites whose homepage is there, and {LEAST} others.")
    return SiteEvaluation("Labelled sites, each judged once by what the others taught, in ten folds", tuple(trials))


async def evaluate_folder(
    folder: Path, settings: CrossValidationSettings, tell: Tell = lambda name, done, whole: None
) -> SiteEvaluation:
    """The sites that were labelled in a folder. Pages of theirs that are not there yet are fetched, as in training."""
    plan = plan_sites(str(folder), CrawlOptions(), SiteOptions())
    async with SiteSearch(plan) as search:
        labels = search.labels
        if (lack := _lack(list(labels.values()))) is not None:
            raise UsageError(f"{folder}: {lack} Label sites: scenthound label {folder} SITE --yes")
        await search.gather()
    sites = _kept_sites(folder, labels, plan.config.topic.language, plan.config.sites.kind)
    if (lack := _enough(sites)) is not None:
        raise UsageError(f"{folder}: {lack} Some labelled sites gave no page.")
    name = plan.config.topic.name
    return SiteEvaluation(f"{folder}: labelled sites, in ten folds", (_tried(name, sites, settings, tell),))


def _kept_sites(folder: Path, labels: dict[str, bool], language: str, kind: Any) -> list[LabelledSite]:
    """Labelled sites by the pages that are kept to learn from: what was not collected is not there."""
    pages: dict[str, Page] = {}
    first: dict[str, str] = {}
    with open_library(folder / training.FOLDER, write=False) as library:
        for stored in library.pages():
            site = site_of(stored.url, kind)
            if not stored.duplicate_of:
                first.setdefault(site, stored.url)
                pages[stored.url] = slim(copy_of(library, stored, language).page)

    def look(link: Link) -> Page | None:
        return pages.get(link.url)

    return [LabelledSite(site, said, first[site], look, kind) for site, said in labels.items() if site in first]


def _tried(name: str, sites: list[LabelledSite], settings: CrossValidationSettings, tell: Tell) -> ClassifierTrial:
    return try_sites(
        name, sites, settings, idf=idf.background("en"), tell=lambda done: tell(name, done, settings.folds)
    )


def _enough(sites: Sequence[LabelledSite]) -> str | None:
    return _lack([site.relevant for site in sites])


def _lack(kinds: Sequence[bool]) -> str | None:
    relevant = sum(kinds)
    if min(relevant, len(kinds) - relevant) >= LEAST:
        return None
    return (
        f"ten folds take {LEAST} sites of each kind; there are {relevant} relevant and {len(kinds) - relevant} others."
    )


# Figures


def evaluation_cells(found: SiteEvaluation) -> list[list[str]]:
    return [_cells(trial, method) for trial in found.trials for method in trial.scores]


def _cells(trial: ClassifierTrial, method: str) -> list[str]:
    scores = trial.scores[method]
    figures = map(with_interval, (scores.precision, scores.recall, scores.f))
    gain = with_interval(trial.gains[method]) if method in trial.gains else ""
    name = method if method == HOMEPAGE else f"website {method}"
    return [trial.name, f"{trial.relevant}/{trial.sites}", name, *figures, f"{scores.pages.mean:.1f}", gain]


def evaluation_table(found: SiteEvaluation) -> str:
    return "\n".join(markdown_table(HEAD, evaluation_cells(found)))


def evaluation_figures(found: SiteEvaluation) -> dict[str, Any]:
    return {
        trial.name: {
            "sites": trial.sites,
            "relevant": trial.relevant,
            "methods": plain(msgspec.to_builtins(trial.scores)),
            "gain in F": plain(msgspec.to_builtins(trial.gains)),
        }
        for trial in found.trials
    }
