"""Which encoding a page is in: byte-order mark, header, meta element, then a guess.

Labels mean what browsers take them to mean (WHATWG Encoding): `iso-8859-1` is windows-1252, `gb2312` is gb18030.
Labels nobody knows are passed over. A page that says nothing is UTF-8 if it can be; else a few hundred characters
around its non-ASCII bytes are looked at, and windows-1252 is what remains.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

SNIFF_BYTES = 4096
"""How far into a page a meta element is looked for. Browsers stop at 1,024; old pages have long comments first."""

FALLBACK = "windows-1252"
_MIN_EVIDENCE = 16  # non-ASCII bytes below which a statistical guess is worse than the fallback
_SAMPLE_BYTES = 1024

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.\-]+)", re.IGNORECASE)
_IN_META = re.compile(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.\-]+)", re.IGNORECASE)
_IN_XML = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9_:.\-]+)", re.IGNORECASE)
_NEAR_FOREIGN = re.compile(rb"[^<>\x00-\x1f]{0,40}[\x80-\xff][^<>\x00-\x1f]{0,40}")

# Python's name of a codec -> the superset browsers use for it, and the name we report.
_SUPERSETS = {
    "ascii": ("cp1252", FALLBACK),
    "iso8859-1": ("cp1252", FALLBACK),
    "cp1252": ("cp1252", FALLBACK),
    "iso8859-9": ("cp1254", "windows-1254"),
    "iso8859-11": ("cp874", "windows-874"),
    "tis-620": ("cp874", "windows-874"),
    "gb2312": ("gb18030", "gb18030"),
    "gbk": ("gb18030", "gb18030"),
    "shift_jis": ("cp932", "shift_jis"),
    "cp932": ("cp932", "shift_jis"),
    "euc_kr": ("cp949", "euc-kr"),
    "cp949": ("cp949", "euc-kr"),
    "big5": ("big5hkscs", "big5"),
    "utf-16": ("utf-16-le", "utf-16le"),
    "iso2022_jp": ("iso2022_jp", "iso-2022-jp"),
    "euc_jp": ("euc_jp", "euc-jp"),
    "mac-roman": ("mac-roman", "macintosh"),
}
_AS_NAMED = frozenset(
    ["utf-8", "utf-16-le", "utf-16-be", "gb18030", "big5hkscs", "koi8-r", "koi8-u", "mac-cyrillic", "cp866", "cp874"]
    + [f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)]
    + [f"cp125{page}" for page in (0, 1, 3, 4, 5, 6, 7, 8)]
)
_GUESSES = ["cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256"]
_GUESSES += ["gb18030", "big5", "cp932", "euc_jp", "cp949"]


def to_utf8(body: bytes, content_type: str = "") -> tuple[bytes, str]:
    """The page as valid UTF-8 without NULs or byte-order mark, and the name of the encoding it came in."""
    codec, name, start = _codec_of(body, content_type)
    if codec == "utf-8":
        text = body[start:] if start else body
        if not text.isascii() and not _is_utf8(text):
            text = text.decode("utf-8", "replace").encode()
    else:
        text = body[start:].decode(codec, "replace").encode("utf-8", "replace")
    return text.replace(b"\0", b"") if b"\0" in text else text, name


def _codec_of(body: bytes, content_type: str) -> tuple[str, str, int]:
    """Codec, reported name, and where the text starts."""
    for bom, codec in _BOMS:
        if body.startswith(bom):
            return codec, codec.replace("-le", "le").replace("-be", "be"), len(bom)
    declared = _IN_HEADER.search(content_type)
    if declared and (known := codec_for(declared[1])):
        return *known, 0
    head = body[:SNIFF_BYTES]
    for pattern in (_IN_META, _IN_XML):
        inside = pattern.search(head)
        if inside and (known := codec_for(inside[1].decode("ascii"))):
            # A meta element that could be read as ASCII cannot be right about UTF-16.
            return *(("utf-8", "utf-8") if known[0].startswith("utf-16") else known), 0
    return *guess(body), 0


@lru_cache(maxsize=512)
def codec_for(label: str) -> tuple[str, str] | None:
    """Python codec and reported name for a label from the web; None for labels browsers do not know."""
    label = label.strip().lower()
    try:
        name = codecs.lookup(label.removeprefix("x-")).name
    except (LookupError, ValueError):
        return None
    if name in _SUPERSETS:
        return _SUPERSETS[name]
    if name not in _AS_NAMED:  # rot13, punycode, utf-7: Python knows them, a page must not choose them
        return None
    return name, name.replace("iso8859", "iso-8859").replace("cp125", "windows-125")


def guess(body: bytes) -> tuple[str, str]:
    if body.isascii() or _is_utf8(body) or _is_cut_utf8(body):
        return "utf-8", "utf-8"
    sample = _sample(body)
    if sum(byte > 127 for byte in sample) >= _MIN_EVIDENCE and (known := codec_for(_likeliest(sample))):
        return known
    return "cp1252", FALLBACK


def _likeliest(sample: bytes) -> str:
    from charset_normalizer import from_bytes  # few pages need it, and it takes longer to load than all else here

    best = from_bytes(sample, steps=1, chunk_size=_SAMPLE_BYTES, cp_isolation=_GUESSES).best()
    return best.encoding if best else ""


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_cut_utf8(body: bytes) -> bool:
    """UTF-8 that a size limit cut off inside a character."""
    return any(not body[:-cut].isascii() and _is_utf8(body[:-cut]) for cut in (1, 2, 3))


def _sample(body: bytes) -> bytes:
    """The neighbourhood of the first non-ASCII bytes, tags left out."""
    taken, size = [], 0
    for match in _NEAR_FOREIGN.finditer(body):
        taken.append(match[0])
        size += len(match[0])
        if size >= _SAMPLE_BYTES:
            break
    return b" ".join(taken)
