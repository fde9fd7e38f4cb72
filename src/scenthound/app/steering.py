"""What somebody who steers a crawl has said: rules over links, words of the topic, seeds; logged and undoable.

A rule is written as in the settings' scope: `host:example.org`, `path:/forum/*`, `site:example.org and path:/tag`. All
that was ever said is in `steering.jsonl`, a line a word; what counts are the rules that were not taken back.

    raised    its links go before all others of a strategy whose priorities are probabilities
    lowered   they go behind
    banned    they are refused when their turn comes; pages that a person named as seeds are not

Words and seeds that are added or struck are in the log, too, and what counts of them in topic.toml: see
`topic_steering`.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from scenthound.errors import UsageError
from scenthound.protocols.crawl import Clock
from scenthound.scope.grammar import parse
from scenthound.scope.rules import Rule

FILE = "steering.jsonl"
SHIFT = 1_000.0
"""What raising adds to a priority: more than lies between the best and the worst, on the scale of any strategy. So what
is raised comes before all else, what is lowered after all else, and each in the strategy's order."""

MOST_RULES = 200

SteeringAction = Literal["raise", "lower", "ban", "add-word", "strike-word", "add-seed", "strike-seed"]
OVER_LINKS: frozenset[SteeringAction] = frozenset({"raise", "lower", "ban"})


class SteeringRule(Struct, frozen=True):
    id: int
    action: SteeringAction
    rule: str  # over links; else the word or the seed
    at: float  # unix time
    weight: float = 0.0  # that a struck word had; 0: none of its own


class SteeringLine(Struct, frozen=True, omit_defaults=True):
    """A line of the log: a rule, or that one is taken back."""

    at: float
    id: int
    action: SteeringAction | None = None
    rule: str = ""
    undo: bool = False
    weight: float = 0.0


class Steering:
    """What the rules come to for a link."""

    def __init__(self, rules: list[SteeringRule], struck: frozenset[str] = frozenset()) -> None:
        """`struck`: seeds that are not to be asked for any more."""
        self._struck = struck
        self._shifts: list[tuple[Rule, float]] = []
        self._bans: list[tuple[Rule, str]] = []
        for each in rules:
            if each.action == "ban":
                self._bans.append((parse(each.rule), f"banned by you: {each.rule}"))
            elif each.action in OVER_LINKS:
                self._shifts.append((parse(each.rule), SHIFT if each.action == "raise" else -SHIFT))

    def shift(self, url: str) -> float:
        """What is added to a link's priority."""
        return sum(shift for rule, shift in self._shifts if rule(url, 0))

    def strikes(self, url: str) -> str | None:
        """Why a seed whose turn has come is not asked for; None: it is."""
        return "a seed that you struck" if url in self._struck else None

    def refuses(self, url: str) -> str | None:
        """Why a link whose turn has come is not asked for; None: it may be."""
        return next((reason for rule, reason in self._bans if rule(url, 0)), None)


class SteeringLog:
    """The rules of a folder."""

    def __init__(self, folder: Path, clock: Clock = time.time) -> None:
        self._path = folder / FILE
        self._clock = clock

    def rules(self) -> list[SteeringRule]:
        """Those that count, the last said last. A line that cannot be read says nothing."""
        found: dict[int, SteeringRule] = {}
        for line in self._lines():
            if line.undo:
                found.pop(line.id, None)
            elif line.action is not None:
                found[line.id] = SteeringRule(line.id, line.action, line.rule, line.at, line.weight)
        return list(found.values())

    def struck_seeds(self) -> frozenset[str]:
        """Seeds that were struck, or added and taken back, and not added since."""
        said = {line.id: line for line in self._lines() if not line.undo}
        found: set[str] = set()
        for line in self._lines():
            meant = said.get(line.id)
            if meant is not None and meant.action in ("add-seed", "strike-seed"):
                wanted = (meant.action == "add-seed") is not line.undo
                (found.discard if wanted else found.add)(meant.rule)
        return frozenset(found)

    def add(self, action: SteeringAction, rule: str) -> SteeringRule:
        """A rule that cannot be read is refused, and says why."""
        text = " ".join(rule.split())
        parse(text)
        self.check_room()
        return self.note(action, text)

    def check_room(self) -> None:
        if len(self.rules()) >= MOST_RULES:
            raise UsageError(f"There are {MOST_RULES} rules already. Take some back first.")

    def note(self, action: SteeringAction, text: str, weight: float = 0.0) -> SteeringRule:
        """Takes a line in as it stands."""
        number = max((line.id for line in self._lines()), default=0) + 1
        made = SteeringRule(number, action, text, self._clock(), weight)
        self._append(SteeringLine(made.at, number, action, text, weight=weight))
        return made

    def rule(self, number: int) -> SteeringRule:
        found = next((rule for rule in self.rules() if rule.id == number), None)
        if found is None:
            raise UsageError(f"There is no rule number {number}.")
        return found

    def undo(self, number: int) -> None:
        self.rule(number)
        self._append(SteeringLine(self._clock(), number, undo=True))

    def _append(self, line: SteeringLine) -> None:
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")

    def _lines(self) -> list[SteeringLine]:
        if not self._path.is_file():
            return []
        found = []
        for line in self._path.read_bytes().splitlines():
            try:
                found.append(msgspec.json.decode(line, type=SteeringLine))
            except msgspec.MsgspecError:
                continue
        return found
