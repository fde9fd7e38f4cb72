from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from scenthound.errors import ConfigError
from scenthound.learn.chains.labels import lessons_of
from scenthound.learn.model_file import MADE_IN_BEGIN
from scenthound.learn.ranking.done_links import DoneLinks
from scenthound.learn.ranking.feature_scale import FeatureScale
from scenthound.learn.ranking.feature_weights import FeatureWeights
from scenthound.learn.ranking.link_evidence import SECTION, FoundLinks, LinkEvidence, Numbers
from scenthound.learn.ranking.link_experience import FOUND, LinkExperience, Move, Outcome, told_links, unpacked
from scenthound.learn.ranking.link_lessons import taught_links
from scenthound.learn.ranking.link_model import LinkModel
from scenthound.learn.ranking.new_ground import NewGround
from scenthound.learn.ranking.outcome_records import OutcomeRecords
from scenthound.learn.ranking.own_features import COLUMNS, FARTHEST, OwnFeatures
from scenthound.learn.ranking.reasons import LinkFacts, in_words
from scenthound.learn.ranking.start_sites import StartSites
from scenthound.learn.ranking.waiting_features import PRIOR, STATIC, WaitingFeatures
from scenthound.learn.relevance.keyword_evidence import KeywordEvidence
from scenthound.learn.snapshot_arrays import for_part, of_part
from scenthound.model import Link, MergeRule, Page, Ranked, Visit
from scenthound.ontology.kinds import kinds_of
from scenthound.protocols.crawl import Context, Imagines, Judge
from scenthound.protocols.hooks import hook
from scenthound.protocols.rescoring import rescores_now
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy
from scenthound.urls import fingerprint, fingerprints

HELD = ("another folder", "little seen", "new ground")
"""Features whose weight is not learned: that parts of a page are as relevant as the page does not make them wanted, and
what it is worth to look at every site, or where nobody has been, does not show in the next page."""

RELEVANCES = dict.fromkeys(("link", "parents", "page record", "list record"), 0.08)
LEAST_SPREAD = {**RELEVANCES, "another folder": 0.5, "near": 0.5, "kind": 0.25, "little seen": 1.0, "new ground": 1.0}
"""Features of which small differences mean nothing: relevances as long as nothing relevant was found, a single hop;
and kinds, on webs where hardly any link names one."""

SAMPLE = 500
"""Waiting links by which features are put on one scale."""

STEPS = 32
"""Priorities are rounded to this part of a deviation: what hardly changed stays where it is."""

DONE = 200_000
"""URLs asked for that are remembered: links to them are not noted any more."""

FAMILIAR = 16
"""In-links from which on a link's words have been read often enough: of further ones only the page is noted."""

NO_LISTS = np.zeros(0, np.int64)
NO_ROWS = np.zeros(0, np.intp)

Floats = npt.NDArray[np.float64]


