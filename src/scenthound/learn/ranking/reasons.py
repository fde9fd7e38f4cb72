"""Why a link stands where it stands, in words: what each of its features says of it."""

from __future__ import annotations

from msgspec import Struct

SAYS = {
    "anchor": "its text names the topic",
    "context": "the text around it names the topic",
    "heading": "the heading of its list names the topic",
    "address": "its address names the topic",
    "inherited": "it stands in a list about the topic",
    "address alone": "its address says little but the topic",
    "short address": "its address is short",
    "another folder": "it is a page of its own, no part of the one that links to it",
    "near": "it is {hops} from a start page",
    "kind": "{kind}",
    "anchor as title": "a page with such a title would be relevant",
    "anchor as text": "a page with such words would be relevant",
    "context as text": "a page with the words around it would be relevant",
    "address words": "relevant pages have such addresses",
    "link": "links with such words led to relevant pages",
    "parents": "{parents} it, of relevance {relevance:.2f} on average",
    "page record": "{of_page} relevant",
    "list record": "{of_list} relevant",
    "little seen": "little was seen of its site, one of those the crawl started from",
    "new ground": "relevant pages have become rare, and {ground}",
}
"""A sentence for each feature of the strategy `auto`."""


class LinkFacts(Struct, frozen=True):
    """What the sentences speak of."""

    kind: str  # what its text names
    hops: int
    parents: int
    relevance: float  # mean of the parents'
    of_page: tuple[float, int]  # of the links followed from its pages: the sum of their relevance, and their number
    of_list: tuple[float, int]
    named: bool  # whether its text names the topic
    seen: int  # links that were followed into sections called as its is


def in_words(feature: str, facts: LinkFacts) -> str:
    return SAYS[feature].format(
        kind=facts.kind,
        hops="1 link" if facts.hops == 1 else f"{facts.hops} links",
        parents="1 page has" if facts.parents == 1 else f"{facts.parents} pages have",
        relevance=facts.relevance,
        of_page=_record(facts.of_page, "pages it is on"),
        ground=SAYS["anchor"] if facts.named else _ground(facts.seen),
        of_list=_record(facts.of_list, "list it stands in"),
    )


def _ground(links: int) -> str:
    followed = {0: "no link was", 1: "1 link was"}.get(links, f"{links} links were")
    return f"{followed} followed into sections called as its own"


def _record(record: tuple[float, int], where: str) -> str:
    relevant, number = record
    if not number:
        return f"no link of the {where} was followed yet; those of this crawl are usually"
    return f"{round(relevant)} of {number} links followed from the {where} were"
