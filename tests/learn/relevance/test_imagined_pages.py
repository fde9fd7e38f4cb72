from __future__ import annotations

from random import Random

import numpy as np
import pytest

from scenthound.judges.auto import Auto
from scenthound.learn.relevance.imagined_pages import PARTS
from scenthound.learn.relevance.link_words import link_words
from scenthound.learn.relevance.page_rows import page_row
from scenthound.learn.relevance.page_words import ADDRESS, TITLE
from scenthound.learn.relevance.word_places import PLACES
from scenthound.model import Keyword, Page, Topic
from scenthound.protocols.crawl import Context
from scenthound.text import idf

WORDS = ["garden", "tool", "weather", "bread", "window", "street", "music", "river", "paper", "stone"]


def page(number: int, word: str, folder: str) -> Page:
    said = {word: 3} | {WORDS[(number * step) % 10]: 2 for step in (1, 3, 7)} | {f"own{number}": 1}
    url = f"http://a.test/{folder}/{number}.html"
    return Page(url, title=f"{word} {WORDS[number % 10]}", text=" ".join(said), terms=said)


def taught() -> Auto:
    judge = Auto()
    good = tuple(page(number, "dengu", "fever") for number in range(8))
    poor = tuple(page(number + 50, "sport", "games") for number in range(12))
    topic = Topic("x", (Keyword("dengu", 1.0),))
    judge.begin(Context(topic=topic, idf=idf.none(), random=Random(1), examples=good, counterexamples=poor))
    for number in range(100, 160):
        judge.saw(page(number, "sport" if number % 5 else "dengu", "games" if number % 5 else "fever"))
    return judge


def test_words_speak_as_they_would_on_a_page() -> None:
    judge = taught()
    links = [("dengu",), ("sport",), ()]
    found = judge.imagine(link_words(links, [("dengu", "garden"), ("sport",), ()], [("fever",), ("game",), ()]))
    assert found.shape == (3, PARTS)
    assert (found[0, [1, 2]] > found[1, [1, 2]]).all(), "the text tells them apart"
    assert found[0].sum() > found[1].sum()
    assert not found[2].any(), "no words say nothing"


def test_it_is_the_score_of_the_field_without_its_offset() -> None:
    judge = taught()
    row = page_row(Page("http://a.test/fever/", title="dengu bread", terms={"x": 1}), "en")
    found = judge.imagine(link_words([("dengu", "bread")], [()], [("fever",)]))[0]
    assert judge.model_ is not None
    for column, field in ((0, TITLE), (3, ADDRESS)):
        model = judge.model_.fields[field]
        words = row.fields[field]
        idf, weights = judge.model_.words.at(words.places + field * PLACES)
        part = model.part(words.values * idf, weights)
        expected = part - model.share * (model.offset - model.middle) / model.spread
        assert found[column] == pytest.approx(expected, abs=1e-6)


def test_before_anything_is_learned_it_cannot_tell() -> None:
    judge = Auto()
    judge.begin(Context(topic=Topic("x", (Keyword("dengu", 1.0),)), idf=idf.none(), random=Random(1)))
    assert np.array_equal(judge.imagine(link_words([("dengu",)], [()], [()])), np.zeros((1, PARTS)))
