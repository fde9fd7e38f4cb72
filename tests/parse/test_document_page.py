from scenthound.model import Response
from scenthound.parse.document_page import document_page, file_title


def answer(body: bytes, *headers: tuple[str, str]) -> Response:
    return Response("http://a.test/data/fern_counts-2024.csv", 200, (("Content-Type", "text/csv"), *headers), body)


def test_a_table_is_called_after_its_file() -> None:
    page = document_page(answer(b"place,ferns\nvalley,7\n"), "csv", "en")
    assert (page.title, page.description) == ("fern counts 2024", "place, ferns")
    assert page.terms["vallei"] == 1
    assert [block.text for block in page.blocks] == ["place,ferns\nvalley,7"]


def test_a_format_that_nobody_reads_is_known_by_its_name() -> None:
    page = document_page(answer(b"PK\x03\x04"), "zip", "en")
    assert (page.title, page.text, page.problem) == ("fern counts 2024", "", "")
    assert page.terms["fern"] == 1


def test_headers_speak_for_documents() -> None:
    page = document_page(answer(b"x", ("X-Robots-Tag", "noindex"), ("Content-Language", "de")), "csv", "en")
    assert (page.noindex, page.nofollow, page.language) == (True, False, "de")


def test_file_titles() -> None:
    assert file_title("http://a.test/") == "a.test"
    assert file_title("http://a.test/F%C3%A4rne.pdf?x") == "Färne"
