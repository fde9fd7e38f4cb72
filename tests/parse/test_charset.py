import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.parse.charset import codec_for, to_utf8

RUSSIAN = "Москва — столица России, крупнейший город страны и один из самых больших городов мира. " * 5


@pytest.mark.parametrize(
    ("body", "content_type", "text", "name"),
    [
        ("é".encode(), "text/html", "é", "utf-8"),
        (b"\xe9", "text/html; charset=ISO-8859-1", "é", "windows-1252"),
        (b"\x93x\x94", "text/html; charset=us-ascii", "“x”", "windows-1252"),
        (b"\xef\xbb\xbf\xc3\xa9", "text/html; charset=iso-8859-1", "é", "utf-8"),
        ("é".encode("utf-16"), "", "é", "utf-16le"),
        (b'<meta charset="koi8-r">\xc1', "text/html", '<meta charset="koi8-r">а', "koi8-r"),
        (b"<meta content='x; charset=gb2312'>\xc4\xe3", "", "<meta content='x; charset=gb2312'>你", "gb18030"),
        (b'<?xml encoding="windows-1251"?>\xe0', "", '<?xml encoding="windows-1251"?>а', "windows-1251"),
        (b'<meta charset="utf-16">\xc3\xa9', "", '<meta charset="utf-16">é', "utf-8"),
        (b"\xc3\xa9", "text/html; charset=klingon", "é", "utf-8"),
        (b"\xe9", "text/html; charset=rot13", "é", "windows-1252"),
        (b"caf\xe9", "", "café", "windows-1252"),
        (RUSSIAN.encode("cp1251"), "", RUSSIAN, "windows-1251"),
        (b"a\0b", "", "ab", "utf-8"),
        (b"\xc3\xa9\xff", "text/html; charset=utf-8", "é�", "utf-8"),
        ("éé".encode()[:-1], "", "é�", "utf-8"),
        (b"x" * 50 + b"\xe9", "", "x" * 50 + "é", "windows-1252"),
    ],
)  # fmt: skip
def test_charset(body, content_type, text, name):
    assert to_utf8(body, content_type) == (text.encode(), name)


@settings(deadline=None)
@given(
    st.binary(), st.sampled_from(["", *map("text/html; charset={}".format, ["utf-8", "big5", "utf-16", "shift_jis"])])
)
def test_any_bytes_become_utf8_without_nuls(body, content_type):
    text, _ = to_utf8(body, content_type)
    assert "\0" not in text.decode("utf-8")


@given(st.text())
def test_any_label_is_known_or_not(label):
    known = codec_for(label)
    assert known is None or b"a".decode(known[0], "replace") is not None


@pytest.mark.parametrize("label", ["punycode", "utf-7", "base64", "idna", "unicode_escape", "hex", "zlib", "undefined"])
def test_codecs_that_are_no_charsets_are_refused(label):
    assert codec_for(label) is None
