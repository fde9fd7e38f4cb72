"""Search forms, questioned with words of the topic: pages that no link leads to (Mali 2.3.4).

Only where the settings ask for it (`forms` under [crawl]), only forms of relevant pages, and of one form no more than
`MOST_QUESTIONS` words, each once. An answer is a page like any other: robots.txt, delays, scope and budgets hold for
it, and the strategy ranks its links.
"""

from __future__ import annotations

from scenthound import urls
from scenthound.model import Link, Response, Topic, Visit
from scenthound.parse.forms import search_forms

MOST_QUESTIONS = 10
MOST_FORMS = 5
"""Of one host."""


class FormQuestions:
    """Which questions to ask after a visit."""

    def __init__(self, topic: Topic) -> None:
        heaviest = sorted(topic.keywords, key=lambda keyword: -keyword.weight)
        self.words = tuple(dict.fromkeys(keyword.term for keyword in heaviest))[:MOST_QUESTIONS]
        self._known: dict[str, set[tuple[str, str]]] = {}  # host -> forms, by where they lead and what they ask

    def worth_asking(self, visit: Visit, response: Response) -> list[Link]:
        """A link for each word and each form that is new here."""
        if not visit.relevant:
            return []
        known = self._known.setdefault(urls.host(visit.page.url), set())
        found: list[Link] = []
        for form in search_forms(response):
            name = form.action.partition("?")[0], form.asks
            if name in known or len(known) >= MOST_FORMS:
                continue
            known.add(name)
            asked = ((form.url(word), word) for word in self.words)
            found += [Link(url, visit.page.url, word, context=f"search: {word}") for url, word in asked if url]
        return found
