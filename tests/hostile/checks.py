"""What must be so after a crawl besides what the promise's line says, habit by habit."""

from __future__ import annotations

from collections.abc import Callable

from scenthound.crawler.link_filter import FRAME_HOPS
from scenthound.parse.tree import MAX_NODES
from scenthound.report.formatting import printable
from tests.hostile.addresses import NOTATIONS
from tests.hostile.crawling import SETTINGS, Outcome
from tests.hostile.pages import FOREIGN
from tests.hostile.server import MEETINGS, url

HOPS = 1 + SETTINGS["fetch"]["max_redirects"]


def title(outcome: Outcome, name: str) -> str:
    with outcome.library() as library:
        page = library.page(url(name))
        assert page is not None
        return page.title


def text(outcome: Outcome, name: str) -> str:
    with outcome.library() as library:
        return library.text(url(name)) or ""


def charset(outcome: Outcome, name: str) -> str:
    with outcome.library() as library:
        page = library.page(url(name))
        assert page is not None
        return page.charset


def links(outcome: Outcome, name: str) -> list[str]:
    with outcome.library() as library:
        return [link.url for link in library.outlinks(url(name))]


def refused_inside(notation: str) -> Callable[[Outcome], bool]:
    """The redirect was seen, and its target was refused for its address, or for being no URL at all."""

    def check(outcome: Outcome) -> bool:
        row = outcome.row(url(f"redirect-inside-{notation}"))
        return row.state == "failed" or outcome.row(row.reason).reason.startswith("address: ")

    return check


def only_the_whole(name: str) -> Callable[[Outcome], bool]:
    """Of an answer that is cut at every byte, the one that is not cut is stored, and no other."""
    whole = url(name, MEETINGS[name].seeds[-1])
    return lambda outcome: outcome.fetched(name) == [whole, url(name, "/good")]


CHECKS: dict[str, Callable[[Outcome], bool]] = {
    "nul-bytes": lambda out: title(out, "nul-bytes") == "good page of nul-bytes" and "hound" in text(out, "nul-bytes"),
    "invalid-utf8": lambda out: title(out, "invalid-utf8").startswith("bad ") and len(links(out, "invalid-utf8")) == 1,
    "wrong-charset": lambda out: charset(out, "wrong-charset") == "utf-8" and "\ufffd" in title(out, "wrong-charset"),
    "missing-charset": lambda out: title(out, "missing-charset") == FOREIGN[:16],
    "unknown-charset": lambda out: title(out, "unknown-charset") == FOREIGN[:16],
    "forbidden-charset": lambda out: title(out, "forbidden-charset") == "seven" and not links(out, "forbidden-charset"),
    "binary-as-html": lambda out: "\x1b" not in text(out, "binary-as-html"),
    "many-links": lambda out: len(links(out, "many-links")) == MAX_NODES,
    "deep-nesting": lambda out: "at the bottom" in text(out, "deep-nesting"),
    "open-formatting": lambda out: title(out, "open-formatting") == "fonts",
    "many-attributes": lambda out: title(out, "many-attributes") == "attributes",
    "unclosed-everything": lambda out: title(out, "unclosed-everything") == "open",
    "open-comment": lambda out: title(out, "open-comment") == "comments",
    "entity-flood": lambda out: title(out, "entity-flood") == "entities",
    "huge-title": lambda out: 900 < len(title(out, "huge-title")) <= 1_000,
    "html-title": lambda out: title(out, "html-title") == "<b>bold</b><script>alert(1)</script>[2J",
    "huge-words": lambda out: title(out, "huge-words") == "words",
    "huge-anchor": lambda out: len(links(out, "huge-anchor")) == 1,
    "huge-url": lambda out: links(out, "huge-url") == [],
    "script-links": lambda out: links(out, "script-links") == [url("script-links", "/credentials")],
    "private-links": lambda out: {host for host, *_ in out.web.asked} == {"private-links.test", "neighbour.test"},
    "hostile-base": lambda out: links(out, "hostile-base") == [url("hostile-base", "/next")],
    "refresh-self": lambda out: out.web.paths("refresh-self") == ["/bad", "/good"],
    "refresh-loop": lambda out: sorted(out.web.paths("refresh-loop")) == ["/bad", "/good", "/other"],
    "refresh-chain": lambda out: len(out.web.paths("refresh-chain")) == HOPS + 1,
    "canonical-chain": lambda out: len(out.web.paths("canonical-chain")) == HOPS + 1,
    "frame-chain": lambda out: len(out.web.paths("frame-chain")) <= 2**FRAME_HOPS + 4,
    # Headers
    "cookie-bomb": lambda out: all(len(headers.get("cookie", "")) < 10_000 for *_, headers in out.web.asked),
    "cookie-for-all": lambda out: (
        {headers["cookie"] for *_, headers in out.web.asked if "cookie" in headers} == {"own=1"}
    ),
    "cloaking": lambda out: len({headers["user-agent"] for *_, headers in out.web.asked}) == 1,
    "disposition-attack": lambda out: {path.name for path in out.folder.rglob("*")}.isdisjoint({"x", "etc", "cron.d"}),
    "redirect-split": lambda out: not any("x-forged" in headers for *_, headers in out.web.asked),
    # Lists
    "sitemap-external": lambda out: not any("root:" in path for _, path, *_ in out.web.asked),
    "sitemap-inside": lambda out: len(out.web.asked) > 3,
    "robots-changing": lambda out: len(out.fetched("robots-changing")) == 5,
    "robots-not-to-be-kept": lambda out: len(out.fetched("robots-not-to-be-kept")) == 5,
    "robots-flapping": lambda out: out.row(url("robots-flapping", "/2")).state == "refused",
    "image-bomb": lambda out: out.fetched("image-bomb") == [url("image-bomb"), url("image-bomb", "/good")],
    "dns-rebinding": lambda out: out.row("http://dns-rebinding.test:8081/").reason.startswith("address: "),
    "lookalike-links": lambda out: all(link.isascii() for link in links(out, "lookalike-links")),
    "direction-marks": lambda out: printable(title(out, "direction-marks")).isprintable(),
    "charset-contradiction": lambda out: title(out, "charset-contradiction") == "café",
}
CHECKS |= {f"redirect-inside-{notation}": refused_inside(notation) for notation in NOTATIONS}
CHECKS |= {name: only_the_whole(name) for name in MEETINGS if "-at-every-byte-" in name}
