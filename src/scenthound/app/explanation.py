"""Why a URL is in the library, or why not, gathered in one struct: what `explain` tells."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path

from msgspec import Struct

from scenthound import config as toml
from scenthound.app.judgement_words import as_words
from scenthound.app.out_of_reach import held_because
from scenthound.app.ranking_words import RankingReason, ranking_words
from scenthound.app.user_input import stored_spelling
from scenthound.config import Config, named
from scenthound.crawler import examples
from scenthound.crawler.present_judge import digest_of, present_judge
from scenthound.errors import ScenthoundError
from scenthound.judges.labelled import LabelledJudge
from scenthound.judges.threshold import threshold_of
from scenthound.library import library_at
from scenthound.library.run_settings import SETTINGS, last_settings
from scenthound.library.stored_pages import PageCopy, copy_of
from scenthound.model import Page
from scenthound.protocols.crawl import Explains, Judge, Progress
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Decisions, Library
from scenthound.protocols.records import StoredPage, UrlRow
from scenthound.sites.definition import site_of
from scenthound.sites.site_runs import STRATEGY, settings_of

TERMS = 8
UNKNOWN = "unknown"
TOPIC = "topic"


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
    first_relevance: float | None = None  # as it was judged when it came, which led on


class TermWeight(Struct, frozen=True):
    term: str
    share: float  # of the relevance; below 0: speaks against


class LabelWord(Struct, frozen=True):
    """What was said of a page, and decides whatever the judge would say."""

    relevant: bool
    by: str  # as in model.Label; "topic": it is an example or a counterexample in topic.toml
    at: float = 0.0
    alone: float | None = None  # what the judge alone would say


class Judgement(Struct, frozen=True):
    """The present one, and the one the page came with."""

    relevance: float
    threshold: float
    relevant: bool
    judge: str
    first_relevance: float
    first_relevant: bool
    label: LabelWord | None = None
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
    listed_on: str = ""  # the title of the page it was found on
    reasons: list[RankingReason] = []  # by the strategy, the strongest first


class SiteWord(Struct, frozen=True):
    """What a crawl for sites thinks of the site a URL is on; `pages` is 0 where it was not looked at."""

    site: str
    pages: int = 0
    confidence: float = 0.0
    relevant: bool = False
    decided_after: int = 0  # pages; 0 while undecided
    label: bool | None = None  # what somebody said of it, which counts


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


def explain(
    place: Path | Library,
    url: str,
    *,
    progress: Progress | None = None,
    judges: MutableMapping[str, Judge] | None = None,
) -> Explanation:
    """`url` may lack its scheme. `progress` is told how far a judge is that learns what is ordinary.

    `judges`: for who explains many pages, the judge once it is made, by what it was made of.
    """
    with library_at(place) as library:
        url = stored_spelling(library, url)
        row = library.url_row(url)
        if row is None:
            return Explanation(url=url, state=UNKNOWN, near=library.near(url))
        config, page = present_settings(library), library.page(url)
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
            judgement=_judgement(library, config, page, progress, {} if judges is None else judges) if page else None,
            queue=_queue(library, config, row) if row.state == "waiting" else None,
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
    from scenthound.sites.site_list import replayed

    name = site_of(url, settings.sites.kind)
    try:
        site = replayed(library, settings)[0].sites.get(name)
    except ScenthoundError:
        return None  # a model that cannot be read: the rest can be told without it
    if site is None or not site.pages:
        return SiteWord(name)
    return SiteWord(name, len(site.pages), site.confidence, site.relevant, site.decided_after, site.label)


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
            first_relevance=step.first_relevance,
        )
        for step in library.way(url)
    ]


def _queue(library: Library, config: Config, row: UrlRow) -> PlaceInQueue:
    ahead, on_host = library.ahead(row)
    way = library.way(row.url)
    return PlaceInQueue(
        row.priority,
        ahead,
        on_host,
        row.not_before,
        row.evidence,
        listed_on=way[-2].title if len(way) > 1 else "",
        reasons=ranking_words(library, config, way[-1].link) if way and config.crawl.judge != STRATEGY else [],
    )


def present_settings(library: Library) -> Config:
    """What the stored judgements were made with: the settings of the last run, unless `judge` came after it."""
    last, path = last_settings(library), (library.folder or Path()) / SETTINGS
    if last.crawl.judge == STRATEGY or not path.is_file():
        return last
    try:
        now = toml.load(path)
        kept = examples.load_kept(now, path.parent)
        return now if digest_of(now, library, kept) == library.judged_by() else last
    except ScenthoundError:
        return last  # whatever is wrong with topic.toml, it was not that


def _judgement(
    library: Library,
    config: Config,
    stored: StoredPage,
    progress: Progress | None,
    judges: MutableMapping[str, Judge],
) -> Judgement:
    terms: list[TermWeight] = []
    label: LabelWord | None = None
    note = ""
    copy = copy_of(library, stored, config.topic.language)  # the page as the judge saw it
    try:
        judge = _judge(config, library, progress, judges)
        label = _label(judge, library, copy if copy.has_text else None, stored)
        if copy.has_text:
            terms, note = _terms(judge, copy.page, stored.relevance, label)
    except ScenthoundError as error:
        note = str(error)
    if not copy.has_text:
        note = "the page asks not to be indexed, so its text was not kept"
    return Judgement(
        relevance=stored.relevance if label is None else float(label.relevant),
        threshold=threshold_of(config),
        relevant=stored.relevant if label is None else label.relevant,
        judge=named(config.crawl.judge, "judge")[0],
        first_relevance=stored.first_relevance,
        first_relevant=stored.first_relevant,
        label=label,
        terms=terms,
        duplicate_of=stored.duplicate_of,
        note=note,
    )


def _label(judge: Judge, library: Library, copy: PageCopy | None, stored: StoredPage) -> LabelWord | None:
    """The word that decides about a page, if somebody spoke of it."""
    said = judge.labels.get(stored.url) if isinstance(judge, LabelledJudge) else None
    if said is None:
        return None
    assert isinstance(judge, LabelledJudge)
    alone = judge.judge(copy.page) if copy is not None else None
    word = library.labels().get(stored.url)
    return LabelWord(said, word.by, word.at, alone) if word is not None else LabelWord(said, TOPIC, alone=alone)


def _terms(judge: Judge, page: Page, relevance: float, label: LabelWord | None) -> tuple[list[TermWeight], str]:
    explainer = hook(judge, Explains)
    if explainer is None:
        return [], "this judge does not tell its reasons"
    note = ""
    if label is None and f"{judge(page):.2f}" != f"{relevance:.2f}":
        note = f"judged anew by today's settings it would be {judge(page):.2f}"
    strongest = list(explainer.strongest(page, TERMS))
    return [TermWeight(each.word, each.part) for each in as_words(strongest, page)], note


def _judge(config: Config, library: Library, progress: Progress | None, judges: MutableMapping[str, Judge]) -> Judge:
    folder = library.folder or Path()
    if config.crawl.judge == STRATEGY:  # as crawls for sites with training sites once had it
        from scenthound.sites import model_file
        from scenthound.sites.page_crawler import ClassifierJudge

        if (taught := model_file.load(folder)) is not None:
            return ClassifierJudge(taught.classifier)
    kept = examples.load_kept(config, folder)
    digest = digest_of(config, library, kept)
    if digest not in judges:
        judges.clear()
        judges[digest] = present_judge(config, library, kept, folder=folder, progress=progress).judge
    return judges[digest]
