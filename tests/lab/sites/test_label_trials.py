"""Labels on a small generated web: drawn, learned from, and held against the list that is there without them."""

from __future__ import annotations

import pytest

from scenthound.config import Config, SitesSection
from scenthound.fetch.answer import classify
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.generated.vocabulary import TOPICS
from scenthound.lab.sites.label_trials import LabelTrial, SiteListScore
from scenthound.model import Failed, Link, Response

WEB = SiteWeb(seed=5, sites=60, classes=4)
NAME = WEB.classes[0]


def answer(link: Link) -> Response | Failed:
    given = WEB.respond(link.url)
    if not given.status:
        return Failed(link.url, "dns", "no such name")
    return classify(Response(link.url, given.status, given.headers, given.body), link.kind)


@pytest.fixture(scope="module")
def trial() -> LabelTrial:
    config = Config(sites=SitesSection(active=1))
    config.topic.name, config.topic.keywords = NAME, list(TOPICS[0].nouns[:8])
    config.crawl.seeds = [site.homepage for site in WEB.sites if site.key in set(WEB.relevant(NAME))][:3]
    config.crawl.pages = 200
    return LabelTrial(config, answer, WEB.relevant(NAME))


def test_labels_are_drawn_from_what_was_seen_as_the_truth_has_it(trial: LabelTrial) -> None:
    labels = trial.drawn(3, 0)
    assert labels == trial.drawn(3, 0)
    assert labels != trial.drawn(3, 1)
    assert labels.keys() <= trial.seen.keys()
    assert all(said is (site in trial.truth) for site, said in labels.items())
    assert [list(labels.values()).count(kind) for kind in (True, False)] == [3, 3]
    everything = trial.drawn(100, 0)
    assert len([site for site in trial.seen if site in trial.truth and site not in everything]) == 2


def test_a_list_without_labels_is_the_crawls_own(trial: LabelTrial) -> None:
    assert trial.without.right > 2
    again = trial.replayed(trial.visits, None, {}).sites.values()
    assert {site.name for site in again if site.relevant} == trial.listed


def test_labels_never_make_the_list_worse_where_words_say_it_all(trial: LabelTrial) -> None:
    for draw in range(2):
        scores = trial.labelled(4, draw)
        assert scores.labels == 8
        assert scores.check is not None
        assert scores.check.sites == 8
        for score in (scores.same, scores.new):
            assert score.right >= trial.without.right
            assert trial.f(score) >= trial.f(trial.without)
        if not scores.check.helps:
            assert scores.unlabelled == scores.unlabelled_without


def test_figures_of_a_list() -> None:
    assert SiteListScore(3, 1).precision == 0.75
    assert SiteListScore(0, 0).precision == 1.0
