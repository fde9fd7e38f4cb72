from importlib.resources import files

import pytest

from scenthound.text import background as tables
from scenthound.text.analysis import analyzer
from scenthound.text.background import background, packed
from scenthound.text.language_recognition import FILE
from tests.counting import calls_of

DATA = files("scenthound.text").joinpath("data")
LANGUAGES = sorted(
    file.name.removesuffix(".xz") for file in DATA.iterdir() if file.name.endswith(".xz") and file.name != FILE
)


def test_the_tables_are_there_and_small() -> None:
    assert {"en", "de", "fr", "es", "ru"} <= set(LANGUAGES)
    assert sum(len(DATA.joinpath(f"{language}.xz").read_bytes()) for language in LANGUAGES) < 2_500_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_holds_frequencies(language: str) -> None:
    table = background(language)
    assert table is not None
    assert len(table.frequency) > 15_000
    assert 0.3 < sum(table.frequency.values()) + 0.6 < 1.6  # what is left without the stop words
    assert all(0 < p < 0.05 for p in table.frequency.values())
    assert 15 <= len(table.stopwords) <= 250


def test_a_table_opens_without_a_call_for_each_of_its_words() -> None:
    tables._read.cache_clear()
    assert calls_of(lambda: background("en")) < 2_000 < len(background("en").frequency)
    assert background("en") is background("EN")


def test_its_stems_are_those_of_the_analyzer() -> None:
    table = background("en")
    assert table is not None
    for word in ("university", "mosquitoes", "computing", "people", "time", "1997"):
        (term,) = analyzer("en").terms(word)
        assert term in table.frequency


def test_no_stop_word_takes_the_name_of_a_country() -> None:
    assert analyzer("tr").terms("Türkiye") != []
    assert analyzer("de").terms("Deutschland") != []


def test_unknown_language() -> None:
    assert background("xx") is None


def test_packing_and_reading(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("package")
    (folder / "data").mkdir()
    (folder / "data" / "da.xz").write_bytes(packed(["og", "i"], {"hus": 5.0, "æble": 3.02, "by": 0.4}))
    monkeypatch.setattr(tables, "files", lambda package: folder)
    table = tables._read.__wrapped__("da")
    assert table.stopwords == {"og", "i"}
    assert table.frequency == pytest.approx({"hus": 1e-4, "æble": 1e-6, "by": 1e-8}, rel=0.12)
