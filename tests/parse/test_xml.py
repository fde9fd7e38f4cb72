"""XML from strangers: read as far as it goes, and never further than it should."""

from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse import xml
from scenthound.parse.xml import read
from tests.watchdog import no_hang


class Notes:
    """Wants the text of every <b>."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.texts: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> bool:
        self.names.append(name)
        return name == "b"

    def end(self, name: str, text: str) -> None:
        if name == "b":
            self.texts.append(text)


def texts(source: str | bytes) -> list[str]:
    return read(source.encode() if isinstance(source, str) else source, Notes).texts


def test_text_is_told_with_what_is_inside() -> None:
    assert texts("<a><b> one <i>two</i></b><c>no</c><b><![CDATA[<three>]]></b></a>") == ["one two", "<three>"]


def test_html_entities_are_understood() -> None:
    declared = '<?xml version="1.0" standalone="yes"?><!DOCTYPE a PUBLIC "-//x" "http://x.test/x.dtd">'
    assert texts(declared + "<a><b>caf&eacute;&nbsp;&amp; &unheard;</b></a>") == ["café\xa0& &unheard;"]


def test_bare_ampersands_are_written_out() -> None:
    assert texts("<a><b>?x=1&y=2&amp;z</b><b><![CDATA[u&v]]></b></a>") == ["?x=1&y=2&z", "u&v"]


def test_what_was_read_before_a_mistake_counts() -> None:
    assert texts("<a><b>one</b><b>two</b><b") == ["one", "two"]
    assert texts("<a><b>one</b></c><b>two</b>") == ["one"]


def test_encodings() -> None:
    assert texts('<?xml version="1.0" encoding="iso-8859-1"?><b>é</b>'.encode("latin-1")) == ["é"]
    assert texts("<b>é</b>".encode("utf-16")) == ["é"]
    assert texts(b"\xef\xbb\xbf\n <?xml version='1.0'?><b>\xc3\xa9\x0c</b>") == ["é"]


def test_no_entity_is_declared_and_none_is_fetched() -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    with no_hang():
        assert texts(f'<!DOCTYPE a [<!ENTITY e0 "boom">{levels}]><a><b>&e11;</b></a>') == []
    assert texts('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/hostname">]><b>&e;</b>') == []
    assert texts(f'<!DOCTYPE a [<!ATTLIST c d CDATA "{"x" * 99_999}">]><a>{"<c/>" * 9_999}<b>1</b></a>') == []
    assert texts('<!DOCTYPE a SYSTEM "file:///etc/hostname"><b>&hostname;</b>') == ["&hostname;"]


def test_a_document_of_nothing_but_depth_or_breadth_ends() -> None:
    notes = read(b"<a>" * 100_000, Notes)
    assert len(notes.names) == xml.MAX_DEPTH
    assert texts(f"<a><b>{'x' * 99_999}</b><b>y</b></a>") == ["x" * xml.MAX_TEXT, "y"]
    assert texts(f"<a><b>{'&x;' * 99_999}</b></a>") == [("&x;" * 99_999)[: xml.MAX_TEXT]]
    for piece, meaning in (("some line\n", "some line\n"), ("&amp;", "&"), ("<![CDATA[<x>]]>", "<x>"), ("x<i/>", "x")):
        assert texts(f"<a><b>{piece * 99_999}</b><b>y</b></a>") == [(meaning * 99_999)[: xml.MAX_TEXT].strip(), "y"]


def test_there_is_an_end_to_elements(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(xml, "MAX_ELEMENTS", 100)
    assert len(read(b"<a>" + b"<c/>" * 1000 + b"</a>", Notes).names) == 100


@given(st.binary() | st.text(alphabet='<>/ab!&;[]-"?CDAT').map(str.encode))
def test_nothing_raises(body: bytes) -> None:
    read(body, Notes)
    read(b"<a>" + body, Notes)
