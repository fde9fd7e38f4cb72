import lzma
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.model import Page
from scenthound.text import background
from scenthound.text.language_recognition import FILE, of_pages, recognize, unpacked

SENTENCES = {
    "en": "The reef is dying because the water has become too warm for the animals that built it.",
    "de": "Das Riff stirbt, weil das Wasser für die Tiere, die es gebaut haben, zu warm geworden ist.",
    "fr": "Le récif meurt parce que l'eau est devenue trop chaude pour les animaux qui l'ont construit.",
    "es": "El arrecife muere porque el agua está demasiado caliente para los animales que lo construyeron.",
    "it": "La barriera muore perché l'acqua è diventata troppo calda per gli animali che l'hanno costruita.",
    "pt": "O recife está morrendo porque a água ficou quente demais para os animais que o construíram.",
    "nl": "Het rif sterft omdat het water te warm is geworden voor de dieren die het hebben gebouwd.",
    "sv": "Revet dör eftersom vattnet har blivit för varmt för de djur som har byggt det.",
    "da": "Revet dør, fordi vandet er blevet for varmt for de dyr, der har bygget det.",
    "pl": "Rafa umiera, ponieważ woda stała się zbyt ciepła dla zwierząt, które ją zbudowały.",
    "ru": "Риф умирает, потому что вода стала слишком тёплой для животных, которые его построили.",
    "tr": "Resif ölüyor çünkü su onu inşa eden hayvanlar için çok sıcak oldu ve bu böyle devam ediyor.",
    "fi": "Riutta kuolee, koska vesi on tullut liian lämpimäksi eläimille, jotka ovat sen rakentaneet.",
    "el": "Ο ύφαλος πεθαίνει γιατί το νερό έγινε πολύ ζεστό για τα ζώα που τον έχτισαν.",
    "ja": "水が温かくなりすぎたため、サンゴ礁は死にかけています。",
    "zh": "珊瑚礁正在死亡因为水变得太暖了",
    "ko": "물이 너무 따뜻해져서 산호초가 죽어가고 있습니다",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence(language: str) -> None:
    found = recognize(SENTENCES[language])
    assert found is not None
    assert found.language == language


@pytest.mark.parametrize(
    "topic", ["coral", "coral bleaching", "ferns", "jazz", "TCP/IP", "", "12 345", "Aedes aegypti"]
)
def test_what_any_language_may_say_is_nobodys(topic: str) -> None:
    assert recognize(topic) is None


@pytest.mark.parametrize(
    ("topic", "language"),
    [("solar power companies", "en"), ("Vogelstimmen im Wald", "de"), ("recettes de cuisine", "fr")],
)
def test_a_few_words_may_do(topic: str, language: str) -> None:
    found = recognize(topic)
    assert found is not None
    assert found.language == language


@pytest.mark.parametrize(
    "text",
    [
        "Риф гине, тому що вода стала занадто теплою для тварин, які його збудували, і ніхто про це не говорить.",
        "Uharria hiltzen ari da ura beroegia bihurtu delako hura eraiki zuten animalientzat eta inork ez daki.",
        "Group 1: Eric Brandwine, George Hoffman, Kyle Rose. Group 2: Donna Pallotta, Sergio Marti, Fabio Testa.",
    ],
)
def test_a_language_that_is_not_known_is_no_other(text: str) -> None:
    assert recognize(text) is None


@given(st.text())
def test_any_text_can_be_asked_about(text: str) -> None:
    recognize(text)


def test_most_pages_decide() -> None:
    german, french = (Page("http://a.test/", text=SENTENCES[language]) for language in ("de", "fr"))
    assert of_pages([german, german, french]) == "de"
    assert of_pages([german, french]) == ""
    assert of_pages([]) == ""


def test_where_the_text_does_not_tell_a_page_is_believed() -> None:
    assert of_pages([Page("http://a.test/", text="Jazz", language="de-AT")]) == "de"
    assert of_pages([Page("http://a.test/", text=SENTENCES["de"], language="en")]) == "de", "templates say anything"
    assert of_pages([Page("http://a.test/", title="Hani's Home Page")]) == "", "a title alone says little"


def test_the_file_holds_the_most_frequent_words_of_the_tables() -> None:
    file = files("scenthound.text").joinpath("data", FILE).read_bytes()
    assert len(file) < 300_000
    for language, table in unpacked(file).items():
        whole = background.background(language)
        assert whole is not None
        assert table.stopwords == whole.stopwords
        rarest = min(table.frequency.values())
        assert all(share <= rarest * 1.2 or stem in table.frequency or stem.isdecimal()
                   for stem, share in whole.frequency.items())  # fmt: skip
    assert lzma.decompress(file)
