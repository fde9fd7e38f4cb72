import pytest

from scenthound.cli.views.search import lines
from scenthound.protocols.records import SearchHit, SearchResult, Snippet


@pytest.mark.parametrize(("label", "shown"), [(None, ""), (True, "labelled yes"), (False, "labelled no")])
def test_a_label_is_shown(label: bool | None, shown: str) -> None:
    hit = SearchHit(
        "http://a.example/", "Otters", "a.example", "en", 1.0, 0.5, True, 1e9, 0, Snippet("text"), label=label
    )
    text = "\n".join(line.plain for line in lines(SearchResult([hit], 1), 80))
    assert shown in text
    assert ("labelled" in text) is bool(shown)
