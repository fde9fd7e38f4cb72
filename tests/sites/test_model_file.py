from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scenthound.errors import ModelError
from scenthound.model import Page
from scenthound.sites import model_file
from scenthound.sites.classifier import PageClassifier
from scenthound.sites.label_check import LabelCheck
from scenthound.sites.taught import TaughtSites


def taught() -> PageClassifier:
    def site(word: str, number: int) -> list[Page]:
        return [Page(url=f"http://{word}{number}.test/{n}", terms={word: 3, f"w{n}": 1}) for n in range(4)]

    good, bad = [site("orchid", n) for n in range(4)], [site("engine", n) for n in range(4)]
    return PageClassifier.train(good, bad, random=Random(0), idf=lambda term: 1.0)


def test_what_is_kept_says_the_same_when_it_is_loaded(tmp_path: Path) -> None:
    classifier, check = taught(), LabelCheck(8, 4, 7, 4, helps=True)
    kept = TaughtSites(classifier, check, {"orchid0.test": True}, "5e77")
    assert model_file.save(kept, tmp_path) == tmp_path / "models" / "sites.npz"
    loaded = model_file.load(tmp_path)
    assert loaded is not None
    assert (loaded.check, loaded.labels, loaded.setting) == (check, {"orchid0.test": True}, "5e77")
    again = loaded.classifier
    for words in ({"orchid": 2}, {"engine": 1, "orchid": 1}, {"unknown": 1}, {}):
        page = Page(url="http://x.test/", terms=words)
        assert again.confidence(page) == pytest.approx(classifier.confidence(page), abs=1e-6)
    assert again.p_err == classifier.p_err


def test_nothing_there_is_none(tmp_path: Path) -> None:
    assert model_file.load(tmp_path) is None
    model_file.remove(tmp_path)
    model_file.save(TaughtSites(taught()), tmp_path)
    model_file.remove(tmp_path)
    assert model_file.load(tmp_path) is None


def test_a_file_of_before_has_a_classifier_that_speaks_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encode = model_file.msgspec.json.encode

    def of_before(header: dict[str, object]) -> bytes:
        return encode({name: value for name, value in header.items() if name not in ("check", "labels", "setting")})

    monkeypatch.setattr(model_file.msgspec.json, "encode", of_before)
    model_file.save(TaughtSites(taught(), LabelCheck(8, 4, 7, 4, helps=True)), tmp_path)
    loaded = model_file.load(tmp_path)
    assert loaded is not None
    assert (loaded.check, loaded.labels, loaded.used) == (None, {}, True)


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 but broken"])
def test_a_damaged_file_says_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / model_file.NAME
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(ModelError, match="damaged"):
        model_file.load(tmp_path)
