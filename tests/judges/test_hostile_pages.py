"""Every judge against pages that are made to look relevant: who falls for what, exactly.

A new judge is expected to refuse them all. Where one does not, it stands in the table below, so that a judge that gets
better, or worse, is noticed.
"""

from __future__ import annotations

from typing import get_args

import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.judges.threshold import own_threshold
from scenthound.lab.judges.judge_experiment import Given
from scenthound.text.near_duplicates import NearDuplicates
from tests.judges.hostile_pages import HOSTILE, TOPICS, honest_stage, mirror_of

ORDER = ["refused", "kept", "wins"]  # from the best to the worst a judge can do

FALLS_FOR = {
    "keywords": {
        "keyword stuffing": ("wins", "wins"),
        "stuffed article": ("wins", "wins"),
        "foreign prose": ("kept", "kept"),
        "link list": ("wins", "wins"),
    },
    "topic-vector": {
        "keyword stuffing": ("wins", "wins"),
        "stuffed article": ("wins", "wins"),
        "foreign prose": ("wins", "wins"),
        "link list": ("wins", "wins"),
    },
    "blocks": dict.fromkeys(HOSTILE, ("kept", "kept")),  # a sum over blocks that honest pages bring to 1
    "examples": dict.fromkeys(HOSTILE, ("", "kept")),  # without examples it does not begin
}
"""Judge -> hostile page -> the worse verdict of two topics, from keywords alone and with examples; see `verdict`."""


def worst(judge: str, given: Given, hostile: str) -> str:
    found = []
    for name in TOPICS:
        stage = honest_stage(name)
        try:
            found.append(stage.verdict(judge, given, HOSTILE[hostile](stage.topic)))
        except ConfigError:
            return ""
    return max(found, key=ORDER.index)


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("judge", registry.judge.names())
def test_who_falls_for_what(judge: str, hostile: str) -> None:
    expected = FALLS_FOR.get(judge, {}).get(hostile, ("refused", "refused"))
    found = tuple(worst(judge, given, hostile) for given in get_args(Given))
    assert found == expected, "better than the table says: change the table" if better(found, expected) else "worse"


def better(found: tuple[str, ...], expected: tuple[str, ...]) -> bool:
    return all(not one or ORDER.index(one) <= ORDER.index(other) for one, other in zip(found, expected, strict=True))


@pytest.mark.parametrize("name", TOPICS)
def test_the_stage_is_no_trap(name: str) -> None:
    """Honest pages are what judges take for relevant: half of them count for each judge, and few others do better."""
    stage = honest_stage(name)
    honest = stage.honest()
    about = {*stage.topic.targets, *stage.topic.relevant_examples}
    others = [page for url, page in stage.pages.items() if url not in about]
    assert len(honest) >= 20
    assert len(others) >= 400
    for judge in registry.judge.names():
        begun = stage.begun(judge, "examples")
        assert sum(begun(page) >= own_threshold(judge) for page in honest) >= len(honest) / 2, judge
        middle = sorted(map(begun, honest))[len(honest) // 2]
        assert sum(begun(page) >= middle for page in others) <= len(others) / 20 or middle == 1.0, judge


@pytest.mark.parametrize("name", TOPICS)
def test_a_mirror_is_recognised_as_one(name: str) -> None:
    """By the hash that near-duplicates share, whatever the judge: a copy always, one with a banner mostly."""
    stage = honest_stage(name)
    known, honest = NearDuplicates(), stage.honest()
    for page in stage.pages.values():
        known.add(page.simhash, page.url)
    assert all(known.find(mirror_of(page).simhash) is not None for page in honest)
    banner = "<header><p>Mirror of good pages</p></header>"
    assert sum(known.find(mirror_of(page, banner).simhash) is not None for page in honest) >= 0.8 * len(honest)


@pytest.mark.parametrize("judge", registry.judge.names())
def test_a_mirror_is_judged_as_what_it_mirrors(judge: str) -> None:
    """On the same side of the threshold, and nearly the same; a judge may read the address, which is another one."""
    stage = honest_stage("orchids")
    begun, threshold = stage.begun(judge, "examples"), own_threshold(judge)
    for page in stage.honest()[:10]:
        assert (begun(mirror_of(page)) >= threshold) == (begun(page) >= threshold)
        assert begun(mirror_of(page)) == pytest.approx(begun(page), abs=0.15)


def test_hostile_pages_are_what_they_say() -> None:
    topic = honest_stage("orchids").topic
    pages = {name: make(topic) for name, make in HOSTILE.items()}
    assert sorted(pages["keyword stuffing"].terms.values())[-1] >= 200
    assert pages["foreign prose"].language == "de"
    assert len(pages["link list"].links) == 30
    assert sum("orchids" in link.anchor for link in pages["link list"].links) == 10
    assert "orchid" in pages["stuffed article"].terms
