import gzip
from pathlib import Path

import pytest

from scenthound.errors import ConfigError
from scenthound.text.web_directory import Category, ListedPage, read

RDF = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
  <Topic r:id="Top/Home/Gardening"><catid>1</catid><link r:resource="http://g.test/"/></Topic>
  <ExternalPage about="http://g.test/"><d:Title>G</d:Title><topic>Top/Home/Gardening</topic></ExternalPage>
  <Topic r:id="Top/Home/Gardening/Plants/House_Plants">
    <d:Description>Plants kept &lt;b&gt;indoors&lt;/b&gt;.</d:Description>
  </Topic>
  <ExternalPage about="http://ferns.test/">
    <d:Title>Ferns</d:Title><d:Description>Keeping ferns alive.</d:Description>
    <topic>Top/Home/Gardening/Plants/House_Plants</topic>
  </ExternalPage>
  <ExternalPage about="http://cacti.test/"><topic>Top/Home/Gardening/Plants/House_Plants</topic></ExternalPage>
  <Topic r:id="Top/Shopping/House_Plants"/>
</RDF>
"""
PLANTS = Category(
    "Top/Home/Gardening/Plants/House_Plants",
    "Plants kept  indoors .",
    (ListedPage("http://ferns.test/", "Ferns", "Keeping ferns alive."), ListedPage("http://cacti.test/")),
)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "content.rdf"
    path.write_text(RDF)
    return path


@pytest.mark.parametrize("name", [PLANTS.category, "plants/house plants", "/Gardening/Plants/House_Plants/"])
def test_a_category_of_the_dump(dump: Path, name: str) -> None:
    assert read(dump, name) == PLANTS


def test_a_compressed_dump(tmp_path: Path) -> None:
    path = tmp_path / "content.rdf.gz"
    path.write_bytes(gzip.compress(RDF.encode()))
    assert read(path, "Plants/House_Plants") == PLANTS


def test_levels_and_name() -> None:
    assert PLANTS.levels() == ["Home", "Gardening", "Plants", "House Plants"]
    assert (PLANTS.name(), Category("Top/A").name()) == ("House Plants", "")
    assert PLANTS.descriptions() == ["Plants kept  indoors .", "Ferns\nKeeping ferns alive."]


def test_json(tmp_path: Path) -> None:
    path = tmp_path / "plants.json"
    path.write_text('{"category": "Home/House Plants", "pages": [{"url": "http://a.test/"}]}')
    assert read(path) == Category("Home/House Plants", "", (ListedPage("http://a.test/"),))


@pytest.mark.parametrize(
    ("text", "category", "message"),
    [
        (RDF, "", "say which"),
        (RDF, "House_Plants", "name it in full"),
        (RDF, "Garden/House Plants", "There is Top/Home/Gardening/Plants/House_Plants, Top/Shopping/House_Plants"),
        (RDF, "Astronomy", "There is no category 'Astronomy'"),
        (RDF[:400], "Home/Gardening", "not valid RDF"),
        ("", "Home", "not valid RDF"),
    ],
)
def test_what_cannot_be_found_is_explained(tmp_path: Path, text: str, category: str, message: str) -> None:
    path = tmp_path / "content.rdf"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        read(path, category)


@pytest.mark.parametrize("text", ["", "[]", '{"category": 3}', '{"category": "Top"}', "\x00"])
def test_bad_json_is_explained(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match="category"):
        read(path)


def test_unreadable_files_are_explained(tmp_path: Path) -> None:
    broken = tmp_path / "x.rdf.gz"
    broken.write_bytes(b"no gzip")
    for path in (tmp_path / "none.json", tmp_path / "none.rdf", broken):
        with pytest.raises(ConfigError, match="cannot be read"):
            read(path, "Home")


def test_a_bomb_and_a_file_of_ours_are_not_read(tmp_path: Path) -> None:
    """Entities that become gigabytes, and one that stands for a file."""
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    secret = tmp_path / "secret"
    secret.write_text("hush")
    for declared, used in ((f'<!ENTITY l0 "laugh">{laughs}', "&l9;"), (f'<!ENTITY f SYSTEM "{secret}">', "&f;")):
        path = tmp_path / "content.rdf"
        topic = f'<Topic id="Top/A"><Description>{used}</Description></Topic>'
        path.write_text(f"<!DOCTYPE RDF [{declared}]><RDF>{topic}</RDF>")
        with pytest.raises(ConfigError):
            read(path, "A")
