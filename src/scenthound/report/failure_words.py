"""Why there is no page, in words: kinds of failures as a person would name them, and what can be done about each."""

from __future__ import annotations

from http import HTTPStatus

from scenthound.model import reason_kind
from scenthound.report.formatting import plural

WORDS = {
    "dns": "name not found",
    "connect": "no connection",
    "tls": "no trusted encryption",
    "timeout": "timeout",
    "reset": "connection broken off",
    "protocol": "not valid HTTP",
    "too-large": "too large",
    "type": "not a web page",
    "redirect": "redirect to nowhere",
    "empty": "nothing in it",
    "parser": "no parser could read it",
    "gone": "no longer there",
    "address": "private address",
    "robots": "robots.txt says no",
    "robots unreachable": "robots.txt unreachable",
}
"""Kinds of failures, as `reason_kind` has them; HTTP statuses are named by HTTP itself."""

REMEDIES = {
    "401": "behind a login: nothing a crawler may do",
    "403": "the server does not want crawlers; say who you are (--contact), or leave it out (--deny)",
    "404": "links to pages that are no more; nothing to do",
    "410": "links to pages that are no more; nothing to do",
    "429": "asked too often: a longer --delay",
    "503": "the server was busy: try again later, with a longer --delay",
    "dns": "misspelt or gone; if every host has it, this machine is offline",
    "connect": "the server is down, or refuses us; try again later",
    "timeout": "slow servers: try again later, or raise read_timeout under [fetch]",
    "tls": "a certificate that is out of date or of another name; nothing a crawler should overlook",
    "reset": "the server broke off: try again later, with a longer --delay",
    "protocol": "the server does not speak proper HTTP; nothing to do",
    "redirect": "redirects in a circle, or to no address; nothing to do",
    "empty": "answers without content; nothing to do",
    "gone": "pages that were there once; what they said is kept",
    "robots unreachable": "who may be asked is not known there; try again later",
    "too-large": "raise max_bytes under [fetch], if you want such pages",
    "type": "files that are not analysed; to leave them out: --deny",
    "address": "servers of this network are left alone; if they are yours: --allow-private",
}
"""What can be done, where there is something to say."""


def noindex_line(pages: int) -> str:
    """What became of pages that do not want to be indexed."""
    return (
        f"{plural(pages, 'page')} asked not to be indexed: judged and followed, but neither text nor WARC is kept "
        "(keep_noindex under [library] keeps them)"
    )


def kind_in_words(kind: str) -> str:
    """`404` -> `404 not found`, `dns` -> `name not found`."""
    if kind.isdigit() and len(kind) == 3:
        try:
            return f"{kind} {HTTPStatus(int(kind)).phrase.lower()}"
        except ValueError:
            return f"status {kind}"
    return WORDS.get(kind, kind)


def remedy(kind: str) -> str:
    if kind in REMEDIES:
        return REMEDIES[kind]
    return "trouble on the server's side: try again later" if kind.startswith("5") and kind.isdigit() else ""


def in_words(reason: str) -> str:
    """A whole reason, with its detail: `status: 404` -> `404 not found`, `type: image/png` -> `not a web page: ...`."""
    kind, detail = reason_kind(reason), reason.partition(": ")[2]
    if kind.isdigit():
        return kind_in_words(kind)
    return f"{WORDS[kind]}: {detail}" if kind in WORDS and detail else WORDS.get(kind, reason)
