"""Reasons in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from scenthound.learn.ranking.reasons import SAYS, LinkFacts, in_words
from scenthound.learn.ranking.waiting_features import PRIOR

FACTS = LinkFacts(
    kind="its text is somebody's name",
    hops=2,
    parents=1,
    relevance=0.834,
    of_page=(13.6, 16),
    of_list=(0.0, 0),
    named=False,
    seen=0,
)


def test_every_feature_has_its_sentence() -> None:
    assert set(SAYS) == set(PRIOR)


@pytest.mark.parametrize(
    ("feature", "said"),
    [
        ("anchor", "its text names the topic"),
        ("kind", "its text is somebody's name"),
        ("near", "it is 2 links from a start page"),
        ("parents", "1 page has it, of relevance 0.83 on average"),
        ("page record", "14 of 16 links followed from the pages it is on were relevant"),
        ("list record", "no link of the list it stands in was followed yet; those of this crawl are usually relevant"),
        (
            "new ground",
            "relevant pages have become rare, and no link was followed into sections called as its own",
        ),
    ],
)
def test_by_hand(feature: str, said: str) -> None:
    assert in_words(feature, FACTS) == said


def test_what_was_seen_of_a_section_is_counted() -> None:
    said = [in_words("new ground", replace(FACTS, seen=pages)) for pages in (1, 4)]
    assert [each.partition(", and ")[2] for each in said] == [
        "1 link was followed into sections called as its own",
        "4 links were followed into sections called as its own",
    ]


def test_what_names_the_topic_is_not_said_to_stand_high_for_its_section() -> None:
    said = in_words("new ground", replace(FACTS, named=True, seen=80))
    assert said == "relevant pages have become rare, and its text names the topic"
