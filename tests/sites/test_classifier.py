"""The page classifier: its formula by hand, what it learns, and that it survives a file."""

from math import log
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import ModelError
from scenthound.sites.centroids import nearest, shares
from scenthound.sites.classifier import PageClassifier
from scenthound.sites.word_space import WordSpace
from scenthound.text import idf
from tests.sites.site_pages import page, site, text_of

ONE = idf.none()
A = "http://a.test/"


def by_hand(**options: float) -> PageClassifier:
    """Two words, and a centroid on each axis: the first of relevant sites."""
    space = WordSpace(["orchid", "engine"], [1.0, 1.0], unseen=1.0)
    return PageClassifier(space, np.eye(2), [0, 1], **options)


def trained(**options: object) -> PageClassifier:
    relevant = [site("orchid", n) for n in range(12)]
    other = [site(theme, n) for theme in ("rail", "bread") for n in range(12)]
    return PageClassifier.train(relevant, other, random=Random(1), idf=ONE, clusters=4, **options)  # type: ignore[arg-type]


def test_the_confidence_is_the_share_of_the_log_distance() -> None:
    # cosines 3/5 and 4/5, so distances 0.4 and 0.2
    told = page(A, "orchid orchid orchid engine engine engine engine")
    expected = log(0.4) / (log(0.4) + log(0.2))
    assert by_hand().confidence(told) == pytest.approx(expected, rel=1e-6)
    assert by_hand().confidences(told) == pytest.approx({"relevant": expected, "other": 1 - expected}, rel=1e-6)


def test_words_that_do_not_count_take_their_share_of_the_length() -> None:
    # (3, 0) of length 5, with 4 for the stranger: distances 0.4 and nearly 1
    near, far = log(0.4), log(1 - 1e-6)
    assert by_hand().confidence(page(A, "orchid " * 3 + "stranger " * 4)) == pytest.approx(
        near / (near + far), rel=1e-6
    )


def test_a_page_without_words_says_nothing_whatever_the_bias() -> None:
    assert by_hand(bias=-2.0).confidence(page(A)) == 0.5
    assert by_hand(bias=-2.0).confidence(page(A, "stranger")) == 0.5


def test_the_bias_shifts_log_odds() -> None:
    told = page(A, "orchid engine")
    assert by_hand().confidence(told) == pytest.approx(0.5)
    assert by_hand(bias=-log(3)).confidence(told) == pytest.approx(0.75)


def test_the_nearest_centroid_of_a_class_speaks_for_it() -> None:
    distances = nearest(np.array([[0.9, 0.2, 0.5]]), np.array([1, 0, 0]), 2)
    assert distances == pytest.approx(np.array([[0.5, 0.1]]))
    assert shares(distances[0]) == pytest.approx([log(0.5) / log(0.05), log(0.1) / log(0.05)])


@given(st.lists(st.floats(-0.1, 1.1), min_size=2, max_size=5))
def test_shares_are_shares_whatever_the_distances(cosines: list[float]) -> None:
    groups = np.arange(len(cosines), dtype=np.intp)
    found = shares(nearest(np.array([cosines]), groups, len(cosines))[0])
    assert found.sum() == pytest.approx(1.0)
    assert (found >= 0).all()
    assert (np.argsort(found, kind="stable") == np.argsort(np.clip(cosines, 1e-6, 1 - 1e-6), kind="stable")).all()


def test_correction_is_the_classifiers_error() -> None:
    assert by_hand(p_err=0.1).corrected(0.8) == pytest.approx(0.74)


def test_it_tells_pages_of_new_sites_apart() -> None:
    classifier = trained()
    random = Random(99)
    for _ in range(10):
        assert classifier.confidence(page(A, text_of("orchid", random))) > 0.6
        assert classifier.confidence(page(A, text_of("bread", random))) < 0.4
    assert abs(classifier.confidence(page(A, text_of("common", random))) - 0.5) < 0.25
    assert classifier.p_err < 0.05


def test_what_cannot_be_learned_is_known_to_be_so() -> None:
    """The same kind of page on both sides: about half of all pages are misjudged, and that is what p_err says."""
    sites = [site("rail", n) for n in range(20)]
    assert PageClassifier.train(sites[:10], sites[10:], random=Random(3), idf=ONE).p_err > 0.3


def test_several_classes_of_which_two_are_sought() -> None:
    classes = {theme: [site(theme, n) for n in range(8)] for theme in ("orchid", "rail", "bread")}
    classifier = PageClassifier.train_classes(classes, ("orchid", "bread"), random=Random(1), idf=ONE, clusters=2)[0]
    random = Random(5)
    assert classifier.confidence(page(A, text_of("bread", random))) > 0.6
    assert classifier.confidence(page(A, text_of("rail", random))) < 0.4
    told = classifier.confidences(page(A, text_of("bread", random)))
    assert max(told, key=lambda name: told[name]) == "bread"
    assert sum(told.values()) == pytest.approx(1.0)


def test_without_balance_there_is_no_bias() -> None:
    assert trained(balanced=False).bias == 0.0


def test_the_same_seed_learns_the_same() -> None:
    (one, _), (two, _) = trained().to_state(), trained().to_state()
    assert all((one[name] == two[name]).all() for name in one)


def test_a_state_goes_through_json_and_arrays() -> None:
    classifier = trained()
    arrays, header = classifier.to_state()
    restored = PageClassifier.from_state(arrays, msgspec.json.decode(msgspec.json.encode(header)))
    told = page(A, text_of("orchid", Random(7)))
    assert restored.confidence(told) == classifier.confidence(told)
    assert (restored.p_err, restored.bias, restored.classes) == (classifier.p_err, classifier.bias, classifier.classes)


@pytest.mark.parametrize("missing", ["words", "p_err", "classes"])
def test_a_state_that_lacks_something_is_refused(missing: str) -> None:
    arrays, header = trained().to_state()
    with pytest.raises(ModelError, match="Train it again"):
        PageClassifier.from_state(arrays, {name: value for name, value in header.items() if name != missing})
    with pytest.raises(ModelError, match="Train it again"):
        PageClassifier.from_state(arrays | {"centroids": arrays["centroids"][:, 1:]}, header)


def test_a_class_without_words_is_refused() -> None:
    with pytest.raises(ModelError, match="'other' has no training page"):
        PageClassifier.train([site("rail", 1)], [[page(A)]], random=Random(1), idf=ONE)


def test_sites_that_cannot_be_told_apart_are_refused() -> None:
    with pytest.raises(ModelError, match="tell them apart"):
        PageClassifier.train([[page(A, "same words")]], [[page(A, "same words")]], random=Random(1), idf=ONE)
