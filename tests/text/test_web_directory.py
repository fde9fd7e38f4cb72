import gzip
from pathlib import Path

import pytest

from scenthound.errors import ConfigError
from scenthound.text.web_directory import Category, ListedPage, read, read_subtree

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


def test_training_sites_from_a_subtree(dump: Path, tmp_path: Path) -> None:
    more = "".join(
        f'<ExternalPage about="http://{name}.test/{n}"><topic>Top/{where}</topic></ExternalPage>'
        for name, where in (
            ("bonsai", "Home/Gardening/Plants/House_Plants/Bonsai"),
            ("ferns", "Shopping"),
            ("x", "Arts"),
        )
        for n in range(2)
    )
    dump.write_text(RDF.replace("</RDF>", f"{more}</RDF>"))
    found = read_subtree(dump, "Plants/House_Plants")
    assert found.relevant == ("http://ferns.test/", "http://cacti.test/", "http://bonsai.test/0"), "one a host"
    assert found.other == ("http://g.test/", "http://x.test/0"), "a site that is relevant elsewhere is no other"
    assert len(read_subtree(dump, "Home", most=2).relevant) <= 2
    packed = tmp_path / "content.rdf.u8.gz"
    packed.write_bytes(gzip.compress(dump.read_bytes()))
    assert read_subtree(packed, "plants/house plants") == found


def test_a_subtree_that_is_not_there(dump: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no category 'Zoos' with pages"):
        read_subtree(dump, "Zoos")
    with pytest.raises(ConfigError, match="Say which part"):
        read_subtree(dump, "")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_subtree(tmp_path / "gone.rdf", "Home")
    dump.write_text("<RDF>")
    with pytest.raises(ConfigError, match="not valid RDF"):
        read_subtree(dump, "Home")


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
