"""What owners preferred to be done with stored pages by AI, as in force when each was fetched.

All of it is in the archive: the page's own headers and head, and the robots.txt of its host as it was last answered
before the page was. Where no WARC file was kept nothing is known.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from scenthound import urls
from scenthound.errors import LibraryError
from scenthound.fetch.robots_usage import UsageRules
from scenthound.library.run_settings import last_settings
from scenthound.library.stored_pages import answer_of
from scenthound.parse.usage_preferences import UsagePreferences, combined, of_answer
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage, Version

HOSTS = 1_000
"""Robots.txt files whose preferences are remembered, the latest that were asked for."""

TOGETHER = 1.0
"""Seconds: a robots.txt and the page it was asked for may be stored with times that are rounded."""


class PageUsage:
    """Asks one library. To be called with a page."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._agent = last_settings(library).politeness.agent
        self._versions = lru_cache(HOSTS)(library.versions)
        self._rules = lru_cache(HOSTS)(self._read_rules)

    def __call__(self, page: StoredPage) -> UsagePreferences:
        answer = answer_of(self._library, page.url, damaged_too=True)
        own = of_answer(answer) if answer is not None else UsagePreferences()
        robots = f"{urls.origin(page.url)}/robots.txt"
        before = [version for version in self._versions(robots) if version.at <= page.fetched_at + TOGETHER]
        if not before or (rules := self._rules(robots, before[-1])) is None:
            return own
        return combined([own, rules.of_url(page.url)])

    def _read_rules(self, url: str, version: Version) -> UsageRules | None:
        with suppress(LibraryError):
            answer = self._library.body(url, version)
            if answer is not None and answer.status == 200:
                return UsageRules(answer.body, self._agent)
        return None
