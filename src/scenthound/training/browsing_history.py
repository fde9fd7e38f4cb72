"""Browsing from whatever file it is in: the format is told by the content, not by the name.

Firefox's places.sqlite and Chromium's History (see `browsers`), HAR files (`har`), the lab's topics (JSON lines with
`trails`), and trails written by hand (`trail_files`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from scenthound import urls
from scenthound.errors import ConfigError
from scenthound.learn.graphs.trails import BACK, GAP, Trail, click_path, narrowed, sessions
from scenthound.training import browsers, har, trail_files
from scenthound.training.bookmarks import starts_with, text_of

BROWSERS = ("Firefox", "Chromium")
UNDERSTOOD = (
    "Firefox's places.sqlite, Chromium's History, a HAR file, topics of the lab, and trails as text, one URL a line"
)


class WantedVisits(Struct, frozen=True):
    """What of a file is taken."""

    keep: Callable[[str], bool] | None = None  # by URL; None: all
    since: float = 0.0  # unix time
    gap: float = GAP  # seconds without a visit that end a trail
    topic: str = ""  # of the lab's topics
    whole: bool = False  # a whole browser history, unless something else narrows it

    def narrows(self) -> bool:
        return self.keep is not None or self.since > 0 or self.whole


class BrowsingHistory(Struct, frozen=True):
    """The trails of a file, and what it says itself of their pages."""

    kind: str
    trails: tuple[Trail, ...]
    marks: dict[str, bool]  # URL -> relevant


def read(path: Path, wanted: WantedVisits) -> BrowsingHistory:
    if not path.is_file():
        raise ConfigError(f"There is no file {path}.")
    if starts_with(path, browsers.MAGIC):
        history = _from_browser(path, wanted)
    else:
        history = _from_text(path, wanted)
    keep = wanted.keep or _all
    trails = [trail for trail in (narrowed(trail, keep) for trail in history.trails) if trail.urls]
    visited = {url for trail in trails for url in trail.urls}
    marks = {url: relevant for url, relevant in history.marks.items() if url in visited}
    return BrowsingHistory(history.kind, tuple(trails), marks)


def _all(url: str) -> bool:
    return True


def _from_browser(path: Path, wanted: WantedVisits) -> BrowsingHistory:
    with browsers.opened(path) as connection:
        kind = browsers.kind_of(connection)
        if not kind:
            raise ConfigError(f"{path} is a database, but no history that we know. Understood are {UNDERSTOOD}.")
        if not wanted.narrows():
            raise ConfigError(
                f"{path} is somebody's whole history with {kind}. Say what of it to take: --host NAME, --only RULE, "
                "--since DATE; or --all for everything."
            )
        clicks = browsers.clicks(connection, kind, wanted.since)
    return BrowsingHistory(kind, tuple(sessions(clicks, wanted.keep or _all, wanted.gap)), {})


def _from_text(path: Path, wanted: WantedVisits) -> BrowsingHistory:
    text = text_of(path)
    if not text.lstrip().startswith("{"):
        outline = trail_files.read(text, str(path))
        if not outline.trails:
            raise ConfigError(f"There is no URL in {path}. Understood are {UNDERSTOOD}.")
        return BrowsingHistory("text", tuple(outline.trails), outline.marks)
    whole = _decoded(text)
    if isinstance(whole, dict) and isinstance(whole.get("log"), dict):
        clicks = [click for click in har.clicks(whole) if click.at >= wanted.since]
        return BrowsingHistory("HAR", tuple(sessions(clicks, gap=wanted.gap)), {})
    return _from_topics(text, path, wanted.topic)


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _from_topics(text: str, path: Path, name: str) -> BrowsingHistory:
    topics = {}
    for number, line in enumerate(text.split("\n"), 1):
        topic = _decoded(line) if line.strip() else {}
        if not isinstance(topic, dict):
            raise ConfigError(f"{path}, line {number}: not valid JSON. Understood are {UNDERSTOOD}.")
        if isinstance(topic.get("trails"), list) and isinstance(topic.get("name"), str):
            topics[topic["name"]] = topic
    if not topics:
        raise ConfigError(f"{path} holds no trails. Understood are {UNDERSTOOD}.")
    if not name and len(topics) > 1:
        raise ConfigError(f"{path} holds several topics. Choose one with --topic NAME: {', '.join(topics)}.")
    chosen = topics.get(name) if name else next(iter(topics.values()))
    if chosen is None:
        near = get_close_matches(name, topics, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(topics)}."
        raise ConfigError(f"There is no topic {name!r} with trails in {path}; {hint}")
    where = f"{path}, topic {chosen['name']!r}"
    trails = tuple(click_path(_steps(trail, where)) for trail in chosen["trails"])
    marks = dict.fromkeys(_steps(chosen.get("relevant_examples"), where), True)
    marks |= dict.fromkeys(_steps(chosen.get("irrelevant_examples"), where), False)
    return BrowsingHistory("lab", trails, marks)


def _steps(given: Any, where: str) -> Iterable[str]:
    for step in given if isinstance(given, list) else ():
        url = BACK if step == BACK else urls.canonical(str(step))
        if isinstance(url, urls.Malformed):
            raise ConfigError(f"{where}: {step!r} is no usable URL: {url.reason}.")
        yield url
