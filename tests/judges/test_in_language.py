from dataclasses import dataclass

from scenthound.judges.in_language import in_languages
from scenthound.model import Page


@dataclass
class Always:
    threshold: float = 0.7

    def __call__(self, page: Page) -> float:
        return 0.9


def test_pages_in_other_languages_are_not_what_is_looked_for() -> None:
    judge = in_languages(Always(), ["ja", "en"])
    said = {language: judge(Page("http://a.test/", language=language)) for language in ("ja", "en-GB", "de", "")}
    assert said == {"ja": 0.9, "en-GB": 0.9, "de": 0.0, "": 0.0}
    assert getattr(judge, "threshold", None) == 0.7


def test_where_none_are_named_the_judge_is_alone() -> None:
    judge = Always()
    assert in_languages(judge, []) is judge
