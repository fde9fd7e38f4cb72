from pathlib import Path

from scenthound.library import open_library
from scenthound.model import Step
from scenthound.report.crawl_report import write_report
from scenthound.report.trouble_section import failure_examples
from tests.library.steps import entry
from tests.report.test_crawl_report import Seen

REASONS = {
    "http://a.example/1": "status: 404",
    "http://a.example/2": "status: 404",
    "http://a.example/3": "status: 404",
    "http://a.example/4": "status: 404",
    "http://b.example/1": "status: 404",
    "http://b.example/2": "status: 403",
    "http://c.example/": "timeout: 30 s",
    "http://d.example/": "dns: no such name",
}


def failed(folder: Path) -> Path:
    with open_library(folder, create=True) as library:
        for order, (url, reason) in enumerate(REASONS.items()):
            library.record(Step(lease=entry(url, order=order), state="failed", at=1.0, reason=reason))
    return folder


def test_examples_are_of_as_many_hosts_as_can_be(tmp_path: Path) -> None:
    with open_library(failed(tmp_path), write=False) as library:
        found = failure_examples(library)
    assert found["404"] == ["http://a.example/1", "http://b.example/1", "http://a.example/2"]
    assert found["403"] == ["http://b.example/2"]
    assert found.keys() == {"404", "403", "timeout", "dns"}


def test_the_report_tells_the_true_kind_what_to_do_and_where(tmp_path: Path) -> None:
    seen = Seen(write_report(failed(tmp_path)).read_text(encoding="utf-8"))
    text = " ".join(seen.text.split())
    for part in (
        "8 requests brought no page.",
        "404 not found",
        "Links to pages that are no more; nothing to do. Such as",
        "403 forbidden",
        "say who you are (--contact)",
        "timeout",
        "raise read_timeout under [fetch]",
        "name not found",
    ):
        assert part in text
    links = [attributes.get("href") for tag, attributes in seen.tags if tag == "a"]
    assert {"http://b.example/2", "http://c.example/", "http://d.example/"} <= set(links)
