"""Crawlers for sites against each other, on a web whose sites are labelled: what `scenthound lab --sites` runs.

    rows = run_site_experiment(SiteExperiment(generated=500))
    summary(rows)["website"]["pprs-rate"]          an `Estimate`, over tasks

A task is a class of sites. On a generated web three of its sites are known, all others are to be found, with what was
learned from 12 sites of the class and 40 others of *another* web. On a recorded web half of the sites of a
class are known and teach; the other half is to be found. Seeds are sites already known, and do not count as found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from scenthound.config import SitesSection
from scenthound.errors import ConfigError
from scenthound.fetch.answer import classify
from scenthound.lab.code_digest import code_digest
from scenthound.lab.crawls.results import POINTS, finals, thin
from scenthound.lab.entry_spelling import read_entry
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.measures import registry
from scenthound.lab.measures.trace import Evidence, Request, Trace
from scenthound.lab.sites.site_crawls import SiteCrawler, SiteLab, SiteTask, train
from scenthound.lab.sites.site_trials import (
    Answer,
    SiteWalker,
    generated_labelled_sites,
    homepages_of,
    read_labels,
    recorded_labelled_sites,
)
from scenthound.lab.statistics import Estimate, mean_with_interval
from scenthound.lab.webs import MadeUpWeb, RecordedWeb, open_web, recorded
from scenthound.model import Failed, Link, Response
from scenthound.sites.cross_validation import LabelledSite
from scenthound.sites.measures import Log, accuracy, found_at, pages_per_site
from scenthound.text import idf

CLASSES, KNOWN = 4, 3
TAUGHT, TAUGHT_OTHERS = 12, 40
PAGES = 600
LEAST_SITES = 6
"""Of a class on a recorded web: three to learn from, and three to find."""

MEASURES = ("pprs-rate", "pprs-rate-window", "website-harvest-rate")
SHOWN = (*MEASURES, "precision", "recall", "f", "pages-a-site", "found")
KINDS = ("website", "homepage", "page")

UNUSED = ("app/", "cli/", "library/sqlite/", "library/archive/", "lab/statistics.py", "lab/run_experiment.py")
"""Parts of the program that have no share in a crawl for sites."""


class SiteExperiment(Struct, kw_only=True, forbid_unknown_fields=True):
    """What is compared, and on which web."""

    crawlers: list[str] = field(default_factory=lambda: ["website(p_threshold=0.9)", "website(p_threshold=0.7)",
                                                         "homepage", "page"])  # fmt: skip
    web: list[str] = field(default_factory=list)  # WARC files
    labels: str = ""  # host and categories, tab-separated: the classes of a recorded web's sites
    generated: int = 0  # sites of a web made up on the spot, instead
    web_seed: int = 1
    only: list[str] = field(default_factory=list)  # classes, where not all are wanted
    pages: int = PAGES  # budget of a crawl


class SiteRow(Struct, frozen=True):
    """One crawl for sites, in figures."""

    web: str
    task: str
    crawler: str
    final: dict[str, float | str | None]
    positions: list[int]
    curves: dict[str, list[float | None]]
    sites: int
    code: str = ""


def contestants(entries: Sequence[str]) -> list[SiteCrawler]:
    """`website(p_threshold=0.7, weight=local)`, `homepage`, `page(site_pages=10)`: parameters are those of [sites]."""
    found = []
    for entry in entries:
        kind, params = read_entry(entry, "crawler for sites")
        if kind not in KINDS:
            raise ConfigError(f"There is no crawler for sites called {kind!r}. There are: {', '.join(KINDS)}.")
        known = SitesSection.__struct_fields__
        for name in params:
            if name not in known:
                raise ConfigError(f"{entry!r}: [sites] has no setting {name!r}. It has: {', '.join(known)}.")
        found.append(SiteCrawler(entry, kind, SitesSection(**{"active": 1, **params})))  # type: ignore[arg-type]
    return found


def run_site_experiment(
    experiment: SiteExperiment, tell: Callable[[int, int, str], None] = lambda done, whole, name: None
) -> list[SiteRow]:
    """Every crawler on every task, one after the other. `tell` hears how many crawls are done, of how many."""
    crawlers = contestants(experiment.crawlers)
    rows: list[SiteRow] = []
    code = code_digest((__name__,), UNUSED)
    for web, lab, task, whole in _tasks(experiment):
        for crawler in crawlers:
            rows.append(row_of(web, task, crawler.name, lab.run(crawler, task), code))
            tell(len(rows), whole * len(crawlers), f"{task.name}, {crawler.name}")
    return rows


def row_of(web: str, task: SiteTask, crawler: str, log: Log, code: str = "") -> SiteRow:
    """The figures of a crawl: a site counts as found where it is held relevant and is."""
    true = [replace(look, relevant=look.relevant and look.site in task.truth) for look in log]
    trace = Trace(tuple(Request(f"http://{look.site}/{place}") for place, look in enumerate(log)))
    measured = registry.evaluate(trace, Evidence(looks=tuple(true)), MEASURES)
    known = {seed.split("/")[2] for seed in task.seeds}
    told = accuracy([look for look in log if look.site not in known], task.truth)
    positions, curves = thin(measured, min(len(log), POINTS * 100))
    final: dict[str, float | str | None] = finals(measured) | {
        "precision": told.precision,
        "recall": told.recall,
        "f": told.f,
        "pages-a-site": pages_per_site(log),
        "found": float(len(found_at(log, task.truth))),
    }
    return SiteRow(web, task.name, crawler, final, positions, curves, len({look.site for look in log}), code)


def summary(rows: Sequence[SiteRow]) -> dict[str, dict[str, Estimate]]:
    """Crawler -> measure -> its mean over tasks, with an interval. A rate that was never reached has no mean."""
    found: dict[str, dict[str, Estimate]] = {}
    for crawler in dict.fromkeys(row.crawler for row in rows):
        own = [row.final for row in rows if row.crawler == crawler]
        found[crawler] = {name: mean_with_interval([_number(final.get(name)) for final in own]) for name in SHOWN}
    return found


def _number(value: float | str | None) -> float:
    return np.inf if isinstance(value, str) else np.nan if value is None else value


# Tasks

Task = tuple[str, SiteLab, SiteTask, int]
"""The web's name, the lab, the task, and how many tasks there are."""


