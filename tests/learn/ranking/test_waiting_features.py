"""Waiting links as numbers: each feature in its column, the same for one link as for many."""

from __future__ import annotations

from math import log

import numpy as np
import numpy.typing as npt
import pytest

from scenthound.learn.ranking.link_evidence import FoundLinks, LinkEvidence
from scenthound.learn.ranking.link_model import LinkModel
from scenthound.learn.ranking.new_ground import NewGround
from scenthound.learn.ranking.outcome_records import OutcomeRecords
from scenthound.learn.ranking.start_sites import StartSites
from scenthound.learn.ranking.waiting_features import PARENTS_SHRINK, PRIOR, STATIC, WaitingFeatures
from scenthound.learn.relevance.imagined_pages import PARTS
from scenthound.learn.relevance.link_words import WIDTH

HOME = "http://a.test/"


class Imagining:
    """A judge that imagines something of every link, and something else once it has learned."""

    version_ = 0

    def imagine(self, words: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
        sums = words.astype(np.float64).sum(axis=1)
        return np.column_stack([(sums * (each + 1) + self.version_) % 1.7 for each in range(PARTS)])


def crawled(links: int) -> tuple[WaitingFeatures, LinkEvidence, list[int]]:
    """Links of one page of a start site, three lists of which some were followed; three pages came from another start
    site. Gives their lists, too."""
    draw = np.random.default_rng(4)
    words = draw.integers(1, 2**32, (links, WIDTH), np.uint32)
    features = WaitingFeatures(LinkModel(), OutcomeRecords(), StartSites(), NewGround())
    for site in (HOME, *["http://other.test/"] * 3):
        features.sites.add(site, start=True)
    page = features.records.next_page()
    lists = [features.records.list_of(page, number % 3) for number in range(links)]
    for number, relevance in enumerate((0.9, 0.1, 0.7)):
        features.words.learn(words[number : number + 1], relevance)
        features.records.add(np.array(lists[number : number + 1]), relevance)
    evidence = LinkEvidence(STATIC)
    values = draw.random((links, STATIC), np.float32)
    for relevance in (*[1.0] * 20, *[0.0] * 50):
        place = features.ground.place(HOME)
        features.ground.add_at(place, place, relevance)
    places = features.places([HOME] * links)
    evidence.add(FoundLinks(range(links), values, lambda rows: words[list(rows)], lists, places), 0.25)
    return features, evidence, lists


def test_by_hand() -> None:
    features, evidence, lists = crawled(4)
    rows = evidence.some(100)
    found = dict(zip(PRIOR, features(evidence, rows, None, mean=0.5).T, strict=True))
    assert np.array_equal(found["anchor"], evidence.best[rows, 0])
    assert not found["anchor as title"].any(), "no judge imagines anything"
    assert found["parents"].tolist() == pytest.approx([(0.25 + PARENTS_SHRINK * 0.5) / (1 + PARENTS_SHRINK)] * 4)
    of_page, of_list = features.records(np.array(lists)[:, None])
    assert found["page record"].tolist() == of_page.tolist()
    assert found["list record"].tolist() == of_list.tolist()
    assert found["little seen"].tolist() == pytest.approx([log(3 / 2)] * 4)  # two pages are usual
    barren = features.ground.barren()
    assert barren > 0
    assert found["new ground"].tolist() == pytest.approx([barren] * 4), "their texts name the topic"


@pytest.mark.parametrize("judge", [None, Imagining()])
def test_a_single_link_has_the_features_it_has_among_others(judge: Imagining | None) -> None:
    features, evidence, _ = crawled(9)
    rows = evidence.some(100)
    assert len(rows) == 9
    features(evidence, rows, judge, 0.5)
    if judge is not None:
        judge.version_ = 1
    alone = np.array([features.of_one(evidence, int(row), judge, 0.5) for row in rows])  # first: it asks anew by itself
    assert alone == pytest.approx(features(evidence, rows, judge, 0.5), rel=1e-6)
