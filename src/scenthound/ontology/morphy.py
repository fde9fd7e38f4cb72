"""Base forms of English words, as WordNet finds them: "mosquitoes" -> "mosquito", "mice" -> "mouse".

Endings are taken off or replaced by the rules of each part of speech, and what comes out counts if WordNet has
it as such; irregular forms stand in lists. The rules are those of Princeton's `morphy(7WN)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")

RULES: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}


def base_forms(
    word: str, exceptions: Mapping[str, Sequence[str]], known: Callable[[str], object], part: str
) -> list[str]:
    """The word itself and its base forms, as far as `known` has anything for them as words of this part of speech."""
    irregular = exceptions.get(word)
    forms = list(irregular) if irregular else _shortened([word], part)
    found = _known([word, *forms], known)
    while not irregular and not found and forms:
        forms = _shortened(forms, part)
        found = _known(forms, known)
    return found


def _known(forms: Iterable[str], known: Callable[[str], object]) -> list[str]:
    return [form for form in dict.fromkeys(forms) if known(form)]


def _shortened(words: Sequence[str], part: str) -> list[str]:
    return [
        word[: len(word) - len(ending)] + instead
        for word in words
        for ending, instead in RULES[part]
        if word.endswith(ending)
    ]
