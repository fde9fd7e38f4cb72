"""A program answers about pages; what is no answer is told apart from one."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scenthound.errors import UsageError
from scenthound.model import Keyword, Page, Topic
from scenthound.training import program_answers
from scenthound.training.program_answers import KeptAnswers, NoAnswer, ask_program, name_of, question_about, words_of

QUESTION = question_about(
    Page("http://a.example/", title="Otters; rm -rf $HOME", text="An otter `id` in the river. " * 1000, language="en"),
    Topic("otters", (Keyword("otter", 0.5), Keyword("river", 0.5))),
)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(
    ("said", "meant"),
    [("yes", "yes"), ("No.", "no"), ("\n  UNSURE, I think", "unsure"), ("**Yes** because\nno", "yes"), ('"no"', "no")],
)
async def test_the_first_word_is_the_answer(said: str, meant: str) -> None:
    assert await ask_program(python(f"print({said!r})"), QUESTION) == meant


@pytest.mark.parametrize(
    ("code", "reason", "detail"),
    [
        ("pass", "nothing was answered", ""),
        ("print('maybe')", "the answer was none of yes, no, unsure", "maybe"),
        ("print('yesterday')", "the answer was none of yes, no, unsure", "yesterday"),
        ("print('yes'); raise SystemExit('no key')", "exit code 1", "no key"),
        ("print('yes', flush=True); import os; os.kill(os.getpid(), 9)", "ended by signal 9", ""),
        ("import os; os.write(1, b'\\xff\\xfe')", "the answer was none of yes, no, unsure", "\ufffd\ufffd"),
    ],
)
async def test_what_is_no_answer(code: str, reason: str, detail: str) -> None:
    assert await ask_program(python(code), QUESTION) == NoAnswer(reason, detail)


async def test_the_page_goes_in_as_json_and_no_shell_sees_it(tmp_path: Path) -> None:
    code = "import sys, json, pathlib; pathlib.Path(sys.argv[1]).write_text(sys.stdin.read()); print('yes')"
    assert await ask_program([*python(code), str(tmp_path / "$HOME;x")], QUESTION) == "yes"
    seen = json.loads((tmp_path / "$HOME;x").read_text())
    assert seen == QUESTION
    assert seen["topic"] == {"name": "otters", "keywords": ["otter", "river"]}
    assert len(seen["text"]) == program_answers.MOST_TEXT


async def test_one_that_does_not_listen_may_answer() -> None:
    large = {**QUESTION, "text": "x" * 2_000_000}
    assert await ask_program(python("print('no')"), large) == "no"


async def test_one_that_never_ends_is_no_answer() -> None:
    answer = await ask_program(python("import time; time.sleep(600)"), QUESTION, 0.1)
    assert answer == NoAnswer("no answer within 0.1 s")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes as Linux shows them")
async def test_whatever_it_started_ends_with_it(tmp_path: Path) -> None:
    note = tmp_path / "child"
    code = (
        "import subprocess, sys, time, pathlib\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(note)!r}).write_text(f'{{child.pid}}.')\n"
        "time.sleep(600)"
    )
    asking = asyncio.create_task(ask_program(python(code), QUESTION))
    while not (note.exists() and note.read_text().endswith(".")):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    while runs(note.read_text().strip(".")):  # noqa: ASYNC110
        await asyncio.sleep(0.01)


def runs(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


async def test_one_that_never_stops_talking_is_cut_short() -> None:
    code = "import sys\nwhile True: sys.stdout.write('yes\\n' * 1000)"
    assert await ask_program(python(code), QUESTION) == NoAnswer("it said more than 65,536 bytes")


async def test_one_that_complains_at_length_may_answer() -> None:
    code = "import sys\nfor _ in range(300): sys.stderr.write('x' * 10_000)\nprint('yes')"
    assert await ask_program(python(code), QUESTION) == "yes"
    endless = "import sys\nwhile True: sys.stderr.write('x' * 10_000)"
    assert await ask_program(python(endless), QUESTION, 1.0) == NoAnswer("no answer within 1 s")


async def test_a_program_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="'/no/such' cannot be run: No such file"):
        await ask_program(["/no/such"], QUESTION)


def test_the_command_is_cut_into_words(tmp_path: Path) -> None:
    assert words_of("ask 'a b' $HOME ; rm") == ["ask", "a b", "$HOME", ";", "rm"]
    for wrong in ("", "  ", "ask 'a"):
        with pytest.raises(UsageError, match="--by"):
            words_of(wrong)


def test_answers_are_signed_with_the_script(tmp_path: Path) -> None:
    script = tmp_path / "ask_model.py"
    script.touch()
    assert name_of(["python3", "-u", str(script), "--fast"]) == "ask_model.py"
    assert name_of(["/usr/bin/llm", "-m", "small"]) == "llm"


def test_answers_are_kept_by_command_and_question(tmp_path: Path) -> None:
    kept = KeptAnswers(tmp_path)
    assert kept.get(["a"], QUESTION) is None
    kept.keep(["a"], QUESTION, "unsure")
    again = KeptAnswers(tmp_path)
    assert again.get(["a"], QUESTION) == "unsure"
    assert again.get(["a"], {**QUESTION, "url": "http://copy.example/"}) == "unsure"
    others: list[tuple[list[str], dict[str, Any]]] = [
        (["b"], QUESTION),
        (["a"], {**QUESTION, "text": "other"}),
        (["a"], {**QUESTION, "topic": {"name": "rivers", "keywords": []}}),
    ]
    assert [again.get(*other) for other in others] == [None, None, None]


def test_a_torn_line_costs_one_answer(tmp_path: Path) -> None:
    kept = KeptAnswers(tmp_path)
    kept.keep(["a"], QUESTION, "yes")
    kept.keep(["b"], QUESTION, "no")
    kept.path.write_bytes(kept.path.read_bytes()[:-10])
    again = KeptAnswers(tmp_path)
    assert (again.get(["a"], QUESTION), again.get(["b"], QUESTION)) == ("yes", None)
    again.keep(["b"], QUESTION, "no")
    assert KeptAnswers(tmp_path).get(["b"], QUESTION) == "no"