def _tasks(experiment: SiteExperiment) -> Iterator[Task]:
    if bool(experiment.generated) is bool(experiment.web):
        raise ConfigError("Say on which web: --generated N, a made-up one of N sites, or --web WARC --labels TSV.")
    return _on_generated(experiment) if experiment.generated else _on_recorded(experiment)


def _on_generated(experiment: SiteExperiment) -> Iterator[Task]:
    words, seed = idf.background("en"), experiment.web_seed
    web, school = (SiteWeb(each, experiment.generated, CLASSES) for each in (seed, seed + 1000))
    lab, look = SiteLab(answers(web)), SiteWalker(answers(school))
    classes = _chosen(web.classes, experiment.only)
    for name in classes:
        good, others = _kinds(generated_labelled_sites(school, name, look))
        relevant = web.relevant(name)
        fronts = tuple(site.homepage for site in web.sites if site.key in set(relevant[:KNOWN]))
        taught = train(good[:TAUGHT], others[:TAUGHT_OTHERS], words)
        task = SiteTask(name, fronts, frozenset(relevant[KNOWN:]), experiment.pages, *taught)
        yield f"generated sites {experiment.generated}", lab, task, len(classes)


def labelled_classes(experiment: SiteExperiment) -> Iterator[tuple[str, list[LabelledSite]]]:
    """Every class of sites, with all labelled sites of the web: those of the class are the relevant ones."""
    if experiment.generated:
        made = SiteWeb(experiment.web_seed, experiment.generated, CLASSES)
        look = SiteWalker(answers(made))
        for name in _chosen(made.classes, experiment.only):
            yield name, generated_labelled_sites(made, name, look)
        return
    with closing(_recorded(experiment)) as web:
        labels, fronts = read_labels(Path(experiment.labels)), homepages_of(web.urls())
        look = SiteWalker(web.answer)
        for name in _chosen(_classes(labels, fronts), experiment.only):
            yield name, recorded_labelled_sites(labels, name, fronts, look)


def _recorded(experiment: SiteExperiment) -> RecordedWeb | MadeUpWeb:
    if not experiment.labels:
        raise ConfigError("Say which sites are which: --labels TSV, with the columns host and categories.")
    return open_web(recorded(Path(path) for path in experiment.web))


def _classes(labels: Mapping[str, Iterable[str]], fronts: Mapping[str, str]) -> list[str]:
    """The classes with enough sites whose homepage was recorded."""
    sizes = Counter(name for site, names in labels.items() if site in fronts for name in names)
    return sorted(name for name, size in sizes.items() if size >= LEAST_SITES)


def _on_recorded(experiment: SiteExperiment) -> Iterator[Task]:
    name = recorded(Path(path) for path in experiment.web).name
    with closing(_recorded(experiment)) as web:
        words, labels = idf.background("en"), read_labels(Path(experiment.labels))
        lab = SiteLab(lambda link: plain_http(link, web.answer))
        fronts = homepages_of(web.urls())
        classes = _chosen(_classes(labels, fronts), experiment.only)
        for label in classes:
            good, others = _kinds(recorded_labelled_sites(labels, label, fronts, lab.look))
            for sites in (good, others):
                Random(experiment.web_seed).shuffle(sites)
            known, hidden = good[: len(good) // 2], good[len(good) // 2 :]
            taught = train(known, others[: len(others) // 2], words)
            truth, seeds = frozenset(site.site for site in hidden), tuple(site.start for site in known)
            yield name, lab, SiteTask(label, seeds, truth, experiment.pages, *taught), len(classes)


def _chosen(classes: Sequence[str], only: Sequence[str]) -> list[str]:
    for name in only:
        if name not in classes:
            raise ConfigError(f"There is no class of sites called {name!r}. There are: {', '.join(classes)}.")
    if not classes:
        raise ConfigError(f"No class has {LEAST_SITES} sites whose homepage was recorded: nothing can be measured.")
    return [name for name in classes if not only or name in only]


def _kinds(sites: Sequence[LabelledSite]) -> tuple[list[LabelledSite], list[LabelledSite]]:
    return [site for site in sites if site.relevant], [site for site in sites if not site.relevant]


def answers(web: SiteWeb) -> Answer:
    """A generated web of sites as fetchers see it."""

    def answer(link: Link) -> Response | Failed:
        given = web.respond(link.url)
        if not given.status:
            return Failed(link.url, "dns", "the name does not resolve")
        response = Response(link.url, given.status, given.headers, given.body, wire=len(given.body))
        return classify(response, link.kind)

    return answer


def plain_http(link: Link, answer: Answer) -> Response | Failed:
    """Sites that were recorded under http while their links say https: those are sent on."""
    given = answer(link)
    if isinstance(given, Failed) and link.url.startswith("https://"):
        twin = link.url.replace("https://", "http://", 1)
        if isinstance(answer(Link(twin)), Response):
            return Response(link.url, 301, (("Location", twin),))
    return given
