from scenthound.app.judgement_words import WordWeight, as_words, speaking_terms
from scenthound.model import Page


class Weighs:
    def __call__(self, page: Page) -> float:
        return 0.5

    def strongest(self, page: Page, n: int) -> list[tuple[str, float]]:
        return [("reef", 0.4), ("tea", -0.3), ("coral", 0.5), ("cup", -0.1), ("fish", 0.1)]


def test_words_for_come_before_words_against_the_strongest_first() -> None:
    page = Page("http://a.test/", title="Reefs", text="Reefs of corals, tea in cups, and fish", language="en")
    terms = speaking_terms(Weighs(), page, 2)
    assert terms == [("coral", 0.5), ("reef", 0.4), ("tea", -0.3), ("cup", -0.1)]
    assert as_words(terms, page)[:2] == [WordWeight("corals", 0.5), WordWeight("reefs", 0.4)]
