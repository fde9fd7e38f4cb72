"""Rows and models as arrays. That a judge made of them says the same is tested with the judge `auto`."""

from __future__ import annotations

import numpy as np
import pytest

from scenthound.learn.relevance.page_rows import page_row
from scenthound.learn.relevance.row_arrays import rows_back, rows_kept
from scenthound.model import Page
from scenthound.text.analysis import analyzer


def page(number: int) -> Page:
    text = " ".join(f"word{n}" for n in range(number))
    return Page(f"http://a.test/{number}", text=text, terms=analyzer("en").counts(text), language="en")


def test_rows_come_back_as_they_were() -> None:
    rows = [page_row(page(number), "en") for number in (0, 3, 7)]
    back = rows_back(*rows_kept(rows, "fair"), "fair")
    assert [(row.url, row.words, row.all_words) for row in back] == [
        (row.url, row.words, row.all_words) for row in rows
    ]
    for one, other in zip(rows, back, strict=True):
        for field, same in zip(one.fields, other.fields, strict=True):
            assert np.array_equal(field.places, same.places)
            assert np.array_equal(field.values, same.values)


def test_no_rows_are_no_rows() -> None:
    assert rows_back(*rows_kept([], "fair"), "fair") == []


def test_rows_of_other_fields_are_refused() -> None:
    urls, arrays = rows_kept([page_row(page(3), "en")], "fair")
    with pytest.raises(ValueError, match="other fields"):
        rows_back(urls, arrays | {"fair lengths": arrays["fair lengths"][:-1]}, "fair")
