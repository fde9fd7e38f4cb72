"""The plain tables of pages, beside the suite that holds them to what every library does."""

from scenthound.library.memory.page_ledger import PageLedger
from tests.library.steps import SEED, entry, fetched

NUMBER = entry(SEED).id


def test_a_text_is_kept_once() -> None:
    ledger = PageLedger()
    for n in range(3):
        ledger.take_in(fetched(entry(f"http://a.example/{n}"), body=b"the same"))
    assert [content.text for content in ledger.contents] == ["the same"]
    assert len(ledger.by_seq) == 3


def test_without_answers_there_is_the_text() -> None:
    ledger = PageLedger(answers=False)
    ledger.take_in(fetched(entry(SEED), body=b"a text", links=("http://b.example/",)))
    version = ledger.pages[NUMBER].version
    assert version.response is None
    assert version.content is not None
    assert version.content.text == "a text"
    assert len(ledger.outlinks(NUMBER)) == 1


def test_without_texts_there_are_figures() -> None:
    ledger = PageLedger(texts=False)
    ledger.take_in(fetched(entry(SEED), body=b"a text", links=("http://b.example/",)))
    entry_of_page = ledger.pages[NUMBER]
    assert (entry_of_page.page.bytes, entry_of_page.page.relevance) == (6, 0.75)
    assert (entry_of_page.version.content, entry_of_page.version.response, ledger.outlinks(NUMBER)) == (None, None, [])
    assert ledger.hosts()[0].pages == 1
