from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scenthound.errors import ModelError
from scenthound.model import Page
from scenthound.sites import model_file
from scenthound.sites.classifier import PageClassifier


def taught() -> PageClassifier:
    def site(word: str, number: int) -> list[Page]:
        return [Page(url=f"http://{word}{number}.test/{n}", terms={word: 3, f"w{n}": 1}) for n in range(4)]

    good, bad = [site("orchid", n) for n in range(4)], [site("engine", n) for n in range(4)]
    return PageClassifier.train(good, bad, random=Random(0), idf=lambda term: 1.0)


def test_what_is_kept_says_the_same_when_it_is_loaded(tmp_path: Path) -> None:
    classifier = taught()
    assert model_file.save(classifier, tmp_path) == tmp_path / "models" / "sites.npz"
    again = model_file.load(tmp_path)
    assert again is not None
    for words in ({"orchid": 2}, {"engine": 1, "orchid": 1}, {"unknown": 1}, {}):
        page = Page(url="http://x.test/", terms=words)
        assert again.confidence(page) == pytest.approx(classifier.confidence(page), abs=1e-6)
    assert again.p_err == classifier.p_err


def test_nothing_there_is_none(tmp_path: Path) -> None:
    assert model_file.load(tmp_path) is None


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 but broken"])
def test_a_damaged_file_says_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / model_file.NAME
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(ModelError, match="damaged"):
        model_file.load(tmp_path)
