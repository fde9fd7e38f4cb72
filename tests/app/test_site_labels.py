"""What was said about sites, from lists and from people, in one store."""

from __future__ import annotations

import asyncio
from pathlib import Path

from scenthound.app.site_labels import can_teach, site_labels, with_homepages
from scenthound.config import Config, from_dict
from scenthound.library.label_file import LabelFile
from scenthound.model import Label
from tests.small_web import crawl_of, page


def listing(relevant: list[str], other: list[str], kind: str = "host") -> Config:
    return from_dict({"sites": {"relevant": relevant, "other": other, "kind": kind}})


def test_lists_go_into_the_store_by_the_names_sites_have(tmp_path: Path) -> None:
    assert site_labels(tmp_path, Config()) == {}
    assert not list(tmp_path.iterdir())
    lists = listing(["http://a.test/~jo/"], ["https://www.b.test/x/y.html"], "folder")
    assert site_labels(tmp_path, lists) == {"a.test/~jo": True, "www.b.test/x": False}
    assert {label.by for label in LabelFile(tmp_path).labels("site").values()} == {"list"}
    assert site_labels(tmp_path, Config()) == {"a.test/~jo": True, "www.b.test/x": False}


def test_a_person_is_not_overruled_by_a_list_that_is_read_again(tmp_path: Path) -> None:
    lists = listing(["http://a.test/"], ["http://b.test/"])
    site_labels(tmp_path, lists)
    store = LabelFile(tmp_path)
    store.add_labels([Label("a.test", False, kind="site"), Label("b.test", None, kind="site")])
    assert site_labels(tmp_path, lists) == {"a.test": False}
    assert site_labels(tmp_path, listing(["http://b.test/"], ["http://c.test/"])) == {
        "a.test": False,
        "b.test": True,
        "c.test": False,
    }


def test_two_of_each_kind_can_teach() -> None:
    assert not can_teach({})
    assert not can_teach({"a": True, "b": True, "c": False})
    assert can_teach({"a": True, "b": True, "c": False, "d": False})


def test_labelled_sites_are_entered_where_they_were_seen(tmp_path: Path) -> None:
    with crawl_of(tmp_path, {"http://seen.test:8080/": page()}, seeds=("http://seen.test:8080/",)) as crawl:
        asyncio.run(crawl.run())
    labels = {"seen.test:8080": True, "listed.test": False, "new.test": False}
    config = with_homepages(listing(["http://x.test/"], ["http://listed.test/en/"]), tmp_path, labels)
    assert config.sites.relevant == ["http://seen.test:8080/"]
    assert config.sites.other == ["http://listed.test/en/", "https://new.test/"]
