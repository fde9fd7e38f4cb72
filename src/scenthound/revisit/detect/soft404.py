"""Pages that say "not found" with the status 200.

A page that has changed is suspected when it says so itself (`phrase`), or when it is another one and much shorter
(`shrunk`). A suspicion is checked against what the host answers for a URL that cannot exist, which is asked for once
(after Bar-Yossef et al. 2004), and against the host's front page. Nothing is decided on a suspicion of the second kind
alone: pages are rewritten.

    same text, or SimHash within NEAR bits of the host's answer to nonsense   not found
    SimHash within DISTANCE bits of the host's front page                     not found
    the page says so in its title, or early in a short text                   not found
    the host is known to answer nonsense with a true 404                      only the title is believed
"""

from __future__ import annotations

import re
from hashlib import sha1
from typing import Literal

from scenthound.model import Page
from scenthound.protocols.records import MissingPage
from scenthound.text.simhash import DISTANCE, simhash

Suspicion = Literal["", "phrase", "shrunk"]

NEAR = 6
"""Bits in which two answers to nonsense may differ: the URL asked for is often among their words."""

SHORT = 2_000  # characters of a page that may be all about not being found
EARLY = 400
SHRUNK = 0.5
OTHER = 0.7  # share of the page that is new

_THINGS = r"(?:page|file|document|article|content|resource)"
_PHRASES = re.compile(
    r"^\W*404\b|\b404\W{1,3}(?:error|not found|file|page)|\b(?:error|fehler|erreur|erro)\W{0,3}404\b|^\W*not found"
    rf"|{_THINGS}[\w\s]{{0,40}}(?:not found|not exist|doesn.t exist|no longer (?:exists|available)"
    r"|been (?:removed|deleted)|not be found|cannot be found|can.t be found)"
    r"|nothing (?:was )?found here|couldn.t find (?:that|the|this) page"
    r"|seite (?:wurde )?nicht gefunden|seite existiert nicht|page (?:non trouvée|introuvable|inexistante)"
    r"|página no (?:encontrada|existe)|página não encontrada|pagina non trovata|pagina niet gevonden"
    r"|страница не найдена",
    re.IGNORECASE,
)


def suspicion(old_text: str, old_title: str, new: Page, size: float) -> Suspicion:
    """Why a page that has changed by `size` might be no page any more."""
    if says_so(new.title, new.text) and not says_so(old_title, old_text):
        return "phrase"
    if size >= OTHER and len(new.text) < SHRUNK * len(old_text):
        return "shrunk"
    return ""


def says_so(title: str, text: str) -> bool:
    if _PHRASES.search(title):
        return True
    return len(text) <= SHORT and _PHRASES.search(text[:EARLY]) is not None


def not_found(page: Page, why: Suspicion, missing: MissingPage | None, front: int = 0) -> str:
    """In what way the suspected page is none; empty if it is one. `front`: SimHash of the host's front page."""
    if missing is not None and missing.status == 200 and _like(page, missing):
        return "it reads like this host's answer to a URL that cannot exist"
    if front and (mine := simhash(page.terms)) and (mine ^ front).bit_count() <= DISTANCE:
        return "it is the front page now"
    if why != "phrase":
        return ""
    honest = missing is not None and missing.status in (404, 410)
    if honest and not _PHRASES.search(page.title):
        return ""
    return "it says so itself"


def _like(page: Page, missing: MissingPage) -> bool:
    if text_digest(page) == missing.digest:
        return True
    mine = simhash(page.terms)
    return bool(mine and missing.simhash) and (mine ^ missing.simhash).bit_count() <= NEAR


def text_digest(page: Page, token: str = "") -> bytes:
    """Of the words alone, without the made-up name a host repeats."""
    words = page.text.replace(token, "") if token else page.text
    return sha1(" ".join(words.split()).encode("utf-8", "replace")).digest()
