import pytest

from scenthound.model import Response
from scenthound.parse.file_format import file_format, is_wanted


@pytest.mark.parametrize(
    ("url", "kind", "body", "wanted"),
    [
        ("/x.pdf", "text/html", b"", ""),
        ("/x.html", "application/pdf", b"", "pdf"),
        ("/x", "application/pdf; charset=binary", b"", "pdf"),
        ("/x.pdf", "application/octet-stream", b"", "pdf"),
        ("/x", "application/octet-stream", b"%PDF-1.4", "pdf"),
        ("/x", "application/octet-stream", b"PK", ""),
        ("/x", "", b"<p>", ""),
        ("/x.php", "", b"<p>", ""),
        ("/x", "text/plain", b"", "txt"),
        ("/x.csv", "text/plain", b"", "csv"),
        ("/x.pdf", "text/plain", b"", "txt"),
        ("/x.gml", "application/gml+xml", b"", "gml"),
        ("/x", "application/gml+xml", b"", ""),
        ("/x.veryverylong", "application/x-own", b"", ""),
        ("/x", "application/xhtml+xml, text/html", b"", ""),
    ],
)
def test_format(url: str, kind: str, body: bytes, wanted: str) -> None:
    headers = (("Content-Type", kind),) if kind else ()
    assert file_format(Response(f"http://a.test{url}", 200, headers, body)) == wanted


def test_a_kind_stands_for_its_formats() -> None:
    assert is_wanted("pdf", {"pdf"})
    assert is_wanted("pdf", {"document"})
    assert not is_wanted("csv", {"document"})
    assert is_wanted("csv", {"document", "data"})
    assert not is_wanted("", {"document"})
