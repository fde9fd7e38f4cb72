"""URLs as people write them lead to the pages they mean."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.app.label_subjects import LabelSubjects, Subject
from scenthound.errors import UsageError
from scenthound.library import open_library
from scenthound.protocols.library import Library
from scenthound.sites.site_runs import STRATEGY
from tests.library.collection import collect, stored, zoo, zoo_config

OTTERS = "https://www.zoo.example/otters"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with open_library(zoo(tmp_path / "zoo"), write=False) as library:
        yield library


@pytest.mark.parametrize(
    "text",
    [
        OTTERS,
        f" {OTTERS}\n",
        f"{OTTERS}/",
        f"{OTTERS}#top",
        "HTTPS://WWW.ZOO.example:443/otters?utm_source=x",
        "www.zoo.example/otters",
        "zoo.example/otters",
        "http://zoo.example/otters/",
        "https://old.example/",  # which has moved
        "old.example",
    ],
)
def test_a_stored_page(library: Library, text: str) -> None:
    assert LabelSubjects(library).find(text) == Subject(OTTERS, "page", "fetched")


def test_a_page_is_not_taken_for_another(library: Library) -> None:
    assert LabelSubjects(library).find("https://birds.example/owl?x=1").state == ""


@pytest.mark.parametrize(
    ("text", "state"),
    [("www.zoo.example/tickets", "waiting"), ("www.zoo.example/admin", "refused"), ("http://gone.example", "failed")],
)
def test_a_url_that_is_known_but_no_page(library: Library, text: str, state: str) -> None:
    found = LabelSubjects(library).find(text)
    assert (found.state, found.near) == (state, ())


def test_one_that_was_never_seen_names_those_like_it(library: Library) -> None:
    found = LabelSubjects(library).find("www.zoo.example/otter")
    assert (found.name, found.state) == ("https://www.zoo.example/otter", "")
    assert OTTERS in found.near


def test_without_a_library_the_url_as_it_is_written() -> None:
    assert LabelSubjects(None).find("Example.org/a/") == Subject("https://example.org/a/")


@pytest.mark.parametrize("text", ["", "  ", "ftp://example.org/", "http://"])
def test_no_url(library: Library, text: str) -> None:
    with pytest.raises(UsageError, match="no URL"):
        LabelSubjects(library).find(text)


def test_a_host_is_a_site_where_sites_were_looked_for(tmp_path: Path) -> None:
    config = zoo_config()
    config.crawl.strategy = STRATEGY
    collect(tmp_path / "x", [stored("https://a.example/", "otters")], config)
    with open_library(tmp_path / "x", write=False) as library:
        subjects = LabelSubjects(library)
        assert subjects.find("A.example") == Subject("a.example", "site", "fetched")
        assert subjects.find("https://a.example/") == Subject("https://a.example/", "page", "fetched")
        assert subjects.find("a.example/x").kind == "page"


def test_sites_by_name(library: Library) -> None:
    assert LabelSubjects(library).find("www.zoo.example").kind == "page"
    assert LabelSubjects(library, sites=True).find("https://www.zoo.example/otters") == Subject(
        "www.zoo.example", "site"
    )


def test_a_site_that_is_a_part_of_a_host_keeps_its_name() -> None:
    subjects = LabelSubjects(None, sites=True)
    assert subjects.site_named("Users.example/~Jo/") == "users.example/~Jo"
    assert subjects.site_named("users.example/") == "users.example"
    assert subjects.site_named("https://users.example/~jo/page") == "users.example"


def test_what_a_site_is_goes_by_the_settings(tmp_path: Path) -> None:
    config = zoo_config()
    config.crawl.strategy = STRATEGY
    config.sites.kind = "domain"
    collect(tmp_path / "x", [stored("https://a.example.co.uk/", "otters")], config)
    with open_library(tmp_path / "x", write=False) as library:
        assert LabelSubjects(library).find("www.a.example.co.uk") == Subject("example.co.uk", "site", "fetched")
