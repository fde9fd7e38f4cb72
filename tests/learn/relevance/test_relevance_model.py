from __future__ import annotations

from random import Random

import pytest

from scenthound.learn.relevance.keyword_evidence import KeywordEvidence
from scenthound.learn.relevance.page_rows import PageRow, page_row
from scenthound.learn.relevance.relevance_model import HALFWAY, KnownPage, RelevanceModel, fitted, probability
from scenthound.model import Keyword, Page, Topic
from scenthound.text import idf

EVIDENCE = KeywordEvidence(Topic("x", (Keyword("fern", 1.0),)), idf.none())
GREEN, OTHER = ["fern", "moss", "spore", "shade", "frond"], ["bank", "loan", "goal", "team", "opera", "tenor", "road"]


def row(number: int, words: list[str], folder: str = "a") -> PageRow:
    random = Random(number)
    terms = {random.choice(words): random.randint(1, 4) for _ in range(4)} | {f"name{number}": 1}
    return page_row(Page(f"http://a.test/{folder}/{number}", terms=terms), "en")


SAMPLE = [row(number, OTHER) for number in range(80)] + [row(number, GREEN) for number in range(80, 90)]


def model(examples: int = 8, folder: str = "a") -> RelevanceModel:
    known = [KnownPage(row(200 + number, GREEN, folder), True) for number in range(examples)]
    known += [KnownPage(row(300 + number, OTHER), False) for number in range(12)]
    found = fitted(known, SAMPLE, EVIDENCE, examples)
    assert found is not None
    return found


def test_halfway_is_even() -> None:
    assert probability(HALFWAY) == 0.5
    assert probability(-1e9) < 1e-9 < 1 - 1e-9 < probability(1e9)


def test_ordinary_pages_are_at_0_and_the_best_at_1() -> None:
    found = model()
    ordinary = [found.position(page) for page in SAMPLE[:80]]
    assert sum(ordinary) / len(ordinary) == pytest.approx(0.0, abs=0.15)
    assert max(found.position(page) for page in SAMPLE) == pytest.approx(1.0, abs=0.35)


def test_new_pages_are_told_apart() -> None:
    found = model()
    green, other = ([found(row(400 + number, words)) for number in range(20)] for words in (GREEN, OTHER))
    assert sum(p > q for p in green for q in other) >= 0.95 * len(green) * len(other)
    assert sum(p > 0.5 for p in green) >= 12
    assert sum(p > 0.5 for p in other) == 0


def test_one_kind_of_page_teaches_nothing() -> None:
    assert fitted([KnownPage(row(1, GREEN), True)], SAMPLE, EVIDENCE, 1) is None
    assert fitted([], SAMPLE, EVIDENCE, 0) is None


def test_a_folder_that_all_examples_share_does_not_decide_alone() -> None:
    found = model(folder="people")
    inside = [found(row(500 + number, OTHER, folder="people")) for number in range(10)]
    assert max(inside) < 0.5


def test_a_known_page_is_judged_as_if_it_were_not_known() -> None:
    """What was learned by heart says nothing about how sure one can be."""
    known = [KnownPage(row(200 + number, GREEN), True) for number in range(8)]
    known += [KnownPage(row(300 + number, OTHER), False) for number in range(12)]
    found = fitted(known, SAMPLE, EVIDENCE, 8)
    assert found is not None
    assert set(found.held_out) == {page.row.url for page in known}
    assert found.total(known[0].row, EVIDENCE(known[0].row)) > found.held_out[known[0].row.url]


def test_labels_move_halfway_and_examples_do_not() -> None:
    """Pages of which the model is not sure, and a person says yes of all of them: the next one is likelier."""
    known = [KnownPage(row(200 + number, GREEN), True) for number in range(8)]
    known += [KnownPage(row(300 + number, OTHER), False) for number in range(12)]
    plain = fitted(known, SAMPLE, EVIDENCE, 8)
    assert plain is not None
    assert plain.halfway == HALFWAY
    for said, moved in ((True, -1), (False, 1)):
        doubtful = [KnownPage(row(600 + n, GREEN + OTHER), said, labelled=True) for n in range(8)]
        found = fitted([*known, *doubtful], SAMPLE, EVIDENCE, 8)
        assert found is not None
        assert (found.halfway - HALFWAY) * moved > 0
