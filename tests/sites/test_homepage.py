"""A site by its homepage alone."""

from random import Random

from scenthound.sites.homepage import HomepageClassifier
from scenthound.text import idf
from tests.sites.site_pages import page, text_of

A = "http://a.test/"


def trained() -> HomepageClassifier:
    random = Random(1)
    relevant = [page(f"http://r{n}.test/", text_of("orchid", random)) for n in range(12)]
    other = [page(f"http://o{n}.test/", text_of("rail", random)) for n in range(12)]
    return HomepageClassifier.train(relevant, other, clusters=2, random=Random(2), idf=idf.none())


def test_a_homepage_that_tells() -> None:
    classifier = trained()
    assert classifier.relevant(page(A, text_of("orchid", Random(8))))
    assert not classifier.relevant(page(A, text_of("rail", Random(8))))


def test_a_frame_set_is_not_called_relevant() -> None:
    classifier = trained()
    assert classifier.probability(page(A)) == 0.5
    assert not classifier.relevant(page(A))
