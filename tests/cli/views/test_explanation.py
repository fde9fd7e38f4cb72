from __future__ import annotations

import pytest

from scenthound.app.explanation import Explanation, Judgement, LabelWord, TermWeight, WayPoint
from scenthound.cli.views.explanation import lines
from scenthound.frontier.random_draw import DRAWN

URL = "http://a.test/"


def shown(judgement: Judgement | None = None, way: list[WayPoint] | None = None) -> str:
    told = Explanation(url=URL, state="fetched", judgement=judgement, way=way or [])
    return "\n".join(" ".join(line.plain.split()) for line in lines(told))


def test_the_first_judgement_is_told_where_it_was_another() -> None:
    now = Judgement(0.8, 0.5, True, "auto", first_relevance=0.31, first_relevant=False)
    assert "0.800 ≥ 0.5, counts as found judge: auto" in shown(now)
    assert "0.310 when fetched, under the judge of then; it did not count" in shown(now)
    same = Judgement(0.8, 0.5, True, "auto", first_relevance=0.8, first_relevant=True)
    assert "when fetched" not in shown(same)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        (LabelWord(True, "person", 86400.0 * 365), "relevant, you said so on 1971-01-0"),
        (LabelWord(False, "program:oracle", 86400.0 * 365), "not relevant, oracle said so on 1971-01-0"),
        (LabelWord(False, "topic"), "not relevant, a counterexample of the topic; does not count as found"),
        (LabelWord(True, "topic"), "relevant, an example of the topic; counts as found"),
    ],
)
def test_who_said_so(label: LabelWord, words: str) -> None:
    told = Judgement(float(label.relevant), 0.5, label.relevant, "auto", 0.3, False, label)
    assert words in shown(told)


def test_terms_speak_for_and_against() -> None:
    terms = [TermWeight("fern", 0.4), TermWeight("tram", -0.2)]
    told = Judgement(0.0, 0.5, False, "auto", 0.0, False, LabelWord(False, "person", 1.0, alone=0.6), terms)
    text = shown(told)
    assert "the judge alone would say 0.600:" in text
    assert "fern 0.400 ━━" in text
    assert "tram -0.200 ━━" in text


def test_a_page_on_the_way_is_shown_as_it_was_when_it_led_on() -> None:
    way = [
        WayPoint(URL, "seed", "", 1e6, "Home", 0.4, "fetched", 0, first_relevance=0.4),
        WayPoint(f"{URL}b", "a", "", 0.5, "B", 0.1, "fetched", 1, first_relevance=0.7),
    ]
    text = shown(way=way)
    assert "● 0.400 Home" in text
    assert "● 0.100 (0.700 then) B" in text


def test_a_link_that_was_drawn_is_said_to_be() -> None:
    seed = WayPoint("http://a.test/", "seed", "", 1e6, "Start", 0.1, "fetched", 0)
    drawn = WayPoint("http://a.test/b", "a", "more", DRAWN, "B", 0.2, "fetched", 1)
    assert "link “more”, drawn at random from all that waited, to know what is missing" in shown(way=[seed, drawn])
