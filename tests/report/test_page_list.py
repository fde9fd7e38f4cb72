import json
import re
from pathlib import Path

from scenthound.config import Config
from scenthound.library import open_library
from scenthound.report.page_list import page_lines, page_list_section
from tests.library.collection import collect, stored

TITLE = "</script><b>Birds</b>"


def test_every_page_is_a_row_of_data_and_nothing_of_it_is_markup(tmp_path: Path) -> None:
    config = Config()
    config.topic.name = "birds"
    steps = [
        stored(
            "http://a.test/", "Many birds sing, and a bird is a bird.", title="</script><b>Birds</b>", relevance=0.9
        ),
        stored("http://b.test/", "nothing", title="Other", relevance=0.1, noindex=True),
    ]
    with open_library(collect(tmp_path / "x", steps, config), write=False) as library:
        first, second = page_lines(library, config)
    assert (first.counts, first.title, first.words) == (True, "</script><b>Birds</b>", "bird 2, birds 1")
    assert "Many birds sing" in first.text
    assert first.archive.endswith(".warc.gz")
    assert (second.counts, second.archive) == (False, "")
    section = page_list_section([first, second], 2)
    (data,) = re.findall(r'<script type="application/json" id="pages">(.*?)</script>', section, re.DOTALL)
    assert "<" not in data
    assert [row[2] for row in json.loads(data)] == [first.title, "Other"]
