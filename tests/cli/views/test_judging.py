from __future__ import annotations

import pytest

from scenthound.app.events import Judged, Judging
from scenthound.cli.views.judging import CAUSES, causes, judged_line, judging_line
from scenthound.crawler.examples import ExamplePages
from scenthound.crawler.present_judge import digest_of
from scenthound.library import memory_library
from tests.crawler.judged_library import settings

JUDGED = Judged(40, 9, 29, 38, 9, 0, 12, ("topic",), True)


def test_what_changed_and_why() -> None:
    assert judged_line(JUDGED) == (
        "40 pages judged again, since the topic has changed: 38 count as found, 29 did before."
    )
    same = Judged(1, 0, 1, 1, 0, 0, 0, (), True)
    assert judged_line(same) == "1 page judged again: 1 count as found, as before."
    stopped = Judged(1, 0, 1, 1, 0, 0, 0, (), False)
    assert "nothing is changed" in judged_line(stopped)
    assert judging_line(Judging(1200, 5000)).startswith("Judging again page 1,200 of 5,000")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (["labels"], "the labels have changed"),
        (
            ["topic", "threshold", "labels"],
            "the topic has changed, the threshold has changed and the labels have changed",
        ),
        ([], "they were not judged by what is set now"),
    ],
)
def test_causes(changed: list[str], words: str) -> None:
    assert causes(changed) == words


def test_every_part_of_a_digest_has_words() -> None:
    parts = digest_of(settings("birds"), memory_library(), ExamplePages()).split()
    assert {part.partition(":")[0] for part in parts} | {"pages"} == set(CAUSES)
