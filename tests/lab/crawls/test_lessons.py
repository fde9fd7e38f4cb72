"""Lessons of the lab: from labelled groups of pages, or from trails and a graph collected backwards."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from scenthound.errors import ConfigError
from scenthound.lab.crawls.lessons import Labelled, Teacher, labels_beside, read_labels
from scenthound.lab.crawls.web_statistics import WebStatistics
from scenthound.lab.topics import LabTopic
from scenthound.model import Link, Page
from scenthound.page_memo import PageMemo

WEB = {  # page -> the pages it links to
    "hub": ["course1", "course2", "people"],
    "people": ["hub"],
    "course1": ["hub"],
    "course2": [],
    "lost": [],
    "elsewhere": ["course1"],
}


def url(name: str) -> str:
    return f"http://u.example/{name}"


class TinyCrawler:
    """Pages by URL, as the lab has them."""

    def __init__(self) -> None:
        self.memo = PageMemo(100)

    def page(self, address: str, language: str) -> Page | None:
        name = address.rpartition("/")[2]
        if name not in WEB:
            return None
        links = tuple(Link(url(target), address) for target in WEB[name])
        terms = {name: 3, "word": 1, **({"course": 5} if "course" in name else {})}
        return Page(url=address, title=name, terms=terms, links=links)


def statistics() -> WebStatistics:
    names = list(WEB)
    pairs = [(names.index(a), names.index(b)) for a, targets in WEB.items() for b in targets]
    sources, targets = np.array(pairs, dtype=np.int32).T
    return WebStatistics([url(name) for name in names], None, sources, targets)  # type: ignore[arg-type]


def topic(**more: object) -> LabTopic:
    given = {"name": "courses", "seeds": (url("hub"),), "targets": (url("course1"), url("course2")), **more}
    return LabTopic(**given)  # type: ignore[arg-type]


def teacher(labelled: Labelled | None = None, collected: int = 300, noise: float = 0.0) -> Teacher:
    return Teacher(TinyCrawler(), statistics(), labelled, collected, noise)  # type: ignore[arg-type]


def idf(term: str) -> float:
    return 1.0


def test_labelled_groups() -> None:
    rows = [(url(name), "course" if "course" in name else "other", "cornell") for name in WEB if name != "elsewhere"]
    rows += [(url("elsewhere"), "other", "texas"), (url("missing"), "course", "cornell")]
    given = topic(category="course", train_universities=("cornell",))
    lessons = teacher(Labelled(rows)).lessons(given, idf)
    states = {page.title: state for page, state in zip(lessons.pages, lessons.states, strict=True)}
    assert states == {"hub": 1, "people": 2, "course1": 0, "course2": 0, "lost": -1}
    named = {(lessons.pages[a].title, lessons.pages[b].title) for a, b in lessons.edges}
    assert named == {(a, b) for a in states for b in WEB[a]}
    assert lessons.sequences
    assert all((a, b) in lessons.edges for way in lessons.sequences for a, b in pairwise(way))
    assert lessons == teacher(Labelled(rows)).lessons(given, idf), "the same every time"


def test_trails_and_a_collected_graph() -> None:
    trail = (url("people"), url("hub"), url("course2"))
    given = topic(relevant_examples=(url("course2"),), trails=(trail,))
    lessons = teacher().lessons(given, idf)
    states = {page.title: state for page, state in zip(lessons.pages, lessons.states, strict=True)}
    # Backwards from course2: hub; from hub: people and course1; from course1: elsewhere.
    assert states == {"people": 2, "hub": 1, "course2": 0, "course1": 2, "elsewhere": 3}
    browsed = tuple(next(n for n, page in enumerate(lessons.pages) if page.url == step) for step in trail)
    assert browsed in lessons.sequences


def test_no_more_pages_are_collected_than_allowed() -> None:
    lessons = teacher(collected=2).lessons(topic(relevant_examples=(url("course2"),)), idf)
    assert {page.title for page in lessons.pages} == {"course2", "hub"}


def test_what_was_seen_in_training_is_not_found() -> None:
    assert topic(seen=(url("course1"),)).scored_targets() == {url("course2")}


def test_a_table_of_labels(tmp_path: Path) -> None:
    web = tmp_path / "u.warc.gz"
    assert labels_beside([str(web)]) is None
    table = tmp_path / "u-labels.tsv"
    table.write_text("url\tclass\tuniversity\nHTTP://U.example/a\tcourse\tcornell\nno url\tcourse\tcornell\n")
    assert labels_beside([str(web)]) == table
    assert read_labels(table).of(["cornell", "texas"]) == [("http://u.example/a", "course")]


@pytest.mark.parametrize(
    ("text", "said"), [("", "first line"), ("a\tb\n", "first line"), ("url\tclass\tuniversity\nx\n", "line 2: 1 cells")]
)
def test_no_table_of_labels(tmp_path: Path, text: str, said: str) -> None:
    table = tmp_path / "labels.tsv"
    table.write_text(text)
    with pytest.raises(ConfigError, match=said):
        read_labels(table)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_labels(tmp_path / "absent.tsv")


def test_random_is_of_no_matter_to_other_topics() -> None:
    first = teacher()
    first.lessons(topic(name="other", relevant_examples=(url("hub"),)), idf)
    again = first.lessons(topic(relevant_examples=(url("course2"),)), idf)
    assert again == teacher().lessons(topic(relevant_examples=(url("course2"),)), idf)


def test_a_careless_teacher_puts_pages_into_wrong_states_and_changes_nothing_else() -> None:
    given = topic(relevant_examples=(url("course2"),))
    right, wrong = teacher().lessons(given, idf), teacher(noise=0.4).lessons(given, idf)
    assert (wrong.pages, wrong.edges, wrong.sequences) == (right.pages, right.edges, right.sequences)
    changed = sum(one != other for one, other in zip(right.states, wrong.states, strict=True))
    assert changed == round(0.4 * len(right.pages)) > 0
    assert wrong == teacher(noise=0.4).lessons(given, idf), "the same every time"
