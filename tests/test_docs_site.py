"""The website of the documentation: every page has its place, links are turned, and a strict build has no complaint."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts import docs_site

ROOT = Path(__file__).parents[1]


def test_every_page_has_its_place() -> None:
    listed = (ROOT / "mkdocs.yml").read_text()
    assert not [name for name in docs_site.site_pages().values() if f": {name}\n" not in listed]


def test_links_lead_to_the_page_on_the_site_or_are_words() -> None:
    pages = docs_site.site_pages()
    turned = docs_site.turned(
        "[a](docs/lab.md#figures) [b](CONTRIBUTING.md) [`c`](tests/test_crash.py)", "README.md", pages
    )
    assert turned == "[a](lab.md#figures) [b](contributing.md) `c`"
    turned = docs_site.turned(
        "[a](../benchmarks/README.md) ![b](crawl.svg) [c](https://x.org/) [d](#here)", "docs/lab.md", pages
    )
    assert turned == "[a](benchmarks.md) ![b](crawl.svg) [c](https://x.org/) [d](#here)"
    code = "```\n[a](docs/lab.md)\n```\n"
    assert docs_site.turned(code, "README.md", pages) == code


def test_the_site_is_built_without_complaint(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed: pip install 'scenthound[docs]'")
    docs_site.gather()
    done = docs_site.build(tmp_path / "site")
    assert done.returncode == 0, done.stderr
    front = (tmp_path / "site" / "index.html").read_text()
    assert "tutorial.html" in front
    assert (tmp_path / "site" / "search" / "search_index.json").is_file()
