"""`scenthound topic`, against pages in files, a library and a directory entry."""

import asyncio
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from scenthound import config as toml
from scenthound.cli import main
from scenthound.cli.commands.topic import topic
from scenthound.config import Config
from tests.small_web import crawl_of, page

ABOUT = "Dengue fever is carried by mosquitoes. " * 5 + "The mosquito breeds in water. Dengue fever brings a rash. " * 3
runner = CliRunner()


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer(cls=main.Program)
    made.callback()(lambda: None)
    made.command()(topic)
    return made


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(app: typer.Typer, *arguments: str, code: int = 0) -> str:
    result = runner.invoke(app, ["topic", *arguments])
    assert result.exit_code == code, result.output
    return result.output


def written(folder: str = "dengue") -> dict[str, Any]:
    return tomllib.loads(Path(folder, "topic.toml").read_text())


def terms(folder: str = "dengue") -> list[str]:
    return [entry["term"] for entry in written(folder)["topic"]["keywords"]]


def test_from_a_page(app: typer.Typer, here: Path) -> None:
    (here / "about.html").write_text(f"<title>Dengue</title><p>{ABOUT}")
    text = run(app, "dengue", "-p", "about.html", "--terms", "3", "--seed", "example.org")
    assert terms()[0] == "dengue fever"
    assert len(terms()) == 3
    assert written()["topic"]["examples"] == [str(here / "about.html")]
    assert written()["crawl"]["seeds"] == ["https://example.org/"]
    assert "scenthound crawl dengue" in text
    toml.load(here / "dengue" / "topic.toml")
    run(app, "dengue", "-p", "about.html", "--keywords-only", "--terms", "2")
    assert len(terms()) == 2
    assert written()["topic"]["examples"] == [str(here / "about.html")], "once is enough"
    assert (here / "dengue" / "topic.toml.old").is_file()


def test_other_settings_stay(app: typer.Typer, here: Path) -> None:
    settings = Config()
    settings.topic.name, settings.crawl.pages, settings.politeness.delay = "dengue", 77, 3.0
    (here / "dengue").mkdir()
    toml.save(settings, here / "dengue" / "topic.toml")
    run(app, "dengue", "-k", "dengue fever=0.75", "-k", "mosquito")
    got = written()
    assert (got["crawl"]["pages"], got["politeness"]["delay"], got["topic"]["name"]) == (77, 3.0, "dengue")
    assert [(entry["term"], entry["weight"]) for entry in got["topic"]["keywords"]] == [
        ("dengue fever", 0.75),
        ("mosquito", 0.25),
    ]


def test_the_file_keeps_its_owners_hand(app: typer.Typer, here: Path) -> None:
    (here / "dengue").mkdir()
    text = '# Mine.\n[topic]\nname = "dengue"  # the fever\n\n# Slowly.\n[politeness]\ndelay = 3.0\n'
    (here / "dengue/topic.toml").write_text(text)
    run(app, "dengue", "--name", "malaria", "--seed", "example.org")
    seeds = '\n[crawl]\nseeds = [\n    "https://example.org/",\n]\n'
    assert (here / "dengue/topic.toml").read_text() == text.replace("dengue", "malaria") + seeds
    assert (here / "dengue/topic.toml.old").read_text() == text


def test_own_keywords_come_first_and_have_half_of_the_weight(app: typer.Typer, here: Path) -> None:
    (here / "about.html").write_text(ABOUT)
    run(app, "dengue", "-p", "about.html", "-k", "aedes aegypti", "--terms", "4")
    keywords = written()["topic"]["keywords"]
    assert keywords[0] == {"term": "aedes aegypti", "weight": 0.5}
    assert len(keywords) == 4
    assert sum(entry["weight"] for entry in keywords) == pytest.approx(1.0, abs=0.01)


def test_from_a_directory_entry(app: typer.Typer, here: Path) -> None:
    entry = {
        "category": "Top/Health/Diseases/Dengue_Fever",
        "description": "Carried by mosquitoes.",
        "pages": [{"url": "http://a.test/", "title": "Dengue"}, {"url": "http://b.test/"}],
    }
    (here / "dengue.json").write_text(json.dumps(entry))
    run(app, "dengue", "--from-directory", "dengue.json")
    assert written()["topic"]["name"] == "Dengue Fever"
    assert terms()[:3] == ["Health", "Diseases", "Dengue Fever"]
    assert written()["topic"]["examples"] == ["examples.txt"]
    assert (here / "dengue" / "examples.txt").read_text() == "http://a.test/\nhttp://b.test/\n"


def test_from_what_was_found(app: typer.Typer, here: Path) -> None:
    web = {
        "http://a.test/": page("1=http://b.test/", text="hound whippet whippet saluki"),
        "http://b.test/": page(text="teapot teapot"),
    }
    with crawl_of(here / "hounds", web) as crawl:
        asyncio.run(crawl.run())
    run(app, "hounds", "--from-found", "--name", "hounds")
    assert "whippet" in terms("hounds")
    assert "teapot" not in terms("hounds")


def test_shown_as_text_and_as_json(app: typer.Typer) -> None:
    run(app, "dengue", "-k", "dengue fever", "--name", "Dengue", "--language", "en")
    before = Path("dengue/topic.toml").read_text()
    assert "dengue fever" in run(app, "dengue")
    assert json.loads(run(app, "dengue", "--json"))["keywords"] == [{"term": "dengue fever", "weight": 1.0}]
    assert Path("dengue/topic.toml").read_text() == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none"], 3, "has no topic.toml yet"),
        (["x", "-p", "none.html"], 2, "neither a URL nor a file"),
        (["x", "-p", "empty.html"], 2, "no words"),
        (["x", "-k", "a=b"], 2, "no number"),
        (["x", "-k", "a=-1"], 2, "above 0"),
        (["x", "--from-found"], 3, "no pages yet"),
        (["x", "--from-directory", "none.json"], 2, "cannot be read"),
        (["x", "--terms", "50", "-k", "a"], 2, "--terms"),
        (["x", "-k", "a", "--seed", "ftp://x"], 2, "no usable URL"),
    ],
)
def test_mistakes_are_explained(app: typer.Typer, here: Path, arguments: list[str], code: int, message: str) -> None:
    (here / "empty.html").write_text("<p></p>")
    assert message in run(app, *arguments, code=code)
    assert not (here / "x" / "topic.toml").exists()
