"""Which languages have a stemmer, and the many ways to write a language's code.

`code` maps whatever a page says in its `lang` attribute to one short code. The result is bounded: it is a language
listed here, or `UNKNOWN`, so a web that makes up languages cannot make us keep an analyzer for each.
"""

from __future__ import annotations

UNKNOWN = "und"  # "undetermined", as in BCP 47

ALGORITHMS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "porter",  # Porter proper, as the papers do; Snowball's "english" is its successor
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""Language -> name of its Snowball stemmer."""

_OTHER_NAMES = {
    "": "en",
    "eng": "en",
    "english": "en",
    "ara": "ar",
    "cat": "ca",
    "ces": "cs",
    "cze": "cs",
    "dan": "da",
    "deu": "de",
    "ger": "de",
    "german": "de",
    "ell": "el",
    "gre": "el",
    "spa": "es",
    "spanish": "es",
    "fas": "fa",
    "per": "fa",
    "fin": "fi",
    "fra": "fr",
    "fre": "fr",
    "french": "fr",
    "hin": "hi",
    "hun": "hu",
    "ind": "id",
    "in": "id",
    "ita": "it",
    "italian": "it",
    "lit": "lt",
    "nld": "nl",
    "dut": "nl",
    "nb": "no",
    "nn": "no",
    "nor": "no",
    "pol": "pl",
    "por": "pt",
    "ron": "ro",
    "rum": "ro",
    "mo": "ro",
    "rus": "ru",
    "russian": "ru",
    "hr": "sr",  # one stemmer serves the Serbo-Croatian languages, in both scripts
    "bs": "sr",
    "sh": "sr",
    "cnr": "sr",
    "srp": "sr",
    "swe": "sv",
    "tam": "ta",
    "tur": "tr",
    "ji": "yi",
}


def code(language: str) -> str:
    """One of the languages above, or `UNKNOWN`. No language at all means English."""
    first = language.strip().lower().replace("_", "-").partition("-")[0]
    first = _OTHER_NAMES.get(first, first)
    return first if first in ALGORITHMS else UNKNOWN


def name(language: str) -> str:
    """What English calls a language: `de` is German; a code that is not listed here stays as it is."""
    known = code(language)
    if known == UNKNOWN:
        return language
    return "English" if known == "en" else ALGORITHMS[known].capitalize()
