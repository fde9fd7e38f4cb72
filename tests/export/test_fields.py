import pytest

from scenthound.errors import UsageError
from scenthound.export.fields import DEFAULT_FIELDS, FIELDS, fields_of, moment
from tests.conformance.exporters import make_page


def test_an_unknown_field_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean 'title'"):
        fields_of(["titel"])
    with pytest.raises(UsageError, match="There are: url"):
        fields_of(["xyzzy"])
    assert fields_of([""], with_text=True) == (*DEFAULT_FIELDS, "text")


def test_a_field_is_told_once() -> None:
    assert fields_of([" url", "title", "url", "text"], with_text=True) == ("url", "title", "text")


def test_what_is_told_of_a_page() -> None:
    page = make_page(1)
    assert moment(page.fetched_at) == "2023-11-14T22:13:21Z"
    read = FIELDS["site"].read
    assert read is not None
    assert read(page) == "host1.example"
    assert set(DEFAULT_FIELDS) <= set(FIELDS)