@strategy("auto")
@dataclass
class LearnedOrder:
    """Finds out during the crawl what leads to relevant pages here; needs nothing but the topic.

    Believes that webs differ: in an encyclopaedia pages on the topic link to others, at a university the list a name
    stands in says more than the name, on a project's site the link's own words do. So it begins with a cautious
    mixture of all, and every page that comes back is a lesson about each of its parts.

        priority = sum over features f of  w_f (x_f - m_f) / s_f

    | symbol | meaning |
    |---|---|
    | m_f, s_f | mean and deviation of the feature over the links that wait |
    | w_f | its weight: a prior, corrected by ridge regression on what the links followed so far led to |
    | anchor, context, heading, address | share of the keywords: in the anchor, around it, over its list, in its URL |
    | address alone, short address | the same for URLs that say little else; fewer folders in the URL |
    | another folder | whether a page outside its folder has it; else it is a part of something, unless it is people |
    | near | fewer hops from a start page, three at most |
    | kind | whether the anchor names what is below a keyword in an ontology: "tern" where birds are wanted |
    | | where people are wanted: whether it is a name, stands in a list of names, or says where people are listed |
    | as title, as text, address words | what the judge `auto` would think of a page with these words; else 0 |
    | inherited | for links in lists: keywords in title and heading, and in the anchors that led to the page |
    | link | relevance that words of links foretell, learned online |
    | parents | mean relevance of the pages that have the link |
    | page record, list record | mean relevance of what other links of the page, and of the list, led to |
    | little seen | how few pages of its site were visited so far, of the sites that were started from |
    | new ground | once relevant pages have become rare: how few pages were visited of sections called as its is |

    Of several in-links the best counts, of relevances the mean. Every `rescore_every` pages the links that would go
    next are scored anew, less often as the crawl grows. With lessons (`train`) it knows beforehand which words of
    links lead to relevant pages, or near them. Examples are start pages, too, as far as they lie on the web and in
    scope, unless `from_examples` is false. `without` names features to leave out, with + between them: to see what each
    is worth.

    Source: ours. Of the documents it has the parents (Batsakis 3.2.3), the blocks (Aastha 4), the apprentice (Batsakis
    2.5) and, for links in lists, Liu's idea that a page may lead on without being about the topic itself.
    """

    rescore_every: int = 3
    without: str = ""
    from_examples: bool = True
    merge: ClassVar[MergeRule] = "last"  # evidence of all in-links is put together here
    rescores_rarer: ClassVar[bool] = True  # as the crawl grows, one page more changes less
    least_move: ClassVar[float] = 0.125  # an eighth of a deviation: what hardly moves stays
    can_do_without: ClassVar[bool] = True  # lessons, that is

    taught_: Floats | None = field(init=False, repr=False, default=None)  # by lessons: the model of links
    judge_: Judge | None = field(init=False, repr=False, default=None, metadata=MADE_IN_BEGIN)
    says_: OwnFeatures = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    evidence_: LinkEvidence = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    records_: OutcomeRecords = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    weights_: FeatureWeights = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    links_: LinkModel = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    done_: DoneLinks = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    sites_: StartSites = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    ground_: NewGround = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    features_: WaitingFeatures = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    scale_: FeatureScale = field(init=False, repr=False, metadata=MADE_IN_BEGIN)  # of each feature, m and s
    pages_: int = field(init=False, repr=False, default=0, metadata=MADE_IN_BEGIN)
    relevance_sum_: float = field(init=False, repr=False, default=0.0, metadata=MADE_IN_BEGIN)
    # of the page at hand: keywords in the anchors that led to it
    led_: float = field(init=False, repr=False, default=0.0, metadata=MADE_IN_BEGIN)
    # where several crawl together: what is to be told to the others
    learned_: LinkExperience | None = field(init=False, repr=False, default=None, metadata=MADE_IN_BEGIN)

    def __post_init__(self) -> None:
        if self.rescore_every < 1:
            raise ValueError("rescore_every must be at least 1")
        if unknown := [name for name in self._left_out() if name not in PRIOR]:
            raise ValueError(f"without must name features: {unknown[0]!r} is none of {', '.join(PRIOR)}")

    def _left_out(self) -> list[str]:
        return [name.strip() for name in self.without.split("+") if name.strip()]

    def train(self, context: Context) -> None:
        """Which words of links lead to targets, or near them: one lesson for each link among the lessons' pages."""
        self.taught_ = taught_links(lessons_of(context, "auto"), context.topic.language)

    def begin(self, context: Context) -> None:
        self.evidence_ = LinkEvidence(STATIC)
        self.records_ = OutcomeRecords()
        self.weights_ = FeatureWeights(list(PRIOR.values()), held=[list(PRIOR).index(name) for name in HELD])
        self.links_ = LinkModel(self.taught_)
        self.done_ = DoneLinks(DONE)
        self.sites_ = StartSites()
        self.ground_ = NewGround()
        self.features_ = WaitingFeatures(self.links_, self.records_, self.sites_, self.ground_)
        self.scale_ = FeatureScale([LEAST_SPREAD.get(name, 0.0) for name in PRIOR])
        self.pages_, self.relevance_sum_, self.led_, self.learned_ = 0, 0.0, 0.0, None
        self.retopic(context)

    def retopic(self, context: Context) -> None:
        """What was learned stays; keywords are the new ones."""
        keywords = KeywordEvidence(context.topic, context.idf).terms
        kinds = kinds_of(context)
        self.says_ = OwnFeatures(context.topic.language, keywords, kinds, of_people=kinds.of_people)
        self.judge_ = context.judge
        if not context.topic.keywords and not context.examples:
            raise ConfigError('The strategy "auto" needs to know the topic: give it keywords or examples.')

    def learn(self, visit: Visit) -> None:
        page, start = visit.page.url, visit.link.kind == "seed"
        site, section = self.features_.places([page])[0].tolist()
        outcome = Outcome(fingerprint(visit.link.url), fingerprint(page), site, section, start, visit.relevance)
        self.led_ = 0.0
        if (row := self.evidence_.row(outcome.link)) is not None:
            outcome.features = self._on_scale(self.features_.of_one(self.evidence_, row, self._teacher(), self._mean()))
            outcome.words = self.evidence_.words[row : row + 1].copy()  # the row is somebody else's soon
            self.led_ = float(self.evidence_.best[row, 0])
        self._learn(outcome)
        self.learned_ = LinkExperience(outcome)

    def _learn(self, outcome: Outcome) -> None:
        if outcome.features is not None and outcome.words is not None:
            self.weights_.add(outcome.features, outcome.relevance)
            row = self.evidence_.row(outcome.link)
            self.records_.add(self.evidence_.lists[row] if row is not None else NO_LISTS, outcome.relevance)
            self.links_.learn(outcome.words, outcome.relevance)
        self._is_done(outcome.link)
        self._is_done(outcome.page)
        self.sites_.add_at(outcome.site, outcome.start)
        self.ground_.add_at(outcome.section, outcome.site, outcome.relevance)
        self.pages_ += 1
        self.relevance_sum_ += outcome.relevance

    def missed(self, link: Link) -> None:
        missed = fingerprint(link.url), self.ground_.place(link.url)
        self.learned_ = LinkExperience(missed=missed)
        self._miss(*missed)

    def _miss(self, link: int, section: int) -> None:
        self._is_done(link)
        self.ground_.miss_at(section)

    def moved(self, link: Link, target: str) -> None:
        (home, _), (site, section) = self.features_.places([link.url, target]).tolist()
        move = Move(fingerprint(link.url), fingerprint(target), home, site, section, link.kind == "seed")
        self.learned_ = LinkExperience(moved=move)
        self._move(move)

    def _move(self, move: Move) -> None:
        """What is known of a link is a lesson once its target brings a page: it was followed for what it said."""
        if not self.done_.among([move.target])[0]:
            self.evidence_.move(move.link, move.target, (move.site, move.section))
        self._is_done(move.link)
        self.sites_.move(move.home, move.site, move.start)

    def refused(self, link: Link, for_good: bool) -> None:
        if for_good:
            self.missed(link)
        else:
            self.evidence_.remove(fingerprint(link.url))  # whoever finds it again says what is known of it then

    def experience(self) -> Snapshot | None:
        learned, self.learned_ = self.learned_, None
        if learned is not None and learned.outcome is not None:
            learned.scale, learned.waiting = self.scale_.own, len(self.evidence_)
        return learned.packed() if learned is not None else None

    def take_experience(self, experience: Snapshot, teller: str) -> None:
        """As if it had been there, but for the page's links within its own host: that is its owner's to know."""
        told = unpacked(experience)
        if told.missed is not None:
            self._miss(*told.missed)
        if told.moved is not None:
            self._move(told.moved)
        if told.scale is not None:
            self.scale_.hear(teller, told.waiting, told.scale)
        if told.outcome is not None:
            self._learn(told.outcome)
            self._take_links(told.found(), told.outcome.relevance)
            if rescores_now(self, self.pages_ - 1):
                self._find_scale()

    def _take_links(self, told: Mapping[str, Any], relevance: float) -> None:
        if not told:
            return
        over = np.array(self.done_.among(told["links"].tolist()), bool)
        links, values, words, blocks, places = (told[name][~over] for name in FOUND)
        page = self.records_.next_page()
        lists = self.records_.lists_of(page, blocks.tolist())
        found = FoundLinks(links.tolist(), values, lambda rows: words[list(rows)], lists, places)
        self.evidence_.add(found, relevance)

    def _is_done(self, link: int) -> None:
        self.done_.add(link)
        self.evidence_.remove(link)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        links, rows = self._noted(visit)
        return [Ranked(link, priority) for link, priority in zip(links, self._priorities(rows).tolist(), strict=True)]

    def note(self, visit: Visit) -> None:
        self._noted(visit)

    def _noted(self, visit: Visit) -> tuple[list[Link], Numbers]:
        """Takes in what the page says of its links. Gives those that need a place in the order, and their rows."""
        page, record = visit.page, self.records_.next_page()
        lists = self.records_.lists_of(record, [link.block for link in page.links])
        marks = fingerprints([link.url for link in page.links])
        met = self.evidence_.met(marks)
        if familiar := self.evidence_.familiar(met, FAMILIAR) if met else {}:
            self.evidence_.add_parent(list(familiar.values()), visit.relevance, [lists[number] for number in familiar])
        unmet = [number for number in range(len(marks)) if number not in met]  # what is done is not in the evidence
        over = set(compress(unmet, self.done_.among([marks[number] for number in unmet])))
        chosen = [number for number in range(len(marks)) if number not in over and number not in familiar]
        links = [page.links[number] for number in chosen]
        before = frozenset(place for place, number in enumerate(chosen) if number in met)
        marks, lists = [marks[number] for number in chosen], [lists[number] for number in chosen]
        rows = self._add(page, links, marks, lists, visit.relevance, visit.depth + 1, before)
        if rescores_now(self, self.pages_ - 1):  # all that wait, and these, by the same measure
            self._find_scale()
        return links, rows

    def rescore(self, links: Sequence[Link]) -> Sequence[float]:
        """What it has learned stays as it is, so that it may be asked at any time."""
        rows = self.evidence_.rows_of(fingerprints([link.url for link in links]))
        there = rows >= 0
        priorities = np.empty(len(links))
        priorities[there] = self._priorities(rows[there])
        priorities[~there] = self._alone(list(compress(links, ~there)))
        found: list[float] = priorities.tolist()
        return found

    def why(self, link: Link) -> Sequence[tuple[str, float]]:
        row = self.evidence_.row(fingerprint(link.url))
        if row is None:
            return []
        evidence, rows = self.evidence_, np.array([row])
        relevance, parents = evidence.parents[row]
        kind = float(evidence.best[row, COLUMNS.index("kind")])
        facts = LinkFacts(
            kind=self.says_.kind_in_words(link.anchor or link.title, kind),
            hops=round(-float(evidence.best[row, COLUMNS.index("near")])),
            parents=int(parents),
            relevance=float(relevance / parents),
            named=bool(evidence.best[row, COLUMNS.index("anchor")] > 0),
            seen=self.ground_.seen(int(evidence.places[row, SECTION])),
            **dict(zip(("of_page", "of_list"), self.records_.followed(evidence.lists[row]), strict=True)),
        )
        parts = dict(zip(PRIOR, (self._scaled(rows)[0] * self.weights_()).tolist(), strict=True))
        return [(in_words(name, facts), parts[name]) for name in sorted(parts, key=lambda name: -parts[name])]

    # Features

    def _add(
        self,
        page: Page,
        links: Sequence[Link],
        marks: Sequence[int],
        lists: Sequence[int],
        relevance: float,
        depth: int,
        met: Container[int] = frozenset(),
    ) -> Numbers:
        """What a page says of its links, to what is known of them; gives their rows. `marks`: their fingerprints;
        `met`: numbers of those that have a row already."""
        if not links:
            return NO_ROWS
        texts, led = self.says_.read(links), self.led_
        found = FoundLinks(
            links=marks,
            values=self.says_(page, links, texts, depth, led, met),
            words=texts.rows,
            lists=lists,
            places=self.features_.places([link.url for link in links]),
        )
        if self.learned_ is not None:
            home = self.sites_.place(page.url)
            self.learned_.found = lambda: told_links(self.says_, page, links, found, depth, led, home)
        return self.evidence_.add(found, relevance)

    def _features(self, rows: Numbers) -> Floats:
        return self.features_(self.evidence_, rows, self._teacher(), self._mean())

    def _teacher(self) -> Imagines | None:
        return hook(self.judge_, Imagines)

    def _mean(self) -> float:
        return self.relevance_sum_ / self.pages_ if self.pages_ else 0.0

    def _find_scale(self) -> None:
        """From the links that wait now; some hundred of them tell it."""
        waiting = self.evidence_.some(SAMPLE)
        if len(waiting):
            self.scale_.find(self._features(waiting), len(self.evidence_))

    def _scaled(self, rows: Numbers) -> Floats:
        return self._on_scale(self._features(rows))

    def _on_scale(self, features: Floats) -> Floats:
        scaled = self.scale_(features)
        if self.without:
            scaled[..., [list(PRIOR).index(name) for name in self._left_out()]] = 0.0
        return scaled

    def _priorities(self, rows: Numbers) -> Floats:
        if not len(rows):
            return np.zeros(0)
        priorities: Floats = np.round(self._scaled(rows) @ self.weights_() * STEPS) / STEPS
        return priorities

    def _alone(self, links: Sequence[Link]) -> Floats:
        """Links whose evidence was forgotten say what they say alone."""
        if not links:
            return np.zeros(0)
        evidence, self.evidence_ = self.evidence_, LinkEvidence(STATIC)
        try:
            nowhere = [-1] * len(links)
            marks = fingerprints([link.url for link in links])
            return self._priorities(self._add(Page(url=links[0].source), links, marks, nowhere, self._mean(), FARTHEST))
        finally:
            self.evidence_ = evidence

    # Snapshots

    def snapshot(self) -> Snapshot:
        records, record_arrays = self.records_.kept()
        weights, weight_arrays = self.weights_.kept()
        ground, ground_arrays = self.ground_.kept()
        arrays = of_part("evidence", self.evidence_.kept()) | of_part("links", self.links_.kept())
        arrays |= of_part("records", record_arrays) | of_part("weights", weight_arrays)
        arrays |= of_part("sites", self.sites_.kept()) | of_part("ground", ground_arrays)
        arrays |= {"scale": self.scale_.kept(), "done": self.done_.kept()}
        values = {"records": records, "weights": weights, "pages": self.pages_, "sum": self.relevance_sum_}
        return Snapshot(8, values | {"led": self.led_, "ground": ground}, arrays)

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(8)
        self.evidence_.take_back(for_part("evidence", arrays))
        self.links_.take_back(for_part("links", arrays))
        self.records_.take_back(values["records"], for_part("records", arrays))
        self.weights_.take_back(values["weights"], for_part("weights", arrays))
        self.sites_.take_back(for_part("sites", arrays))
        self.ground_.take_back(values["ground"], for_part("ground", arrays))
        self.scale_.take_back(arrays["scale"])
        self.done_.take_back(arrays["done"])
        self.pages_, self.relevance_sum_, self.led_ = values["pages"], values["sum"], values["led"]
