"""`scenthound topic`, against pages in files, a library and a directory entry."""

import asyncio
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from scenthound import config as toml
from scenthound.cli import main
from scenthound.cli.commands.topic import topic
from scenthound.config import Config
from tests.served_pages import serving_pages
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


GERMAN = "Das Denguefieber wird von Mücken übertragen, die auch am Tag stechen und im Wasser brüten. " * 4
WEB = {
    "/dengue": f"<title>Dengue</title><p>{ABOUT}",
    "/more": f"<title>More on dengue</title><p>{ABOUT} A vaccine against dengue fever is tested.",
    "/fieber": f"<title>Denguefieber</title><p>{GERMAN}",
    "/robots.txt": "User-agent: *\nDisallow: /secret",
    "/secret": "<p>nothing",
}
POLITE = ("--allow-private", "--delay", "0")


@pytest.fixture
def site() -> Iterator[str]:
    with serving_pages(WEB) as address:
        yield address


def test_from_a_sentence(app: typer.Typer) -> None:
    text = run(app, "I am looking for pages about dengue fever and the mosquitoes that carry it", "-s", "example.org")
    folder = "crawls/dengue-fever-mosquitoes-carry"
    assert f"Next: scenthound crawl {folder}" in text
    assert terms(folder)[0] == "dengue fever"
    assert written(folder)["crawl"]["seeds"] == ["https://example.org/"]
    Path(folder, "topic.toml").write_text('[topic]\nname = "dengue fever, mosquitoes, carry"\nkeywords = ["mine"]\n')
    run(app, "I am looking for pages about dengue fever and the mosquitoes that carry it")
    assert written(folder)["topic"]["keywords"] == ["mine"], "what is in topic.toml stays"


def test_words_into_a_folder_of_ones_choice(app: typer.Typer) -> None:
    run(app, "Vogelstimmen im Wald", "--into", "birds")
    assert written("birds")["topic"] == {
        "name": "Vogelstimmen im Wald",
        "keywords": ["Vogelstimmen im Wald"],
        "language": "de",
    }
    assert "holds the topic 'Vogelstimmen im Wald' already" in run(app, "orchid nursery", "--into", "birds", code=2)
    assert "--into has no meaning" in run(app, "birds", "--into", "other", code=2)


def test_pages_one_likes_are_a_topic(app: typer.Typer, site: str, here: Path) -> None:
    told = json.loads(run(app, "--like", f"{site}/dengue", "--like", f"{site}/more", *POLITE, "--json"))
    folder = told["folder"]
    assert Path(folder).parent == Path("crawls")
    assert told["keywords"][0]["term"] == "dengue fever"
    assert told["examples"] == told["seeds"] == [f"{site}/dengue", f"{site}/more"]
    assert told["language"] == "en"
    assert "starts from the pages you like" in told["notes"][0]
    assert len(list(Path(folder, "examples").iterdir())) == 2, "no crawl has to ask for them again"


def test_a_page_one_likes_leaves_the_keywords_there_are(app: typer.Typer, site: str) -> None:
    run(app, "dengue", "-k", "mosquito", "--seed", "example.org")
    run(app, "dengue", "--like", f"{site}/dengue", *POLITE)
    assert terms() == ["mosquito"]
    assert written()["topic"]["examples"] == [f"{site}/dengue"]
    assert written()["crawl"]["seeds"] == ["https://example.org/"]


def test_words_and_pages_together(app: typer.Typer, site: str) -> None:
    run(app, "breakbone fever", "--like", f"{site}/dengue", "--into", "dengue", *POLITE, "--terms", "4")
    assert terms()[0] == "breakbone fever"
    assert "dengue fever" in terms()
    assert written()["topic"]["name"] == "breakbone fever"


def test_the_language_of_pages_is_recognised(app: typer.Typer, site: str) -> None:
    run(app, "dengue", "--like", f"{site}/fieber", *POLITE)
    assert written()["topic"]["language"] == "de"
    run(app, "english", "-k", "dengue", "--language", "en")
    assert "The pages read as German" in run(app, "english", "--like", f"{site}/fieber", *POLITE)
    assert "language" not in written("english")["topic"]


def test_a_page_that_cannot_be_fetched_is_left_out_and_named(app: typer.Typer, site: str, here: Path) -> None:
    (here / "list.txt").write_text(f"{site}/dengue\n{site}/none\n{site}/secret\n")
    text = run(app, "dengue", "--like", "list.txt", *POLITE)
    assert f"Left out: The example {site}/none could not be fetched (status: 404)." in text
    assert f"Left out: The example {site}/secret may not be fetched: the robots.txt" in text
    assert written()["topic"]["examples"] == [f"{site}/dengue"], "the list would stop every crawl"
    assert "No page could be fetched" in run(app, "x", "--like", f"{site}/none", *POLITE, code=2)
    assert not Path("x").exists()


HOUNDS = {
    f"/{i}": f"<title>Page {i}</title><p>{text} number{i} word{i}</p>"
    for i, text in enumerate(["Hounds follow a scent with the nose to the ground."] * 4 + ["Tea is made in pots."] * 4)
} | {"/": "<title>Start</title><p>Where to go</p>" + "".join(f"<a href=/{i}>{i}</a> " for i in range(8))}


def test_a_preview_of_pages_it_would_keep_and_would_not(app: typer.Typer) -> None:
    requests: list[str] = []
    Path("hounds").mkdir()
    Path("hounds/topic.toml").write_text('[crawl]\njudge = "keywords"\n')
    with serving_pages(HOUNDS, requests) as site:
        words = "I am looking for pages about hounds that follow a scent"
        text = run(app, words, "-s", f"{site}/", "--into", "hounds", "--preview", *POLITE)
        assert "it would keep 4 and leave" in text
        assert text.index("Would keep") < text.index(f"{site}/0") < text.index("Would not") < text.index(f"{site}/7")
        assert re.search(r"for (hounds|scent), ", text)
        assert "scenthound label hounds URL --yes" in text
        fetched = [path for path in requests if path != "/robots.txt"]
        assert sorted(fetched) == sorted(HOUNDS)
        told = json.loads(run(app, "hounds", "--preview", "--json"))["preview"]
        assert (told["kept"], len(told["keeps"])) == (4, 4)
        assert len(requests) == len(fetched) + 1, "the pages there are do"
    assert "it would keep 4 and leave" in run(app, "hounds", "-k", "tea", "-k", "pots"), (
        "seen at once what a change does"
    )
    assert "Would keep" not in run(app, "hounds")


def test_a_preview_of_nothing(app: typer.Typer) -> None:
    assert "give a --seed URL" in run(app, "hounds and their scents", "--preview", code=2)
    with serving_pages({}) as site:
        result = runner.invoke(app, ["topic", "x", "-k", "hounds", "-s", f"{site}/", "--preview", *POLITE])
    assert result.exit_code != 0
    assert f"{site}/  404 not found" in result.output
    assert "scenthound topic x --preview --seed URL" in result.output


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "Say what you are after"),
        (["--like", "none.html"], 2, "neither a URL nor a file"),
        (["--like", "nothing"], 2, "neither a URL nor a file"),
        (["--from-found"], 2, "Say whose pages"),
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
