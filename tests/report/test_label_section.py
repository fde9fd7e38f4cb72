from pathlib import Path

from scenthound.library import open_library
from scenthound.model import Label
from scenthound.report.crawl_report import write_report
from tests.library.collection import zoo
from tests.report.test_crawl_report import Seen

OTTERS, DUCK = "https://www.zoo.example/otters", "https://birds.example/duck"


def report(folder: Path) -> str:
    return " ".join(Seen(write_report(folder).read_text(encoding="utf-8")).text.split())


def test_no_labels_no_section(tmp_path: Path) -> None:
    assert "Labels" not in report(zoo(tmp_path))


def test_labels_and_what_they_decided(tmp_path: Path) -> None:
    with open_library(zoo(tmp_path)) as library:
        library.add_labels([Label(OTTERS, False), Label(DUCK, True, "list"), Label("http://x.example/", True, "<b>")])
    text = report(tmp_path)
    assert "It decided 2 pages of the library, 1 for and 1 against; 1 of them had been judged otherwise." in text
    assert "Said by Relevant Not relevant" in text
    assert "person 0 1" in text
    assert "<b> 1 0" in text
    assert "no All about otters" in text


def test_the_curve_stays_true_and_the_counts_are_of_today(tmp_path: Path) -> None:
    with open_library(zoo(tmp_path)) as library:
        before = library.counts().relevant
        library.judge_again([(OTTERS, 0.0, False)])
        library.note_judged_by("digest", "strict")
    text = report(tmp_path)
    assert f"as they were judged when they came, {before} relevant ones" in text
    assert f"with strict, and now it is {before - 1}" in text
    assert f"relevant pages {before - 1}" in text
