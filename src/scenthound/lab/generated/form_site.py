"""A site whose pages hang behind a search form: what a crawler that follows links alone never sees (Mali 2.3.4).

    site = FormSite(documents=60)
    site.respond("http://archive.test/find?q=orchid").body

The front page, about and contact pages are linked. Of the documents every tenth is, from a list of news; all others are
found by asking: an answer lists up to ten documents that hold the word. Half of them are about the topic.
"""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs, urlsplit

from scenthound.lab.generated.hash_random import mix
from scenthound.lab.generated.oddities import HTML, OddAnswer, not_found
from scenthound.lab.generated.vocabulary import TOPICS

HOST = "archive.test"
HITS = 10
LINKED = 10
WORDS = 60


class FormSite:
    """The same bytes for the same numbers. `topic`: the number of a theme of `vocabulary.TOPICS`."""

    def __init__(self, seed: int = 1, documents: int = 60, topic: int = 0) -> None:
        self.seed, self.documents = seed, documents
        self.topic, self._other = TOPICS[topic], TOPICS[(topic + 1) % len(TOPICS)]
        self._texts = [self._text(number) for number in range(documents)]

    @property
    def keywords(self) -> tuple[str, ...]:
        return self.topic.nouns[:8]

    @property
    def home(self) -> str:
        return f"http://{HOST}/"

    def targets(self) -> list[str]:
        """The documents about the topic."""
        return [f"http://{HOST}/document/{number}" for number in range(0, self.documents, 2)]

    def respond(self, url: str) -> OddAnswer:
        """The answer to a GET; never raises."""
        parts = urlsplit(url)
        if parts.path == "/":
            return self._page("Archive", self._sample(self.topic.nouns, 0, 30), self._news() + FORM)
        if parts.path == "/find":
            return self._found(parse_qs(parts.query).get("q", [""])[0])
        number = parts.path.removeprefix("/document/")
        if number != parts.path and number.isdigit() and int(number) < self.documents:
            return self._page(f"Document {number}", self._texts[int(number)], '<a href="/">archive</a>')
        return not_found()

    def _found(self, words: str) -> OddAnswer:
        asked = words.lower().split()
        hits = [n for n, text in enumerate(self._texts) if asked and all(word in text.split() for word in asked)][:HITS]
        listed = "".join(f'<li><a href="/document/{n}">Document {n}</a></li>' for n in hits)
        return self._page("Results", f"{len(hits)} documents for {words}", f"<ul>{listed}</ul>{FORM}")

    def _news(self) -> str:
        return "".join(f'<p><a href="/document/{n}">Document {n}</a></p>' for n in range(0, self.documents, LINKED))

    def _text(self, number: int) -> str:
        theme = self._other if number % 2 else self.topic
        return self._sample(theme.nouns, number + 1, WORDS)

    def _sample(self, words: tuple[str, ...], salt: int, n: int) -> str:
        return " ".join(words[mix(self.seed, salt * 1000 + place) % len(words)] for place in range(n)).lower()

    def _page(self, title: str, text: str, rest: str) -> OddAnswer:
        body = f"<html><head><title>{escape(title)}</title></head><body><h1>{escape(title)}</h1><p>{escape(text)}</p>"
        return OddAnswer(200, HTML, f"{body}{rest}</body></html>".encode())


FORM = """<form action="/find" method="get"><input type="hidden" name="lang" value="en">
<input type="search" name="q"><input type="submit" value="Search"></form>
<form action="/login" method="post"><input name="user"><input type="password" name="pass"></form>"""
