from __future__ import annotations

import numpy as np
import pytest

from scenthound.learn.chains.labels import labels
from scenthound.learn.chains.page_features import FeatureReader
from scenthound.learn.chains.sequence_batches import SequenceReader, chains, vocabulary
from scenthound.text import idf
from tests.conformance.strategies import TOPIC, make_lessons

pytest.importorskip("scipy")

LESSONS = make_lessons()


def sequence_reader() -> SequenceReader:
    return SequenceReader(LESSONS, FeatureReader(TOPIC, idf.none(), [LESSONS.pages[4].terms]), [4])


@pytest.mark.parametrize("view", ["page", "target"])
def test_rows_are_the_sums_of_their_parts(view: str) -> None:
    reader = sequence_reader()
    made = chains(reader, LESSONS.sequences, labels(LESSONS), 5, view, least=1)  # type: ignore[arg-type]
    way = LESSONS.sequences[1]
    batch = next(batch for batch in made.batches if batch.rows.shape[1] == len(way))
    rows = made.rows
    for t, page in enumerate(way):
        before, after = (way[t - 1] if t else -1), (way[t + 1] if t + 1 < len(way) else -1)
        expected: dict[str, float] = {}
        for part in reader.row(view, before, page, after):  # type: ignore[arg-type]
            for name, value in reader.parts[part].items():
                expected[name] = expected.get(name, 0.0) + value
        found = np.asarray(rows[batch.rows[0, t]].todense())[0]
        assert {name: found[column] for name, column in made.columns.items() if found[column]} == pytest.approx(
            {name: value for name, value in expected.items() if value}
        )
        assert batch.labels[0, t] == labels(LESSONS)[page]


def test_what_repeats_is_kept_once() -> None:
    made = chains(sequence_reader(), [(3, 4), (3, 4), (3, 5), (0, 1, 3, 4)], labels(LESSONS), 5, "target")
    assert [(batch.rows.shape, batch.weights.tolist()) for batch in made.batches] == [((2, 2), [2, 1]), ((1, 4), [1])]
    assert made.places == 10
    # (-1, 3), (3, 4), (3, 5), (-1, 0), (0, 1), (1, 3); the step (3, 4) is in two sequences
    assert made.sums.shape[0] == 6


def test_the_target_view_knows_nothing_of_an_unfetched_page() -> None:
    """A row at place t holds features of page t - 1 and of the link, none of page t."""
    reader = sequence_reader()
    museum, dengue = reader.row("target", 3, 4, 6), reader.page(4)
    assert dengue not in museum
    assert reader.page(3) in museum
    assert dengue in reader.row("page", 3, 4, 6)


def test_rare_features_are_left_out() -> None:
    assert vocabulary([{"a": 1, "b": 1}, {"a": 0.5}, {"c": 1, "b": 1}]) == {"a": 0, "b": 1}


def test_a_link_nobody_shows_has_no_words() -> None:
    found = sequence_reader().found(8, 2)
    assert (found.url, found.source, found.anchor) == (LESSONS.pages[2].url, LESSONS.pages[8].url, "")
    assert sequence_reader().found(3, 4).anchor == "dengue"
