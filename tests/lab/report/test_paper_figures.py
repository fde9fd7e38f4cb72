import xml.etree.ElementTree as ET
from pathlib import Path

from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.report.paper_figures import write_figures
from scenthound.lab.report.summary import summarise
from tests.lab.small import row
from tests.report.test_figure import SVG, words_of

TOPICS = ["ferns", "mosses", "a topic with a name that no small chart has room for"]


def rows(strategy: str, area: float) -> list[ResultRow]:
    return [row(strategy, name, final={"recall-area": area, "cpu": 2.0, "requests": 5.0}) for name in TOPICS]


def test_each_chart_as_svg_and_pdf(tmp_path: Path) -> None:
    made = [*rows("breadth-first", 0.2), *rows("best-first", 0.4), *rows("oracle", 0.8)]
    written = write_figures(summarise(made, "breadth-first"), tmp_path)
    assert {path.suffix for path in written} == {".svg", ".pdf"}
    assert (tmp_path / "figures/cost-and-benefit.pdf") in written
    for path in written:
        if path.suffix == ".pdf":
            words = words_of(path.read_bytes())
        else:
            words = " ".join(word.text or "" for word in ET.parse(path).iter(f"{SVG}text"))
        assert "breadth-first" in words
        assert "best-first" in words
    cost = words_of((tmp_path / "figures/cost-and-benefit.pdf").read_bytes())
    assert "recall area" in cost
    assert "oracle" not in cost  # a bound costs nothing one could choose
