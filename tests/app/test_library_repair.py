import asyncio
from pathlib import Path

from scenthound.app.library_repair import LibraryRepair, repair_library
from scenthound.library import open_library
from tests.library.breaking import overwrite_table, spoil_value
from tests.library.collection import zoo

TOPIC = """
[topic]
name = "otters"
keywords = ["otter", "river"]
[crawl]
judge = "keywords"
[scope]
deny = "host:far.example"
"""


def repair(folder: Path) -> LibraryRepair:
    return asyncio.run(repair_library(folder))


def test_a_whole_library_is_left_alone(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    before = (folder / "library.db").stat().st_mtime_ns
    outcome = repair(folder)
    assert (outcome.whole, outcome.found, outcome.repaired) == (True, [], None)
    assert (folder / "library.db").stat().st_mtime_ns == before


def test_pages_that_are_made_anew_are_judged(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    (folder / "topic.toml").write_text(TOPIC)
    (folder / "library.db").unlink()
    outcome = repair(folder)
    assert outcome.repaired is not None
    assert (outcome.whole, outcome.repaired.pages, outcome.judged, outcome.not_judged) == (True, 6, 6, "")
    with open_library(folder, write=False) as library:
        otters = library.page("https://www.zoo.example/otters")
        assert otters is not None
        assert otters.relevant
        assert otters.first_relevance == otters.relevance > 0.3


def test_without_a_topic_it_says_what_is_to_be_done(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    overwrite_table(folder, "pages", share=1)
    outcome = repair(folder)
    assert outcome.whole
    assert "topic.toml" in outcome.not_judged


def test_links_that_wait_again_are_those_a_crawl_would_follow(tmp_path: Path) -> None:
    from tests.library.collection import collect, stored

    links = '<a href="https://far.example/">far</a> <a href="/near">near</a>'
    folder = collect(tmp_path, [stored("https://a.example/", body=f"<p>otter {links}</p>".encode())])
    (folder / "topic.toml").write_text(TOPIC)
    (folder / "library.db").unlink()
    outcome = repair(folder)
    assert outcome.repaired is not None
    assert outcome.repaired.links_found_again == 1
    with open_library(folder, write=False) as library:
        row = library.url_row("https://a.example/near")
        assert row is not None
        assert (row.state, row.depth, row.link.source) == ("waiting", 1, "https://a.example/")


def test_what_it_cannot_mend_is_left_and_named(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    (folder / "labels.jsonl").write_text("nothing of ours\n\n")
    (folder / "search.db").write_bytes(b"nothing of ours" * 99)
    outcome = repair(folder)
    assert [damage.part for damage in outcome.found] == ["search.db", "labels.jsonl"]
    assert outcome.repaired is None
    assert [damage.part for damage in outcome.left] == ["labels.jsonl"]
    spoil_value(folder, "UPDATE contents SET text = x'00'")
    assert [damage.part for damage in repair(folder).left] == ["labels.jsonl"]
