"""Words of the topic and seeds, added and struck by somebody who steers: noted in topic.toml, logged, undoable.

The log (`steering`) has a line for each, as for rules over links; topic.toml says what counts now. A word that was
struck comes back with the weight it had. A seed that is struck while it waits is not asked for.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace

from scenthound import config as toml
from scenthound.app.settings_file import differences, edit_file
from scenthound.app.steering import SteeringAction, SteeringLog, SteeringRule
from scenthound.config import Config, WeightedTerm, share_weights
from scenthound.crawler.assemble import canonical_seeds
from scenthound.errors import UsageError
from scenthound.library.run_settings import SETTINGS

LONGEST_WORD = 100


class TopicSteering:
    """The topic.toml of a folder, as somebody at a dashboard changes it."""

    def __init__(self, folder: Path, log: SteeringLog) -> None:
        self._path = folder / SETTINGS
        self._log = log

    def settings(self) -> Config:
        """As the file has them now."""
        if not self._path.is_file():
            raise UsageError(
                f"There is no {self._path}, in which words and seeds are noted. Crawl into the folder first."
            )
        return toml.load(self._path)

    def add_word(self, word: str) -> SteeringRule:
        before, text = self.settings(), _tidy(word)
        if _found(before, text) is not None:
            raise UsageError(f"{text!r} is a word of the topic already.")
        entry = _like_the_others(before, text)
        return self._note(before, with_words(before, [*_entries(before), entry]), "add-word", text)

    def strike_word(self, word: str) -> SteeringRule:
        before, text = self.settings(), _tidy(word)
        entry = _found(before, text)
        if entry is None:
            raise UsageError(f"{text!r} is no word of the topic. It has: {', '.join(words_of(before))}.")
        left = [each for each in _entries(before) if each is not entry]
        if not left:
            raise UsageError("A topic needs a word: add another one before this one is struck.")
        weight = entry.weight if isinstance(entry, WeightedTerm) else 0.0
        return self._note(before, with_words(before, left), "strike-word", _term(entry), weight)

    def add_seed(self, url: str) -> SteeringRule:
        before, seed = self.settings(), canonical_seeds([url])[0]
        if seed in canonical_seeds(before.crawl.seeds):
            raise UsageError(f"{seed} is a seed already.")
        return self._note(before, _with_seeds(before, [*before.crawl.seeds, seed]), "add-seed", seed)

    def strike_seed(self, url: str) -> SteeringRule:
        before, seed = self.settings(), canonical_seeds([url])[0]
        left = [each for each in before.crawl.seeds if canonical_seeds([each])[0] != seed]
        if len(left) == len(before.crawl.seeds):
            raise UsageError(f"{seed} is no seed of this crawl.")
        return self._note(before, _with_seeds(before, left), "strike-seed", seed)

    def undo(self, rule: SteeringRule) -> None:
        """Takes one of these back. Where it is so already, nothing changes but the log."""
        before = self.settings()
        self._write(before, _undone(before, rule))
        self._log.undo(rule.id)

    def _note(
        self, before: Config, after: Config, action: SteeringAction, text: str, weight: float = 0.0
    ) -> SteeringRule:
        share_weights(after.topic.keywords)  # refuses weights that cannot be
        self._log.check_room()
        self._write(before, after)
        return self._log.note(action, text, weight)

    def _write(self, before: Config, after: Config) -> None:
        if changes := differences(before, after):
            edit_file(self._path, changes)


def words_of(config: Config) -> list[str]:
    """The words of a topic, as they count."""
    return [keyword.term for keyword in config.make_topic().keywords]


def with_words(config: Config, entries: list[str | WeightedTerm]) -> Config:
    return replace(config, topic=replace(config.topic, keywords=entries))


def _with_seeds(config: Config, seeds: list[str]) -> Config:
    return replace(config, crawl=replace(config.crawl, seeds=seeds))


def _undone(config: Config, rule: SteeringRule) -> Config:
    if rule.action == "add-word":
        left = [each for each in _entries(config) if _term(each).casefold() != rule.rule.casefold()]
        return with_words(config, left) if left else config
    if rule.action == "strike-word":
        if _found(config, rule.rule) is not None:
            return config
        entry = WeightedTerm(rule.rule, rule.weight) if rule.weight else _like_the_others(config, rule.rule)
        return with_words(config, [*_entries(config), entry])
    seeds = [each for each in config.crawl.seeds if canonical_seeds([each])[0] != rule.rule]
    return _with_seeds(config, seeds if rule.action == "add-seed" else [*seeds, rule.rule])


def _entries(config: Config) -> list[str | WeightedTerm]:
    """The keywords; the topic's name where there are none, for it stands in for them."""
    return list(config.topic.keywords) or ([config.topic.name] if config.topic.name else [])


def _found(config: Config, word: str) -> str | WeightedTerm | None:
    return next((each for each in _entries(config) if _term(each).casefold() == word.casefold()), None)


def _term(entry: str | WeightedTerm) -> str:
    return entry if isinstance(entry, str) else entry.term


def _like_the_others(config: Config, word: str) -> str | WeightedTerm:
    """As weighty as the others are in the mean."""
    weights = [each.weight for each in _entries(config) if isinstance(each, WeightedTerm)]
    if not weights or len(weights) < len(_entries(config)):
        return word
    return msgspec.convert({"term": word, "weight": round(sum(weights) / len(weights), 3)}, WeightedTerm)


def _tidy(word: str) -> str:
    text = " ".join(word.split())
    if not text or len(text) > LONGEST_WORD:
        raise UsageError(f"A word or phrase of the topic has 1 to {LONGEST_WORD} characters.")
    return text
