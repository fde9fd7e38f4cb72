import io

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from scenthound.app.library_status import Find, HostShare, LibraryStatus, RunLine
from scenthound.cli.views.library_status import draw, lines
from scenthound.library.label_figures import LabelFigures, LabelTally
from scenthound.protocols.records import JudgedAgain

FULL = LibraryStatus(
    folder="crawls/dengue-fever",
    topic="dengue fever",
    strategy="best-first",
    pages=600,
    relevant=312,
    duplicates=1,
    waiting=4312,
    failed=12,
    refused=85,
    hosts=24,
    bytes=12_300_000,
    harvest=[0.1, 0.5, 0.9],
    failures={"timeout": 4, "404": 8},
    refusals={kind: 10 - number for number, kind in enumerate("abcdefghi")},
    top_hosts=[HostShare(f"www.host-{number}.example", 30, 10) for number in range(10)],
    best=[Find(f"https://www.example.org/{number}", "デング熱 \x1b[31m", 0.9) for number in range(10)],
    runs=[RunLine(1e9, 1e9 + 75, "pages", 600), RunLine(1e9, None, "", None), RunLine(1e9, 1e9 + 1, "eclipse", 1)],
)


def drawn(status: LibraryStatus, width: int = 80, height: int = 24) -> str:
    file = io.StringIO()
    draw(status, Console(file=file, width=width, height=height))
    return file.getvalue()


def test_it_tells_what_is_there() -> None:
    text = drawn(FULL)
    for word in (
        "dengue fever · best-first",
        "crawls/dengue-fever",
        "600 pages · 312 relevant · harvest 52 %  ▂▅▇",
        "4,312 waiting · 24 hosts · 1 duplicate · 12 failed · 85 refused · 12.3 MB",
        "www.host-0.example",
        "8 × 404 not found · 4 × timeout",
        "9 × other",
        "1:15",
        "as many pages as were asked for",
        "going on, or broken off",
        "eclipse",
    ):
        assert word in text
    assert "\x1b" not in text


def test_labels_and_when_it_was_judged_again() -> None:
    assert "label" not in drawn(FULL)
    labels = LabelFigures(pages=LabelTally(12, 5), sites=LabelTally(1, 0))
    status = replace(FULL, labels=labels, judged_again=JudgedAgain(1e9, "auto"))
    shown = drawn(status).splitlines()
    assert shown[3] == " labels: 12 yes, 5 no · labels of sites: 1 yes, 0 no"
    assert shown[4].startswith(" judged again on 2001-09-")
    assert shown[4].endswith(" with auto")
    assert len(list(lines(status, 80, 24, runs=False))) <= 16


@pytest.mark.parametrize("width", [50, 80, 200])
def test_it_keeps_to_the_screen(width: int) -> None:
    shown = list(lines(FULL, width, 24, runs=False))
    assert len(shown) <= 16  # what is said before and after it needs the rest
    assert all(cell_len(line.plain) <= width for line in shown[5:14])


def test_an_empty_library_is_no_trouble() -> None:
    assert "0 pages · 0 relevant · harvest –" in drawn(LibraryStatus(folder="x", topic="", strategy="random"))


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_what_is_to_be_read_is_not_cut(width: int) -> None:
    shown = drawn(replace(FULL, noindex=1, held={"timeout": 12}), width)
    words = " ".join(shown.split())
    assert "neither text nor WARC is kept (keep_noindex under [library] keeps them)" in words
    assert "9 × other" in words
    assert "12 × timeout" in words
    told = shown[shown.index(" Noindex") :].splitlines()
    assert max(map(len, told)) <= width
    assert all(line.startswith((" Noindex ", " Failed  ", " Refused ", " Held up ", " " * 9)) for line in told)


def test_a_round_of_looks_is_told_as_one() -> None:
    text = drawn(replace(FULL, runs=[RunLine(1e9, 1e9 + 75, "frontier empty", 0, looks=12)]))
    assert "12 looks  looked at all that was due" in text
    assert "no link was left" not in text


def test_why_a_run_ended_is_not_cut_on_a_narrow_screen() -> None:
    status = replace(FULL, runs=[RunLine(1e9, 1e9 + 75, "coverage reached", 600)])
    shown = " ".join(drawn(status, width=60).split())
    assert "coverage reached: as large a share is found as was wanted" in shown
    assert "…" not in drawn(status, width=60).split("Runs")[1].split("Failed")[0]
