import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound.cli.main import app
from scenthound.config import Config
from tests.library.collection import collect, stored, zoo

runner = CliRunner()
HOME = "https://www.zoo.example/"
OTTERS = f"{HOME}otters"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(zoo(tmp_path / "zoo"))


def run(*arguments: str) -> Result:
    return runner.invoke(app, ["explain", *arguments])


def told(*arguments: str) -> dict[str, object]:
    data: dict[str, object] = json.loads(run(*arguments, "--json").stdout)
    return data


def test_the_way_and_the_judgement(folder: str) -> None:
    data = json.loads(run(folder, OTTERS, "--json").stdout)
    assert data["state"] == "fetched"
    assert [(point["url"], point["kind"], point["relevance"]) for point in data["way"]] == [
        (HOME, "seed", 0.4),
        (OTTERS, "a", 0.9),
    ]
    assert data["way"][1]["priority"] == 0.8
    judgement = data["judgement"]
    assert (judgement["relevance"], judgement["threshold"], judgement["relevant"]) == (0.9, 0.3, True)
    assert {term["term"] for term in judgement["terms"]} == {"otter", "river"}
    assert "judged anew" in judgement["note"]  # the test made the 0.9 up


def test_terms_add_up_to_the_relevance(tmp_path: Path) -> None:
    from scenthound import registry
    from scenthound.crawler.assemble import build, make_context
    from scenthound.model import Response
    from scenthound.parse.page import parse

    config = Config()
    config.topic.keywords = ["otter", "river"]
    config.crawl.judge = "keywords"
    body = b"<title>Otters</title><p>An otter in the river, and a heron.</p>"
    page = parse(
        Response(url="http://a.example/", status=200, headers=(("Content-Type", "text/html"),), body=body), "en"
    )
    relevance = build(registry.judge, config.crawl.judge, make_context(config))(page)
    for warc in (True, False):
        folder = tmp_path / str(warc)
        step = stored(page.url, page.text, title=page.title, body=body, relevance=relevance)
        collect(folder, [step], config, warc=warc)
        judgement = json.loads(run(str(folder), page.url, "--json").stdout)["judgement"]
        assert judgement["note"] == ""
        assert sum(term["share"] for term in judgement["terms"]) == pytest.approx(relevance)


def test_for_people(folder: str) -> None:
    text = run(folder, OTTERS).stdout
    for part in (
        "All about otters",
        "Fetched on",
        "0.900 ≥ 0.3, counts as found",
        "a seed",
        "priority 0.8000",
        "otter",
    ):
        assert part in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{HOME}tickets", ["Waiting", "priority 0.2000, 2 links ahead of it, 1 of them on its host"]),
        (f"{HOME}admin", ["Not asked for: robots"]),
        ("https://gone.example/", ["Failed: 404 not found, 3 requests"]),
        ("https://old.example/", [f"Moved: the server sent us on to {OTTERS}"]),
        ("https://birds.example/owl", ["does not count as found", "Not a word of the topic"]),
        ("https://secret.example/", ["asks not to be indexed"]),
    ],
)
def test_why_not(folder: str, url: str, expected: list[str]) -> None:
    result = run(folder, url)
    assert result.exit_code == 0
    for part in expected:
        assert part in result.stdout


def test_never_seen(folder: str) -> None:
    result = run(folder, "www.zoo.example/otter")
    assert result.exit_code == 1
    assert "Never seen" in result.stdout
    assert OTTERS in result.stdout
    data = told(folder, "www.zoo.example/otter")
    assert data["state"] == "unknown"
    assert OTTERS in data["near"]  # type: ignore[operator]


def test_a_queue_for_machines(folder: str) -> None:
    assert told(folder, f"{HOME}map")["queue"] == {
        "priority": 0.7,
        "ahead": 1,
        "ahead_on_host": 0,
        "not_before": 0.0,
        "found_on": 1,
        "listed_on": "The zoo",
        "reasons": [],
    }


def test_a_repetition_does_not_count(tmp_path: Path) -> None:
    config = Config()
    config.topic.name = "otters"
    first, second = "http://a.example/", "http://b.example/"
    collect(tmp_path, [stored(first, "otters"), stored(second, "otters too", duplicate_of=first)], config)
    assert f"does not count: it repeats {first}" in run(str(tmp_path), second).stdout


def test_no_server_is_asked_for_examples(tmp_path: Path) -> None:
    config = Config()
    config.topic.name = "otters"
    config.topic.examples = ["http://127.0.0.1:9/never"]
    collect(tmp_path, [stored("http://a.example/", "otters")], config)
    assert "asks no server" in run(str(tmp_path), "http://a.example/").stdout


def test_a_very_long_way_shows_both_ends(tmp_path: Path) -> None:
    pages = [f"http://a.example/{n}" for n in range(60)]
    steps = [stored(url, f"page {n}", source=pages[n - 1] if n else "", depth=n) for n, url in enumerate(pages)]
    collect(tmp_path, steps)
    text = run(str(tmp_path), pages[-1]).stdout
    assert "40 pages more" in text
    assert text.count("●") == 20
    assert len(told(str(tmp_path), pages[-1])["way"]) == 60  # type: ignore[arg-type]


@pytest.mark.parametrize(("url", "code"), [("ftp://x", 2), ("", 2)])
def test_mistakes(folder: str, url: str, code: int) -> None:
    assert run(folder, url).exit_code == code


def test_no_library_there(tmp_path: Path) -> None:
    assert run(str(tmp_path), OTTERS).exit_code == 3
