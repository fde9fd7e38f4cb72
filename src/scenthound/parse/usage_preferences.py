"""What a page's owner prefers to be done with it by AI: said in headers, in the page, in robots.txt.

| said | by | means |
|---|---|---|
| `Content-Usage: train-ai=n, search=y` | header; robots.txt, perhaps for a path | IETF aipref drafts |
| `Content-Signal: ai-train=no` | robots.txt | the same in other words: `ai-train` is `train-ai` |
| `tdm-reservation: 1` | header, meta | text and data mining is reserved: `tdm=n` |
| `noai` | `X-Robots-Tag`, `<meta name="robots">` | `train-ai=n` |
| `License: URL` | robots.txt | terms in RSL; they are noted and not read |

What several of them say is put together as the drafts want it: whoever says no is heard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from scenthound.model import Response

USES = ("train-ai", "train-genai", "ai-input", "search", "bots", "tdm", "license")
"""What can be respected. `license`: the site names terms of its own."""

WITHIN = {"train-genai": ("train-ai", "bots"), "train-ai": ("bots",), "ai-input": ("bots",), "search": ("bots",)}
"""A use that nothing is said about is judged by the wider one that it is part of, the nearest first."""

SNIFFED = 65_536
"""Bytes of a page in which meta elements are looked for."""

MOST_LICENSES = 20
_VALUES = {"y": True, "yes": True, "?1": True, "n": False, "no": False, "?0": False}
_OTHER_NAMES = {"ai-train": "train-ai"}
_item = re.compile(r"([a-z][a-z0-9-]{0,40})\s*=\s*(\?[01]|[a-z]+)\s*(?:;[^,]*)?", re.IGNORECASE)
_meta = re.compile(rb"<meta\s[^>]{1,500}>", re.IGNORECASE)
_attribute = re.compile(rb"(name|content)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))", re.IGNORECASE)


class UsagePreferences(Struct, frozen=True):
    """Use -> whether it is welcome; and where terms are written down."""

    said: Mapping[str, bool] = {}
    licenses: tuple[str, ...] = ()

    def __str__(self) -> str:
        """As a Content-Usage header would have it."""
        return ", ".join(f"{use}={'y' if welcome else 'n'}" for use, welcome in sorted(self.said.items()))

    def refuses(self, use: str) -> bool:
        """Whether the owner does not want this. A reservation of data mining is one of training, too."""
        if use == "license":
            return bool(self.licenses)
        if use in ("train-ai", "train-genai") and self.said.get("tdm") is False:
            return True
        stated = next((self.said[name] for name in (use, *WITHIN.get(use, ())) if name in self.said), True)
        return not stated


def combined(several: Iterable[UsagePreferences]) -> UsagePreferences:
    """What all of them say together: no where any of them says no."""
    said: dict[str, bool] = {}
    licenses: dict[str, None] = {}
    for one in several:
        for use, welcome in one.said.items():
            said[use] = said.get(use, True) and welcome
        licenses |= dict.fromkeys(one.licenses)
    return UsagePreferences(said, tuple(licenses)[:MOST_LICENSES])


def of_value(value: str) -> UsagePreferences:
    """Of a `Content-Usage` or `Content-Signal`: what is no preference in it is passed over."""
    said = {}
    for name, word in _item.findall(value[:2_000]):
        if (welcome := _VALUES.get(word.lower())) is not None:
            said[_OTHER_NAMES.get(name.lower(), name.lower())] = welcome
    return UsagePreferences(said)


def of_answer(response: Response) -> UsagePreferences:
    """What the answer itself says, in its headers and, where it is a page, in its head."""
    found = []
    for name, value in response.headers:
        found.append(_named(name.lower(), value))
    if "html" in response.media_type:
        for element in _meta.findall(response.body[:SNIFFED]):
            parts = {key.lower(): b"".join(values) for key, *values in _attribute.findall(element)}
            name, content = (parts.get(key, b"").decode("latin-1") for key in (b"name", b"content"))
            found.append(_named({"robots": "x-robots-tag"}.get(name.lower(), name.lower()), content))
    return combined(found)


def _named(name: str, value: str) -> UsagePreferences:
    if name in ("content-usage", "content-signal"):
        return of_value(value)
    if name == "tdm-reservation" and value.strip() in ("0", "1"):
        return UsagePreferences({"tdm": value.strip() == "0"})
    if name == "x-robots-tag" and "noai" in re.split(r"[\s,:]+", value.lower()):
        return UsagePreferences({"train-ai": False})
    return UsagePreferences()
