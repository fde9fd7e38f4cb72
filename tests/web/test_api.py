"""The API: what it answers, what it refuses, and that its description is true for any question."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from tests.app.small_experiment import small_experiment
from tests.library.collection import zoo
from tests.web.served import Dashboard, opened

BASE = "/api/libraries/zoo"
OTTERS = "https://www.zoo.example/otters"


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    folder = tmp_path_factory.mktemp("api")
    with opened([zoo(folder / "zoo"), small_experiment(folder / "first")]) as found:
        yield found


def test_a_library_at_a_glance(dashboard: Dashboard) -> None:
    card = dashboard.ask(BASE).json
    assert card["topic"] == "otters"
    assert card["totals"]["pages"] == 7
    assert dashboard.ask("/api/libraries").json == [{"name": "zoo", "crawl": "none"}]


def test_pages_are_listed_part_by_part(dashboard: Dashboard) -> None:
    found, after = [], ""
    while not found or after:
        part = dashboard.ask(f"{BASE}/pages?limit=3&after={after}").json
        found += [page["url"] for page in part["pages"]]
        after = part["next"]
    assert len(found) == len(set(found)) == 7


def test_a_label_is_set_and_taken_back(dashboard: Dashboard) -> None:
    change = dashboard.ask(f"{BASE}/labels", "POST", {"url": OTTERS, "relevant": False}).json[0]
    assert (change["relevant"], change["before"]) == (False, None)
    assert dashboard.ask(f"{BASE}/page?url={OTTERS}").json["page"]["label"] is False
    dashboard.ask(f"{BASE}/labels", "POST", {"url": OTTERS, "relevant": None})
    assert dashboard.ask(f"{BASE}/labels").json == []


def test_why_tells_the_way(dashboard: Dashboard) -> None:
    why = dashboard.ask(f"{BASE}/why?url={OTTERS}").json
    assert why["explanation"]["way"][-1]["url"] == OTTERS
    assert "".join(piece["text"] for piece in why["text"])


def test_notes_groups_map_and_trails(dashboard: Dashboard) -> None:
    note = dashboard.ask(f"{BASE}/notes", "POST", {"url": OTTERS, "text": "Look again.", "tags": ["Fish"]}).json
    assert (note["text"], note["tags"]) == ("Look again.", ["fish"])
    assert dashboard.ask(f"{BASE}/tags").json == {"fish": 1}
    assert [page["url"] for page in dashboard.ask(f"{BASE}/pages?tag=fish").json["pages"]] == [OTTERS]
    assert dashboard.ask(f"{BASE}/search?q=otter&tag=fish").json["total"] == 1
    dashboard.ask(f"{BASE}/notes", "POST", {"url": OTTERS})
    assert dashboard.ask(f"{BASE}/notes").json == []
    groups = dashboard.ask(f"{BASE}/groups").json
    assert sum(group["pages"] for group in groups["groups"]) == groups["grouped"]
    assert {site["host"] for site in dashboard.ask(f"{BASE}/map").json["sites"]} >= {"www.zoo.example"}
    assert dashboard.ask(f"{BASE}/trails/visit", "POST", {"url": OTTERS}).status == 400
    assert dashboard.ask(f"{BASE}/trails/begin", "POST", {}).json["walking"]
    steps = dashboard.ask(f"{BASE}/trails/visit", "POST", {"url": OTTERS}).json["current"]["steps"]
    assert [step["url"] for step in steps] == [OTTERS]
    assert not dashboard.ask(f"{BASE}/trails/end", "POST", {}).json["walking"]


def test_a_word_said_of_a_site_is_in_the_ranking_at_once(dashboard: Dashboard) -> None:
    said = {"url": "birds.example", "relevant": False, "site": True}
    dashboard.ask(f"{BASE}/labels", "POST", said)
    sites = {site["site"]: site["label"] for site in dashboard.ask(f"{BASE}/sites").json["sites"]}
    assert sites["birds.example"] is False
    dashboard.ask(f"{BASE}/labels", "POST", said | {"relevant": None})


def test_what_waits_is_a_table(dashboard: Dashboard) -> None:
    answer = dashboard.ask(f"{BASE}/queue")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    assert "https://far.example/" in answer.text


def test_experiments(dashboard: Dashboard) -> None:
    assert [each["name"] for each in dashboard.ask("/api/lab").json] == ["first"]
    assert dashboard.ask("/api/lab/first").json["strategies"][0]["name"] == "auto"
    assert dashboard.ask("/api/lab/second").status == 404


@pytest.mark.parametrize(
    ("path", "method", "body", "status"),
    [
        ("/pages?limit=501", "GET", None, 400),
        ("/pages?colour=red", "GET", None, 400),
        ("/pages?order=best&order=best", "GET", None, 400),
        ("/page?url=https://nowhere.example/", "GET", None, 404),
        ("/labels", "POST", {"url": OTTERS}, 400),
        ("/labels", "POST", {"url": OTTERS, "relevant": True, "by": "me"}, 400),
        ("/crawl/pause", "POST", {}, 400),
        ("/nothing", "GET", None, 404),
        ("/labels", "DELETE", None, 405),
    ],
)
def test_what_is_refused(dashboard: Dashboard, path: str, method: str, body: object, status: int) -> None:
    answer = dashboard.ask(f"{BASE}{path}", method, body)
    assert answer.status == status
    if status != 405:
        assert answer.json["error"]


def test_a_body_that_is_no_json(dashboard: Dashboard) -> None:
    assert dashboard.ask(f"{BASE}/labels", "POST", "nonsense").status == 400


def test_the_description_holds_for_any_question(dashboard: Dashboard) -> None:
    """Every operation is asked what its description allows, and some of what it does not; nothing may fail."""
    described = dashboard.ask("/api/openapi.json").json
    for path in list(described["paths"]):
        if path.endswith(("/crawl", "/effect", "/train")):
            described["paths"][path].pop("post", None)  # these begin hours of work
    for path, operations in described["paths"].items():
        for operation in operations.values():
            if "{name}" in path:
                name = "first" if path.startswith("/api/lab") else "zoo"
                operation["parameters"][0]["schema"] = {"type": "string", "enum": [name]}
    schema = schemathesis.openapi.from_dict(json.loads(json.dumps(described)))
    checks = [
        schemathesis.checks.not_a_server_error,
        schemathesis.checks.CHECKS.get_one("response_schema_conformance"),
        schemathesis.checks.CHECKS.get_one("status_code_conformance"),
    ]
    for result in schema.get_all_operations():
        operation = result.ok()

        @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @(_given(operation))
        def ask(case: schemathesis.Case) -> None:
            response = case.call(base_url=dashboard.url)
            case.validate_response(response, checks=checks)

        ask()


def _given(operation):  # type: ignore[no-untyped-def]
    from hypothesis import given

    return given(case=operation.as_strategy())
