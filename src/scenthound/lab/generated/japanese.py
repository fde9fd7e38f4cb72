"""The generated web in what looks like Japanese: same pages, same links, no spaces between words.

A word of English becomes two characters that stand for its stem, a word that says nothing becomes a particle; so texts
have as much in common as they have in English, and pairs of characters that cross from one word into the next mean as
little as they do in real Japanese. What differs in a crawl is what the writing makes of it, and nothing else.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape

from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from scenthound.model import Response
from scenthound.parse.charset import to_utf8
from scenthound.text.analysis import analyzer

CHARACTERS = (
    "日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木"
    "聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多"
    "正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親"
)
PARTICLES = ("は", "が", "を", "に", "で", "の", "と", "も", "から", "まで", "より", "へ")
_parts = re.compile(r"(<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>)", re.DOTALL | re.IGNORECASE)
_word = re.compile(r"[A-Za-z]+")
_gap = re.compile(r"(?<=[^\x00-\x7f])\s+(?=[^\x00-\x7f])")


def japanese(text: str) -> str:
    """English words as Japanese ones, without the spaces between them."""
    text = _word.sub(lambda word: _in_characters(word[0]), text)
    return _gap.sub("", text.replace(".", "。").replace(",", "、"))


@cache
def _in_characters(word: str) -> str:
    stem = analyzer("en").terms(word)
    number = xxh3_64_intdigest((stem[0] if stem else word.lower()).encode())
    if not stem:
        return PARTICLES[number % len(PARTICLES)]
    return CHARACTERS[number % len(CHARACTERS)] + CHARACTERS[number // 1_000 % len(CHARACTERS)]


def in_japanese(response: Response) -> Response:
    """A page in Japanese; whatever else a response is, as it is."""
    if response.media_type != "text/html" or not response.body:
        return response
    source = to_utf8(response.body, response.header("content-type"))[0].decode()
    parts = [part if part.startswith("<") else japanese(unescape(part)) for part in _parts.split(source)]
    body = "".join(parts).replace('lang="en"', 'lang="ja"').encode()
    others = tuple(pair for pair in response.headers if pair[0].lower() not in ("content-type", "content-length"))
    headers = (("Content-Type", "text/html; charset=utf-8"), *others)
    return replace(response, headers=headers, body=body, wire=len(body))
