"""Search forms, questioned with words of the topic: pages that no link leads to (Mali 2.3.4).

Only where the settings ask for it (`forms` under [crawl]), only forms of hosts that have shown a relevant page, and of
one form no more than `MOST_QUESTIONS` words, each once. The page a form stands on need not be relevant itself: a front
door, which is where most search forms are, seldom is, so that its form waits until its host has proved worth asking. An
answer is a page like any other: robots.txt, delays, scope and budgets hold for it, and the strategy ranks its links.
"""

from __future__ import annotations

from msgspec import Struct

from scenthound import urls
from scenthound.bounded_cache import BoundedCache
from scenthound.model import Link, Response, Topic, Visit
from scenthound.parse.forms import SearchForm, search_forms

MOST_QUESTIONS = 10
MOST_FORMS = 5
"""Of one host."""
MOST_HOSTS = 10_000
"""Hosts whose forms are remembered; the others' would be asked once more, for URLs that the frontier knows."""


class HostForms(Struct):
    """What is known of a host: its forms, by where they lead and what they ask, and those not asked yet."""

    known: set[tuple[str, str]]
    waiting: list[tuple[SearchForm, str]]  # and the page each stands on
    relevant: bool = False

    def see(self, form: SearchForm, page: str) -> None:
        name = form.action.partition("?")[0], form.asks
        if name not in self.known and len(self.known) < MOST_FORMS:
            self.known.add(name)
            self.waiting.append((form, page))


class FormQuestions:
    """Which questions to ask after a visit."""

    def __init__(self, topic: Topic) -> None:
        heaviest = sorted(topic.keywords, key=lambda keyword: -keyword.weight)
        self.words = tuple(dict.fromkeys(keyword.term for keyword in heaviest))[:MOST_QUESTIONS]
        self._hosts: BoundedCache[str, HostForms] = BoundedCache(MOST_HOSTS)

    def worth_asking(self, visit: Visit, response: Response) -> list[Link]:
        """A link for each word and each form that is new, and whose host has shown a relevant page."""
        host = urls.host(visit.page.url)
        forms = self._hosts.use(host)
        if forms is None:
            self._hosts.put(host, forms := HostForms(set(), []))
        forms.relevant = forms.relevant or visit.relevant
        for form in search_forms(response):
            forms.see(form, visit.page.url)
        if not forms.relevant:
            return []
        waiting, forms.waiting = forms.waiting, []
        return [
            Link(url, visit.page.url, word, context=f"search: {word}" + ("" if page == visit.page.url else f", {page}"))
            for form, page in waiting
            for word in self.words
            if (url := form.url(word))
        ]
