"""`label` as a person types it: labels set, listed, carried about; questions answered by keys, pipes and programs."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scenthound import config as toml
from scenthound.app.judge import JudgeSession
from scenthound.cli.main import app
from scenthound.library import open_library
from scenthound.library.label_file import LabelFile
from tests.library.collection import collect, stored, zoo_config, zoo_steps
from tests.watchdog import no_hang

OTTERS = "https://www.zoo.example/otters"
OWL = "https://birds.example/owl"
COPY = "https://copies.example/owl"

runner = CliRunner()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = stored(COPY, "Owls hunt mice at night. Mice fear owls.", duplicate_of=OWL)
    folder = collect(tmp_path / "zoo", [*zoo_steps(), copy], zoo_config())
    toml.save(zoo_config(), folder / "topic.toml")
    asyncio.run(JudgeSession(folder).run())  # what the pages were stored with is made up
    return folder


def run(folder: Path, *words: str, typed: str | bytes = "") -> Result:
    return runner.invoke(app, ["label", str(folder), *words], input=typed)


def labels(folder: Path) -> dict[str, tuple[bool | None, str]]:
    return {label.subject: (label.relevant, label.by) for label in LabelFile(folder).labels().values()}


def counted(folder: Path, url: str) -> bool:
    with open_library(folder, write=False) as library:
        page = library.page(url)
        assert page is not None
        return page.relevant


# Said


def test_a_label_wins_over_the_judge_and_says_so(folder: Path) -> None:
    assert not counted(folder, OWL)
    result = run(folder, "birds.example/owl", "--yes", "--no-judge")
    assert f"relevant: {OWL} (judged 0.00)" in result.stdout
    assert "scenthound judge" in result.stdout
    assert not counted(folder, OWL)
    result = run(folder, OTTERS, "--no")
    assert f"not relevant: {OTTERS} (judged" in result.stdout
    assert "Judged again: " in result.stdout
    assert counted(folder, OWL)
    assert not counted(folder, OTTERS)
    assert f"not relevant: {OTTERS} (as before)" in run(folder, OTTERS, "--no").stdout
    assert f"label taken back: {OTTERS} (was: not relevant)" in run(folder, OTTERS, "--undo").stdout
    assert f"no label: {OTTERS}" in run(folder, OTTERS, "--undo").stdout


def test_a_page_nobody_has_seen_is_kept_and_its_neighbours_named(folder: Path) -> None:
    result = run(folder, "www.zoo.example/otter", "--yes")
    assert result.exit_code == 0
    assert "never saw it; the label is kept" in result.stdout
    assert f"Did you mean {OTTERS}" in result.stdout
    assert labels(folder) == {"https://www.zoo.example/otter": (True, "person")}


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("www.zoo.example/tickets", "(not fetched yet)"),
        ("gone.example", "(could not be fetched)"),
        ("www.zoo.example/admin", "(was not asked for)"),
        (COPY, f"It is a copy of {OWL}, and only that one counts"),
        ("secret.example", "nothing is learned from it"),
    ],
)
def test_what_a_label_cannot_do_is_said(folder: Path, page: str, says: str) -> None:
    assert says in run(folder, page, "--yes", "--no-judge").stdout


def test_a_site_by_name(folder: Path) -> None:
    result = run(folder, "birds.example", "--no", "--site")
    assert "not relevant: birds.example (a site)" in result.stdout
    assert "Judged again" not in result.stdout
    assert "kept for a crawl for sites" in result.stdout
    assert LabelFile(folder).labels("site")["birds.example"].relevant is False


def test_while_a_crawl_is_running(folder: Path) -> None:
    with open_library(folder):
        result = run(folder, OWL, "--yes")
    assert "A crawl that is running here takes it in within seconds" in result.stdout
    assert labels(folder) == {OWL: (True, "person")}


def test_before_the_first_crawl(tmp_path: Path) -> None:
    assert "The first crawl" in run(tmp_path, "a.example", "--yes").stdout
    result = run(tmp_path / "none", "a.example", "--yes")
    assert result.exit_code == 3
    assert "There is no folder" in result.stderr


def test_for_machines(folder: Path) -> None:
    told = json.loads(run(folder, OWL, "--yes", "--json").stdout)
    assert [(change["subject"], change["relevant"]) for change in told["labels"]] == [(OWL, True)]
    assert OWL in [page["url"] for page in told["effect"]["judged"]["now_in"]]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([OWL], "--yes, --no or --undo"),
        (["--yes"], "Name the pages"),
        ([OWL, "--yes", "--no"], "One at a time: --yes or --no"),
        ([OWL, "--yes", "--ask"], "One at a time: --yes or --ask"),
        (["--ask", "--from", "x.csv"], "One at a time: --ask or --from"),
        (["--site"], "--site goes with"),
        (["--ask", "--questions", "3"], "--questions goes with --by"),
        (["ftp://x/", "--yes"], "no URL of a page"),
        (["--from", "/no/such.csv"], "/no/such.csv cannot be read"),
        (["--by", "'"], "cannot be cut into words"),
        (["--by", "/no/such"], "'/no/such' cannot be run"),
    ],
)
def test_mistakes(folder: Path, words: list[str], says: str) -> None:
    result = run(folder, *words)
    assert result.exit_code == 2
    assert says in result.stderr
    assert labels(folder) == {}


# Listed and carried about


def test_the_list(folder: Path) -> None:
    assert "No labels yet" in run(folder).stdout
    run(folder, OWL, "--no", "--no-judge")
    shown = run(folder).stdout
    assert "1 label: 0 yes, 1 no" in shown
    assert OWL in shown
    assert "Owls" in shown
    assert [(row["subject"], row["relevant"], row["by"]) for row in json.loads(run(folder, "--json").stdout)] == [
        (OWL, False, "person")
    ]


def test_to_a_table_and_back(folder: Path, tmp_path: Path) -> None:
    run(folder, OWL, OTTERS, "--yes", "--no-judge")
    assert "2 labels written" in run(folder, "--to", str(tmp_path / "labels.csv")).stderr
    rows = list(csv.DictReader(io.StringIO((tmp_path / "labels.csv").read_text())))
    assert [(row["url"], row["relevant"], row["by"], row["kind"]) for row in rows] == [
        (OWL, "yes", "person", "page"),
        (OTTERS, "yes", "person", "page"),
    ]
    run(folder, OWL, OTTERS, "--undo", "--no-judge")
    result = run(folder, "--from", str(tmp_path / "labels.csv"))
    assert "2 labels from" in result.stdout
    assert "Judged again" in result.stdout
    assert run(folder, "--to", "-").stdout == (tmp_path / "labels.csv").read_text()


def test_from_standard_input(folder: Path) -> None:
    result = run(folder, "--from", "-", typed="\ufeffurl;relevant\nzoo.example/otters;0\nnowhere.example;1\n")
    assert "2 labels from standard input: 2 new, 1 about pages this crawl does not have" in result.stdout
    assert labels(folder) == {OTTERS: (False, "file"), "https://nowhere.example/": (True, "file")}


def test_a_broken_line_and_nothing_is_stored(folder: Path) -> None:
    result = run(folder, "--from", "-", typed="url,relevant\nzoo.example/otters,yes\nx,perhaps\n")
    assert result.exit_code == 2
    assert "line 3: relevant is yes or no, not 'perhaps'" in result.stderr
    assert labels(folder) == {}


# Asked


def events(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_questions_answered_through_a_pipe(folder: Path) -> None:
    result = run(folder, "--ask", typed="y\n\nn\n")
    assert result.exit_code == 0
    assert "All about otters" in result.stdout
    speaking_for = next(line for line in result.stdout.splitlines() if line.startswith("  for"))
    assert {"otters", "river"} & set(speaking_for.replace(",", " ").split())  # as the page spells them
    assert "2 answers kept" in result.stdout
    assert "Judged again" in result.stdout
    said = labels(folder)
    assert said[OTTERS] == (True, "person")
    assert sorted(relevant for relevant, _ in said.values()) == [False, True]


def test_all_pages_are_asked_about_once(folder: Path) -> None:
    told = events(run(folder, "--ask", "--json", typed="n\n" * 20))
    asked = [event["url"] for event in told if event["event"] == "question"]
    assert asked[0] == OTTERS
    assert sorted(asked) == sorted(set(asked)) == sorted(labels(folder))
    assert "https://secret.example/" not in asked  # its text was not kept
    assert told[-1]["event"] == "judged"
    assert told[-1]["judged"]["relevant"] == 1  # that one: nobody could be asked about it


def test_every_answer_is_stored_before_the_next_question(folder: Path) -> None:
    told = events(run(folder, "--ask", "--json", "--no-judge", typed="y\nskip\nb\nno\nb\nb\nq\n"))
    asked = [event["url"] for event in told if event["event"] == "question"]
    assert asked[1] == asked[3]  # b: that page again
    assert asked[-1] == OTTERS
    assert labels(folder) == {}


def test_keys_that_mean_nothing_and_the_url(folder: Path) -> None:
    result = run(folder, "--ask", typed="what\no\nb\nq\n")
    assert "b back" in result.stdout
    assert result.stdout.count(OTTERS) == 3  # shown, on request, and again after b
    assert "There is no answer to take back" in result.stdout
    assert "0 answers kept" in result.stdout


def test_a_library_without_pages(tmp_path: Path) -> None:
    with open_library(tmp_path / "x", create=True):
        pass
    result = run(tmp_path / "x", "--ask")
    assert result.exit_code != 0
    assert "has no pages to ask about yet" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal as Unix has them")
def test_single_keys_on_a_terminal_and_ctrl_c_loses_nothing(folder: Path) -> None:
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    own_terminal = partial(fcntl.ioctl, 0, termios.TIOCSCTTY, 0)  # so that Ctrl-C reaches it
    command = [sys.executable, "-c", "from scenthound.cli.main import main; main()", "label", str(folder), "--ask"]
    with (
        no_hang(),
        subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, preexec_fn=own_terminal
        ) as process,
    ):
        os.close(theirs)
        first = shown_until(ours, b"q quit ")
        assert b"All about otters" in first
        os.write(ours, b"\x1b[Ay")  # an arrow, which means nothing; and no Enter
        assert b"y yes, n no" in shown_until(ours, b"q quit ")
        os.write(ours, b"y")
        shown_until(ours, b"q quit ")
        assert labels(folder) == {OTTERS: (True, "person")}
        os.write(ours, b"\x03")
        assert b"1 answer kept" in shown_until(ours, b"kept.")
        assert process.wait() == 130
    os.close(ours)
    assert labels(folder) == {OTTERS: (True, "person")}


def shown_until(terminal: int, mark: bytes) -> bytes:
    shown = b""
    while mark not in shown:
        shown += os.read(terminal, 65_536)
    return shown


# Programs

ANSWERS = """
import json, sys, pathlib
page = json.load(sys.stdin)
with pathlib.Path({log!r}).open("a") as log: log.write(page["url"] + "\\n")
print("yes" if "otter" in page["text"].lower() else "No, it is not")
"""


def program(tmp_path: Path, code: str) -> str:
    (tmp_path / "answer.py").write_text(code.format(log=str(tmp_path / "log")))
    return shlex.join([sys.executable, str(tmp_path / "answer.py")])


def test_a_program_answers(folder: Path, tmp_path: Path) -> None:
    command = program(tmp_path, ANSWERS)
    result = run(folder, "--by", command, "--questions", "3")
    assert result.exit_code == 0
    assert "answer.py answered 3 times" in result.stdout
    assert "Judged again" in result.stdout
    said = labels(folder)
    assert len(said) == 3
    assert said[OTTERS] == (True, "program:answer.py")
    assert len((tmp_path / "log").read_text().splitlines()) == 3


def test_a_program_is_not_asked_twice_and_a_person_outranks_it(folder: Path, tmp_path: Path) -> None:
    command = program(tmp_path, ANSWERS)
    run(folder, "--by", command)
    asked = len((tmp_path / "log").read_text().splitlines())
    run(folder, OTTERS, "--no")
    (folder / "labels.jsonl").unlink()
    run(folder, OTTERS, "--no")
    told = json.loads(run(folder, "--by", command, "--json").stdout)["answers"]
    assert (told["runs"], told["known_before"]) == (0, len(labels(folder)) - 1)  # copies of a page share an answer
    assert len((tmp_path / "log").read_text().splitlines()) == asked
    assert labels(folder)[OTTERS] == (False, "person")


def test_a_program_that_does_not_answer(folder: Path, tmp_path: Path) -> None:
    result = run(folder, "--by", program(tmp_path, "raise SystemExit('no key')"))
    assert result.exit_code == 1
    assert "no answer 5 times: exit code 1 (no key)" in result.stdout
    assert "not asked any more" in result.stdout
    assert labels(folder) == {}
