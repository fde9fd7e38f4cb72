"""The topic of a crawl as text."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from scenthound.app.crawl_plan import SETTINGS
from scenthound.app.topic import TopicChange
from scenthound.app.topic_words import TopicWords
from scenthound.cli.started_as import program
from scenthound.report.formatting import plural
from scenthound.text.languages import name


def understood_text(words: TopicWords) -> str:
    """What was made of a topic in words, in a line or two."""
    keywords = ", ".join(f"{term} {weight:.2f}" for term, weight in words.weights().items())
    lines = [f" Understood: {keywords}; language {name(words.language)}."]
    if words.not_meant:
        left_out = " ".join(words.not_meant)
        lines.append(f" Left out, because it is said not to be meant: {left_out}.")
    return "\n".join(lines)


def topic_text(change: TopicChange, written: bool, replay: Sequence[Path] = ()) -> str:
    folder, settings = change.folder, change.settings
    topic, keywords = settings.topic, settings.make_topic().keywords
    width = max((len(keyword.term) for keyword in keywords), default=0)
    lines = [topic.name or "(a topic without a name)", ""]
    lines += [f"  {keyword.term:<{width}}  {keyword.weight:.3f}" for keyword in keywords]
    examples, seeds = plural(len(topic.examples), "example"), plural(len(settings.crawl.seeds), "seed")
    lines += ["", f"{examples}, {seeds}, language {topic.language}"]
    lines += [f"Left out: {why}" for why in change.missing.values()]
    lines += change.notes
    if written:
        start = "" if settings.crawl.seeds else " --seed URL"
        start += "".join(f" --replay {shlex.quote(str(path))}" for path in replay)
        lines += [f"Written to {folder / SETTINGS}. Next: {program()} crawl {shlex.quote(str(folder))}{start}"]
    return "\n".join(lines)
