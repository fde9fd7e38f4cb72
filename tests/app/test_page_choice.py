"""Pages chosen by year, label, tag and group; and how what was found is spread."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.app.label import set_labels
from scenthound.app.notes import write_note
from scenthound.app.page_choice import PageChoice, page_filters, search_facets, search_filters
from scenthound.app.page_groups import page_groups
from scenthound.errors import UsageError
from scenthound.library import open_library
from tests.library.collection import zoo

OTTERS, OWL = "https://www.zoo.example/otters", "https://birds.example/owl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = zoo(tmp_path / "zoo")
    set_labels(folder, [OTTERS], True)
    set_labels(folder, [OWL], False)
    write_note(folder, OWL, "", ["night"])
    return folder


def chosen(folder: Path, choice: PageChoice) -> set[str]:
    with open_library(folder, write=False) as library:
        filters = page_filters(choice, library, folder, lambda: page_groups(library))
        return {page.url for page in library.page_list(filters).pages}


def test_by_label_tag_year_and_group(folder: Path) -> None:
    assert chosen(folder, PageChoice(label="yes")) == {OTTERS}
    assert chosen(folder, PageChoice(label="no")) == {OWL}
    assert chosen(folder, PageChoice(label="any")) == {OTTERS, OWL}
    assert chosen(folder, PageChoice(label="none")).isdisjoint({OTTERS, OWL})
    assert len(chosen(folder, PageChoice(label="none"))) == 5
    assert chosen(folder, PageChoice(tag="Night")) == {OWL}
    assert chosen(folder, PageChoice(tag="night", label="yes")) == set()
    assert len(chosen(folder, PageChoice(fetched=2023))) == 7
    assert chosen(folder, PageChoice(fetched=2022)) == set()
    assert chosen(folder, PageChoice(year="2021")) == {OTTERS}
    assert len(chosen(folder, PageChoice(year="unknown"))) == 6
    with open_library(folder, write=False) as library:
        group = page_groups(library).groups[0]
    assert chosen(folder, PageChoice(group=group.name)) == group.members


@pytest.mark.parametrize("choice", [PageChoice(group="no such group"), PageChoice(fetched=12), PageChoice(year="12")])
def test_what_there_is_not_is_said(folder: Path, choice: PageChoice) -> None:
    with pytest.raises(UsageError):
        chosen(folder, choice)


def test_what_a_search_finds_is_counted(folder: Path) -> None:
    with open_library(folder, write=False) as library:
        library.update_search()
        groups = page_groups(library)
        filters = search_filters(PageChoice(), library, folder, lambda: groups)
        facets = search_facets(library, ["otter"], filters, groups)
        assert facets.counted == 4
        assert {each.value: each.pages for each in facets.hosts}["www.zoo.example"] == 2
        assert [(each.value, each.pages) for each in facets.fetched] == [("2023", 4)]
        assert [(each.value, each.pages) for each in facets.years] == [("unknown", 3), ("2021", 1)]
        assert {each.value: each.pages for each in facets.labels} == {"none": 3, "yes": 1}
        assert sum(each.pages for each in facets.groups) == 4
        german = search_filters(PageChoice(language="de"), library, folder, lambda: groups)
        assert search_facets(library, ["otter"], german, None).counted == 1


def test_copies_are_counted_and_said_to_be_copies(folder: Path) -> None:
    with open_library(folder, write=False) as library:
        library.update_search()
        filters = search_filters(PageChoice(), library, folder, lambda: page_groups(library))
        facets = search_facets(library, ["owls", "mice"], filters, None)
        answers = library.search(["owls", "mice"], filters)
        assert facets.copies == answers.hits[0].copies == 1
        assert facets.counted - facets.copies == answers.total
        assert sum(each.pages for each in facets.relevance) == facets.counted
        assert search_facets(library, ["otter"], filters, None).copies == 0
