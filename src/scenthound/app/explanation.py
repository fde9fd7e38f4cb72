"""Why a URL is in the library, or why not, gathered in one struct: what `explain` tells."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from scenthound import registry
from scenthound.app.out_of_reach import held_because
from scenthound.config import Config, named
from scenthound.crawler import examples
from scenthound.crawler.assemble import build, make_context
from scenthound.errors import ScenthoundError
from scenthound.judges.threshold import threshold_of
from scenthound.library import library_at
from scenthound.library.run_settings import last_settings
from scenthound.library.stored_pages import copy_of
from scenthound.model import Page
from scenthound.protocols.crawl import Explains, Judge
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Decisions, Library
from scenthound.protocols.records import StoredPage, UrlRow
from scenthound.sites import model_file
from scenthound.sites.definition import site_of
from scenthound.sites.page_crawler import ClassifierJudge
from scenthound.sites.parts import STRATEGY
from scenthound.sites.site_list import replayed, settings_of

TERMS = 8
UNKNOWN = "unknown"


class WayPoint(Struct, frozen=True):
    """A page on the way, and the link that led to it."""

    url: str
    kind: str  # seed, a, redirect ...
    anchor: str
    priority: float  # what the strategy gave the link
    title: str
    relevance: float | None
    state: str
    depth: int


class TermWeight(Struct, frozen=True):
    term: str
    share: float  # of the relevance


class Judgement(Struct, frozen=True):
    relevance: float
    threshold: float
    relevant: bool
    judge: str
    terms: list[TermWeight] = []
    duplicate_of: str = ""  # then it does not count, however relevant
    note: str = ""  # why there are no terms, or why they do not add up


class PlaceInQueue(Struct, frozen=True):
    """Where a waiting link stands."""

    priority: float
    ahead: int
    ahead_on_host: int
    not_before: float
    found_on: int  # pages


class SiteWord(Struct, frozen=True):
    """What a crawl for sites thinks of the site a URL is on; `pages` is 0 where it was not looked at."""

    site: str
    pages: int = 0
    confidence: float = 0.0
    relevant: bool = False
    decided_after: int = 0  # pages; 0 while undecided


class Explanation(Struct, frozen=True):
    url: str
    state: str  # as in model.State, or UNKNOWN
    reason: str = ""
    title: str = ""
    found_at: float = 0.0
    changed_at: float = 0.0
    tries: int = 0
    strategy: str = ""
    way: list[WayPoint] = []
    judgement: Judgement | None = None
    queue: PlaceInQueue | None = None
    moved_to: str = ""
    near: list[str] = []
    site: SiteWord | None = None  # of a crawl for sites


def explain(place: Path | Library, url: str) -> Explanation:
    with library_at(place) as library:
        row = library.url_row(url)
        if row is None:
            return Explanation(url=url, state=UNKNOWN, near=library.near(url))
        config, page = last_settings(library), library.page(url)
        return Explanation(
            url=url,
            state=row.state,
            reason=_reason(library, row),
            title=page.title if page else "",
            found_at=row.found_at,
            changed_at=row.changed_at,
            tries=row.tries,
            strategy=named(config.crawl.strategy, "strategy")[0],
            way=_way(library, url),
            judgement=_judgement(library, config, page) if page else None,
            queue=_queue(library, row) if row.state == "waiting" else None,
            moved_to=row.reason if row.state == "moved" else "",
            site=_site(library, url),
        )


def _reason(library: Library, row: UrlRow) -> str:
    if row.state == "waiting":
        return held_because(library, row.url) or row.reason
    return "" if row.state == "moved" else row.reason


def _site(library: Library, url: str) -> SiteWord | None:
    settings = settings_of(library)
    if settings is None:
        return None
    name = site_of(url, settings.sites.kind)
    try:
        site = replayed(library, settings)[0].sites.get(name)
    except ScenthoundError:
        return None  # a model that cannot be read: the rest can be told without it
    if site is None or not site.pages:
        return SiteWord(name)
    return SiteWord(name, len(site.pages), site.probability, site.relevant, site.decided_after)


def _way(library: Decisions, url: str) -> list[WayPoint]:
    return [
        WayPoint(
            url=step.link.url,
            kind=step.link.kind,
            anchor=step.link.anchor or step.link.title,
            priority=step.priority,
            title=step.title,
            relevance=step.relevance,
            state=step.state,
            depth=step.depth,
        )
        for step in library.way(url)
    ]


def _queue(library: Decisions, row: UrlRow) -> PlaceInQueue:
    ahead, on_host = library.ahead(row)
    return PlaceInQueue(row.priority, ahead, on_host, row.not_before, row.evidence)


def _judgement(library: Library, config: Config, stored: StoredPage) -> Judgement:
    terms: list[TermWeight] = []
    note = ""
    copy = copy_of(library, stored, config.topic.language)  # the page as the judge saw it
    page = copy.page if copy.has_text else None
    if page is None:
        note = "the page asks not to be indexed, so its text was not kept"
    else:
        try:
            terms, note = _terms(_judge(config, library.folder or Path()), page, stored.relevance)
        except ScenthoundError as error:
            note = str(error)
    return Judgement(
        relevance=stored.relevance,
        threshold=threshold_of(config),
        relevant=stored.relevant,
        judge=named(config.crawl.judge, "judge")[0],
        terms=terms,
        duplicate_of=stored.duplicate_of,
        note=note,
    )


def _terms(judge: Judge, page: Page, relevance: float) -> tuple[list[TermWeight], str]:
    explainer = hook(judge, Explains)
    if explainer is None:
        return [], "this judge does not tell its reasons"
    note = ""
    if abs(judge(page) - relevance) > 1e-6:
        note = f"judged anew by today's settings it would be {judge(page):.2f}"
    return [TermWeight(term, share) for term, share in explainer.strongest(page, TERMS)], note


def _judge(config: Config, folder: Path) -> Judge:
    if config.crawl.judge == STRATEGY and (taught := model_file.load(folder)) is not None:
        return ClassifierJudge(taught.classifier)  # as crawls for sites with training sites once had it
    kept = examples.load_kept(config, folder)
    context = make_context(config, kept.relevant, kept.irrelevant)
    judge: Judge = build(registry.judge, config.crawl.judge, context)
    return judge
