"""What a page says, field by field, as words and how often they occur; and all of it in a few bytes.

| field | what is in it | what it tells |
|---|---|---|
| text | the visible text without that of links | what the page is about |
| title | of the document | |
| headings | all of them | |
| lead | the beginning of the first longer block | what a page says that it is: "a species of bird" |
| anchors | the text of its links | what it is next to |
| address | the words of the URL | what its makers call it |
| form | how many words, links, headings; the shape of the URL: depth, `~`, index page | the kind of page, its place |

Fields are kept apart, because which of them tells something differs from web to web: in an encyclopaedia it is the
text, in a department's site the address and the form.

A process that parses pages beside the crawl reads this off them as well (`read`), so that the crawl need not: they come
back as the page's `notes`. It does so without numpy, which would take 20 MB more in each such process.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping
from itertools import chain

import msgspec
from msgspec import Struct

from scenthound import urls
from scenthound.model import Page
from scenthound.text.analysis import analyzer
from scenthound.text.page_language import in_another_language

FIELDS = ("text", "title", "headings", "lead", "anchors", "address", "form")
TEXT, TITLE, HEADINGS, LEAD, ANCHORS, ADDRESS, FORM = range(len(FIELDS))

LEAD_CHARACTERS, LEAD_BLOCK = 700, 250
"""How much of the beginning is looked at, and from which length on a block is no mere caption or menu."""

NUMBERS_CHARACTERS = 2_000
"""How much of the text is searched for numbers."""

MOST_LOOKED_AT = 200
"""Links that are looked at for whether they lead to other hosts."""

MOST_ANCHORS = 1_000
"""Links whose text is read: a page of ten thousand says no more with the rest of them."""

_in_camel_case = re.compile(r"(?<=[a-z])(?=[A-Z])")
_no_letters = re.compile(r"[\W\d_]+")
_ending = re.compile(r"\.[A-Za-z]{2,5}$")
_index_page = re.compile(r"(index|home|default|welcome|main)\b", re.IGNORECASE)
_year = re.compile(r"(19|20)\d\d")
_numbers = re.compile(r"\d+")


class PageWords(Struct, frozen=True, array_like=True, tag="page words"):
    """The words of all fields, one behind the other."""

    language: str  # the topic's, for which they were read
    characters: int  # of the page's text, and
    links: int  # how many it has: who changes a page does not take its notes along
    lines: bytes  # the words, in UTF-8, a new line behind each
    lengths: tuple[int, ...]  # how many of them are of each field
    counts: bytes  # how often each occurs, as floats of four bytes
    text_words: int  # of the text without that of links
    all_words: int  # of the whole text
    foreign: bool  # in another language than the topic; nobody has looked where it was not noted


_decode = msgspec.msgpack.Decoder(PageWords).decode


def read(page: Page, language: str) -> bytes:
    """The words of a page as its notes: what the judge `auto` has a parser process do."""
    return msgspec.msgpack.encode(_read(page, language, noting=True))


def noted_words(page: Page, language: str) -> PageWords | None:
    """As noted by whoever parsed the page, where that was done for a topic of this language."""
    if not page.notes:
        return None
    try:
        noted = _decode(page.notes)
    except msgspec.MsgspecError:  # of another judge, which has other notes made
        return None
    is_its_own = (noted.characters, noted.links, noted.language) == (len(page.text), len(page.links), language)
    return noted if is_its_own else None


def page_words(page: Page, language: str) -> PageWords:
    """As noted, or read now. `language`: the topic's, for pages that do not say theirs."""
    return noted_words(page, language) or _read(page, language)


def _read(page: Page, language: str, *, noting: bool = False) -> PageWords:
    """`noting`: with what others ask for as well, each when it needs it."""
    fields = field_words(page, language)
    lines = "\n".join(chain.from_iterable(fields))
    return PageWords(
        language=language,
        characters=len(page.text),
        links=len(page.links),
        lines=f"{lines}\n".encode("utf-8", "surrogatepass") if lines else b"",
        lengths=tuple(map(len, fields)),
        counts=array("f", chain.from_iterable(field.values() for field in fields)).tobytes(),
        text_words=sum(fields[TEXT].values()),
        all_words=sum(page.terms.values()),
        foreign=noting and in_another_language(page.text, language),
    )


def field_words(page: Page, language: str) -> tuple[Mapping[str, int], ...]:
    """Of each field, its words and how often they occur."""
    reader = analyzer(page.language or language)
    anchors = reader.counts("\n".join([link.anchor for link in page.links[:MOST_ANCHORS]]))
    text = without(page.terms, anchors)
    return (
        text,
        reader.counts(page.title),
        reader.counts("\n".join(page.headings)),
        reader.counts(lead(page)),
        anchors,
        reader.counts(spelled_out(urls.path(page.url))),
        dict.fromkeys(chain(_counts(page, sum(page.terms.values()), sum(anchors.values())), _shape(page.url)), 1),
    )


def without(counts: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    """What is left of the counts when the others are taken away."""
    rest = dict(counts)
    for term, count in others.items():
        if (left := rest.pop(term, 0) - count) > 0:
            rest[term] = left
    return rest


def lead(page: Page) -> str:
    """What a page begins with, menus and captions left out."""
    text = next((block.text for block in page.blocks if len(block.text) > LEAD_BLOCK), page.text)
    return text[:LEAD_CHARACTERS]


def spelled_out(path: str) -> str:
    """The words of a path; the host says who speaks, not of what, and is none of it."""
    return _no_letters.sub(" ", _in_camel_case.sub(" ", _ending.sub("", path)))


def _shape(url: str) -> Iterable[str]:
    """What the address of a page looks like, whatever its words."""
    path = urls.path(url)
    parts = [part for part in path.split("/") if part]
    yield f"/depth {min(len(parts), 6)}"
    if "?" in url:
        yield "/query"
    if path.endswith("/") or not parts:
        yield "/folder"
    if any(part.startswith("~") for part in parts):
        yield "/~"
    if any(map(_year.search, parts)):
        yield "/year"
    if not parts:
        return
    last = parts[-1]
    name, _, ending = last.rpartition(".")
    yield f"/ending {ending.lower()[:5] if name else ''}"
    if _index_page.match(last):
        yield "/index"
    if _numbers.search(last):
        yield "/number"
    if len(parts) > 1 and (name or last).strip("~").lower() == parts[-2].strip("~").lower():
        yield "/named like its folder"


def _counts(page: Page, words: int, in_links: int) -> Iterable[str]:
    """What a page looks like, in steps of two: a list, an article, somebody's homepage."""
    own = f"{urls.origin(page.url)}/"
    links = page.links[:MOST_LOOKED_AT]
    outward = sum(1 for link in links if not link.url.startswith(own))
    yield f"words {words.bit_length()}"
    yield f"links {len(page.links).bit_length()}"
    yield f"headings {len(page.headings).bit_length()}"
    yield f"pictures {len(page.images).bit_length()}"
    yield f"title {len(page.title.split()).bit_length()}"
    yield f"numbers {len(_numbers.findall(page.text[:NUMBERS_CHARACTERS])).bit_length()}"
    yield f"in links {6 * in_links // (words + 1)}"
    yield f"outward {4 * outward // (len(links) + 1)}"
    yield "with @" if "@" in page.text else "without @"
