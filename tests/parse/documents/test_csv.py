import pytest

from scenthound.model import Response
from scenthound.parse.documents.csv import TableReader


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_columns_are_told(separator: str) -> None:
    body = f'year{separator}"fern species"\n2024{separator}17 http://b.test/17\n'.encode()
    made = TableReader().read(Response("http://a.test/d/fern_counts.csv", 200, (), body))
    assert made.description == "year, fern species"
    assert made.title == "", "what a table is called is its file's name"
    assert [link.href for link in made.links] == ["http://b.test/17"]


def test_an_empty_table() -> None:
    assert TableReader().read(Response("http://a.test/x.csv", 200, (), b"")).description == ""
