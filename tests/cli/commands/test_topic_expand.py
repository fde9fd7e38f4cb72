"""`scenthound topic expand`, beside `scenthound topic`, whose use it leaves as it was."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scenthound.cli import main

HEALTH = Path(__file__).parents[2] / "ontology" / "data" / "health.ttl"
runner = CliRunner()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, code: int = 0) -> str:
    result = runner.invoke(main.app, ["topic", *arguments])
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


def test_a_table_for_people() -> None:
    lines = run("expand", "dengue fever", "mosquito").splitlines()
    assert lines[0].split("  ")[:2] == ["0.500", "dengue fever"]
    assert any(line.startswith("0.500  breakbone fever") and "synonym of dengue fever" in line for line in lines)
    assert any("Aedes aegypti" in line and "narrower than mosquito" in line for line in lines)
    assert "infectious disease > dengue" in lines[2]


def test_toml_is_a_topic(here: Path) -> None:
    text = run("expand", "dengue fever", "--distance", "0", "--toml")
    keywords = tomllib.loads(text)["topic"]["keywords"]
    assert [entry["term"] for entry in keywords] == ["dengue fever", "dengue", "dandy fever", "breakbone fever"]
    assert sum(entry["weight"] for entry in keywords) == pytest.approx(1.0, abs=0.01)
    assert "# synonym of dengue fever: " in text
    (here / "dengue").mkdir()
    (here / "dengue" / "topic.toml").write_text(text)
    assert "dandy fever" in run("dengue")


def test_json_is_a_line_a_word() -> None:
    words = [json.loads(line) for line in run("expand", "mosquito", "--json", "--limit", "3").splitlines()]
    assert len(words) == 3
    assert words[0] == {
        "term": "gnat",
        "weight": 0.5,
        "keyword": "mosquito",
        "relation": "narrower",
        "distance": 1,
        "meaning": "insect > dipterous insect > mosquito",
        "ontology": "WordNet 3.0",
    }


def test_a_file_and_a_folder(here: Path) -> None:
    assert "0.500  influenza" in run("expand", "flu", "grippe", "-o", str(HEALTH))
    (here / "health").mkdir()
    (here / "health" / "h.ttl").write_bytes(HEALTH.read_bytes())
    toml = '[topic]\nkeywords = [{term = "flu", weight = 0.7}, "surgery"]\nontology = "h.ttl"\n'
    (here / "health" / "topic.toml").write_text(toml)
    text = run("expand", "health")
    assert "0.700  influenza" in text
    assert "0.150  amputation" in text
    assert "grippe" in run("expand", "health", "--ontology", "wordnet")
    assert "Grippe" not in text
    assert "0.350  viral disease" in text
    assert "0.350" not in run("expand", "health", "--distance", "0")


def test_languages() -> None:
    assert "Infektionskrankheit" in run("expand", "Krankheiten", "--language", "de", "-o", str(HEALTH))
    assert "WordNet is English" in run("expand", "Krankheit", "--language", "de", code=2)


def test_nothing_found_is_said_and_the_output_stays_clean() -> None:
    result = runner.invoke(main.app, ["topic", "expand", "xyzzy", "--json"])
    assert (result.exit_code, result.stdout) == (0, "")
    assert "No word of the topic is in WordNet 3.0" in result.stderr
    assert "1.000  xyzzy" in run("expand", "xyzzy")
    assert "more; see them with --limit" in run("expand", "dog", "--limit", "1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["expand", ""], "Give the words of a topic"),
        (["expand", "dog", "-o", "gone.ttl"], "There is no ontology file gone.ttl"),
        (["expand", "dog", "-o", "bad.ttl"], "bad.ttl cannot be read: line 1"),
        (["expand", "dog", "-o", "empty.ttl"], "empty.ttl is empty"),
        (["expand", "dog", "-o", "wn:none"], "wn"),
        (["expand"], "Missing argument"),
        (["expand", "bare"], ""),
    ],
)
def test_mistakes(here: Path, arguments: list[str], message: str) -> None:
    (here / "bad.ttl").write_text("no such thing")
    (here / "empty.ttl").touch()
    (here / "bare").mkdir()
    (here / "bare" / "topic.toml").write_text("[crawl]\npages = 5\n")
    assert message in " ".join(run(*arguments, code=2).split())


def test_awkward_words_are_still_toml() -> None:
    word = 'xyzzy "plugh" \\ # 🦟 \x7f'
    assert tomllib.loads(run("expand", word, "--toml"))["topic"]["keywords"] == [{"term": word, "weight": 1.0}]
