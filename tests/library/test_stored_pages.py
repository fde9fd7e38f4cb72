"""Stored pages come back as the crawl saw them, as far as what was kept allows."""

from pathlib import Path

import pytest

from scenthound.config import LibrarySection
from scenthound.errors import LibraryError
from scenthound.library import open_library
from scenthound.library.stored_pages import copy_of, read_page, unread_visit, visits
from scenthound.model import Step
from tests.library.steps import SEED, entry, fetched

BODY = b"<title>Otters</title><p>Otters swim. <a href='/next'>the next</a> page</p>"
NEXT = "http://a.example/next"
WITHOUT_ANSWERS = LibrarySection(warc=False)


def page_step(url: str = SEED, **more: object) -> Step:
    return fetched(
        entry(url, memory=b"remembered", depth=2), 1.0, BODY, (NEXT,), title="Otters", text="Otters swim.", **more
    )


def test_a_page_is_parsed_from_its_answer(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.record(page_step())
        page = read_page(library, SEED, "en")
        assert page is not None
        assert (page.title, page.text, page.terms["otter"]) == ("Otters", "Otters swim. the next page", 2)
        assert page.links[0].context == "Otters swim. the next page"
        stored = library.page(SEED)
        assert stored is not None
        copy = copy_of(library, stored, "en")
        assert copy.response is not None
        assert copy.response.body == BODY


def test_without_the_answer_text_and_links_must_do(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True, settings=WITHOUT_ANSWERS) as library:
        library.record(page_step())
        page = read_page(library, SEED, "en")
        assert page is not None
        assert (page.title, page.text, page.terms["otter"]) == ("Otters", "Otters swim.", 2)
        assert [(link.url, link.context) for link in page.links] == [(NEXT, "")]
        assert list(visits(library, "en", whole=True)) == []


def test_what_asked_not_to_be_kept_has_links_alone(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.record(page_step(noindex=True))
        assert read_page(library, SEED, "en") is None
        (each,) = visits(library, "en")
        assert (each.visit.page.text, [link.url for link in each.visit.page.links]) == ("", [NEXT])


def test_redirects_are_followed(tmp_path: Path) -> None:
    old, older = "http://a.example/old", "http://a.example/older"
    with open_library(tmp_path, create=True) as library:
        library.record(Step(lease=entry(older), state="moved", at=1.0, reason=old))
        library.record(Step(lease=entry(old), state="moved", at=1.0, reason=SEED))
        library.record(page_step())
        assert read_page(library, older, "en") == read_page(library, SEED, "en") is not None
        library.record(Step(lease=entry(NEXT), state="moved", at=1.0, reason=NEXT))
        assert read_page(library, NEXT, "en") is None
        assert read_page(library, "http://nowhere.example/", "en") is None


def test_visits_are_what_a_strategy_saw(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.record(page_step())
        library.record(page_step(NEXT))
        first, second = visits(library, "en")
        assert (first.stored.url, first.visit.link.url, second.visit.link.url) == (SEED, SEED, NEXT)
        assert (first.visit.relevance, first.visit.relevant, first.visit.depth) == (0.75, True, 2)
        assert first.visit.memory == b"remembered"
        assert first.visit.page == read_page(library, SEED, "en")
        assert [each.stored.url for each in visits(library, "en", after=1)] == [NEXT]
        bare = unread_visit(first.stored)
        assert (bare.page.url, bare.page.text, bare.relevance, bare.depth) == (SEED, "", 0.75, 2)


def test_a_damaged_archive_can_be_done_without(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.record(page_step())
        library.flush()
        stored = library.page(SEED)
        assert stored is not None
        for path in (tmp_path / "warc").iterdir():
            path.unlink()
        with pytest.raises(LibraryError):
            copy_of(library, stored, "en")
        copy = copy_of(library, stored, "en", damaged_too=True)
        assert (copy.response, copy.page.text) == (None, "Otters swim.")
