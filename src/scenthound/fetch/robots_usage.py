"""What a robots.txt says about the use of pages: see `parse.usage_preferences`.

A `Content-Usage` may begin with a path, `Content-Usage: /blog/ train-ai=n`; of those that a URL meets the longest
counts, as with rules. It stands in a group, for the crawlers that the group names; a `License` is for all.
"""

from __future__ import annotations

from scenthound import urls
from scenthound.fetch.robots import USAGE, fields_of, records_for, robots_text
from scenthound.fetch.robots_matching import PathRules
from scenthound.parse.usage_preferences import MOST_LICENSES, UsagePreferences, combined, of_value

MOST_RULES = 1_000


class UsageRules:
    """The preferences of one robots.txt for us."""

    def __init__(self, body: bytes, agent: str) -> None:
        text = robots_text(body)
        ours, _ = records_for(text, agent)
        named = (value for field, value in fields_of(text) if field == "license" and value)
        self.licenses = tuple(dict.fromkeys(named))[:MOST_LICENSES]
        self.rules = [_rule(value) for field, value in ours if field in USAGE][:MOST_RULES]

    def of_url(self, url: str) -> UsagePreferences:
        path = url[len(urls.origin(url)) :].partition("#")[0] or "/"
        met = [(len(pattern), said) for pattern, rule, said in self.rules if rule is None or not rule.allow(path)]
        longest = max((length for length, _ in met), default=0)
        found = combined(said for length, said in met if length == longest)
        return UsagePreferences(found.said, self.licenses)


def _rule(value: str) -> tuple[str, PathRules | None, UsagePreferences]:
    first, _, rest = value.partition(" ")
    if first.startswith(("/", "*")):
        return first, PathRules([(False, first)]), of_value(rest)
    return "", None, of_value(value)
