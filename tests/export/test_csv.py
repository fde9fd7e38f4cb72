import csv
import io

import pytest

from scenthound.export.csv import CsvExport, cell
from scenthound.export.exporter import ChosenPages, ExportChoice
from tests.conformance.exporters import shelf


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ('=HYPERLINK("http://evil.example")', '\'=HYPERLINK("http://evil.example")'),
        ("@sum", "'@sum"),
        ("-1+1", "'-1+1"),
        ("\tindented", "'\tindented"),
        ("\n=1+1", "'\n=1+1"),
        ("＝1+1", "'＝1+1"),
        ("nul \0 byte", "nul  byte"),
        ("plain = text", "plain = text"),
        (True, "true"),
        (False, "false"),
        (-1, -1),
        (0.5, 0.5),
    ],
)
def test_a_spreadsheet_takes_no_text_for_a_formula(value: object, shown: object) -> None:
    assert cell(value) == shown


def test_a_row_of_names_and_then_the_pages() -> None:
    stream = io.BytesIO()
    CsvExport().write(ChosenPages(shelf(3), ExportChoice(fields=("title", "relevant", "relevance"))), stream)
    rows = list(csv.reader(io.StringIO(stream.getvalue().decode(), newline="")))
    assert rows == [
        ["title", "relevant", "relevance"],
        ["", "true", "0.0"],
        ["plain", "false", "0.1"],
        ['quotes " and, commas', "true", "0.2"],
    ]
    assert stream.getvalue().startswith(b"title,relevant,relevance\n")
