"""No test fails because the machine is busy.

What is looked for in the syntax trees of all tests: a comparison that a clock decides, and a timeout shorter than
anybody would call a hang. That something did not come too early holds on any machine, so such comparisons may stay;
they are listed by name. Work is counted instead (`tests/counting.py`), time is handed in as a clock, and what could
only hang is watched (`tests/watchdog.py`).
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.watchdog import PATIENCE

TESTS = Path(__file__).parent
CLOCKS = {
    f"{name}{unit}"
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")
    for unit in ("", "_ns")
}
HANG = 60.0

NOT_TOO_EARLY = {
    "lab/generated/test_web_server.py: test_requests_are_recorded_with_host_path_and_times",  # between two looks
}
"""A clock is compared, and a slow machine cannot change the outcome."""

WATCHDOGS = {
    "library/sql/test_writer.py: test_a_lone_step_is_stored_at_once",
    "cli/commands/test_crawl.py: read_until",
}
"""Waits for what must come, and says so after `PATIENCE` seconds."""

SPANS = {"seconds", "elapsed", "spent", "cost", "wall"}
"""Names under which code hands out how long something took."""

LOWER_BOUNDS = {
    "fetch/test_http.py: test_it_says_who_asks",
    "lab/crawls/test_lab_crawl.py: test_with_a_library_storing_is_timed_and_the_crawl_the_same",
    "learn/test_assessment.py: test_states_are_told_on_pages_held_out",
    "revisit/test_rounds.py: test_rounds_come_at_their_times",  # what is left of six hours after a round
}
"""Of how long something took it is only asked that it is not too short, or the seconds are no clock's."""


class Finder(ast.NodeVisitor):
    """The comparisons of one file that a clock decides, and its short timeouts."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self.clocked: list[set[str]] = [set()]  # names that hold what a clock said
        self.compared: list[str] = []
        self.spans: list[str] = []
        self.short: list[str] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._visit_function(node)

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.functions.append(node.name)
        self.clocked.append(set(self.clocked[-1]))
        self.generic_visit(node)
        self.clocked.pop()
        self.functions.pop()

    def visit_Assign(self, node: ast.Assign) -> None:
        if self._tells_time(node.value):
            names = (each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name))
            self.clocked[-1].update(names)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        if self._tells_time(node.value):
            self.clocked[-1].add(node.target.id)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        ordered = any(isinstance(each, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for each in node.ops)
        if ordered and any(self._tells_time(each) for each in (node.left, *node.comparators)):
            self.compared.append(self.functions[-1] if self.functions else "")
        elif ordered and any(_is_span(each) for each in (node.left, *node.comparators)):
            self.spans.append(self.functions[-1] if self.functions else "")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        limits = [word.value for word in node.keywords if word.arg == "timeout"]
        if name == "wait_for":
            limits += node.args[1:2]
        if name == "timeout":
            limits += node.args[:1]
        if any(isinstance(each, ast.Constant) and 0 < (each.value or HANG) < HANG for each in limits):
            self.short.append(self.functions[-1] if self.functions else "")
        self.generic_visit(node)

    def _tells_time(self, node: ast.AST) -> bool:
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and each.id in self.clocked[-1]:
                return True
            if isinstance(each, ast.Call):
                called = each.func
                if isinstance(called, ast.Attribute):
                    if called.attr in CLOCKS and getattr(called.value, "id", "") == "time":
                        return True
                elif getattr(called, "id", "") in CLOCKS - {"time"}:
                    return True
        return False


def _is_span(node: ast.AST) -> bool:
    return any(
        (isinstance(each, ast.Attribute) and each.attr in SPANS) or (isinstance(each, ast.Name) and each.id in SPANS)
        for each in ast.walk(node)
    )


def found(source: str) -> Finder:
    finder = Finder()
    finder.visit(ast.parse(source))
    return finder


def all_tests() -> Iterator[tuple[str, Finder]]:
    for path in sorted(TESTS.rglob("*.py")):
        if path != Path(__file__):
            yield path.relative_to(TESTS).as_posix(), found(path.read_text(encoding="utf-8"))


def test_no_outcome_depends_on_how_busy_the_machine_is() -> None:
    compared = {f"{path}: {function}" for path, finder in all_tests() for function in finder.compared}
    assert compared == NOT_TOO_EARLY | WATCHDOGS


def test_how_long_something_took_is_no_reason_to_fail() -> None:
    spans = {f"{path}: {function}" for path, finder in all_tests() for function in finder.spans}
    assert spans == LOWER_BOUNDS


def test_a_timeout_is_for_what_hangs() -> None:
    assert {f"{path}: {function}" for path, finder in all_tests() for function in finder.short} == set()
    assert PATIENCE >= HANG


def test_what_it_looks_for_is_found() -> None:
    bad = """
import time
from time import perf_counter

def of_a_name():
    began = time.monotonic()
    work()
    assert time.monotonic() - began < 2

def of_a_difference():
    began = perf_counter()
    spent = perf_counter() - began
    assert spent < 0.2

async def of_an_outcome():
    assert outcome.seconds < 10

async def short():
    await asyncio.wait_for(work(), 5)
    async with asyncio.timeout(1.5):
        process.communicate(timeout=20)

def fine():
    time.sleep(1)
    process.wait(timeout=PATIENCE)
    assert clock() - began < 3
    assert now == time.time()
"""
    finder = found(bad)
    assert finder.compared == ["of_a_name", "of_a_difference"]
    assert finder.spans == ["of_an_outcome"]
    assert finder.short == ["short"] * 3
