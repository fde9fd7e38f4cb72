from scenthound.crawler.coverage.recall_estimate import RecallEstimate
from scenthound.crawler.coverage.recapture import recapture
from scenthound.report.coverage_words import recall_words, recapture_words


def test_an_estimate_in_words() -> None:
    estimate = RecallEstimate(90, 0.95, missing=10.0, fewest=0.0, most=30.0, draws=12)
    assert recall_words(estimate) == (
        "Of the relevant pages that can be reached about 90% are found (75% to 100%, with confidence 0.95): "
        "90 found, about 10 missing. 12 pages were drawn at random to know that."
    )


def test_that_nothing_can_be_said_in_words() -> None:
    words = recall_words(RecallEstimate(3, 0.95, "there are fewer than 50 pages"))
    assert words == "How much of what can be reached is found cannot be said: there are fewer than 50 pages."


def test_two_crawls_in_words() -> None:
    first, second = {str(n) for n in range(59)}, {str(n) for n in range(30, 79)}
    words = recapture_words(recapture(first, second))
    assert words.startswith("59 relevant pages in the one, 49 in the other, 29 in both. By that there are about 99 (")
    assert "together the two have 80% of them" in words
    assert "only 0 pages were found by both" in recapture_words(recapture({"a"}, {"b"}))
