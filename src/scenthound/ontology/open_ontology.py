"""The ontology that a name in topic.toml, or after `--ontology`, stands for.

    wordnet                    the one that comes with Scenthound; English
    diseases.ttl               a SKOS or OWL file: Turtle, N-Triples or RDF/XML, also compressed (.gz)
    wn:odenet                  a wordnet of any language that the user installed through the package `wn`
    diseases.ttl + wordnet     several, side by side: of two terms the greatest similarity counts

No name is `wordnet`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from scenthound.errors import OntologyError
from scenthound.ontology import skos
from scenthound.ontology.ontology_protocol import Ontology
from scenthound.ontology.thesaurus import Thesaurus
from scenthound.ontology.wn_package import InstalledWordnet
from scenthound.ontology.wordnet import wordnet
from scenthound.text.languages import code

WORDNET = "wordnet"
_PLUS = re.compile(r"\s*\+\s*")
_INSTALLED = "wn:"


def names(given: str) -> list[str]:
    """The parts of `a + b`; a file that has a plus in its name is one part."""
    given = given.strip()
    if not given:
        return [WORDNET]
    return [given] if Path(given).is_file() else [part for part in _PLUS.split(given) if part]


def beside(given: str, folder: Path) -> str:
    """The same, with files that lie in the folder named in full."""
    if not given:
        return ""
    if (folder / given).is_file():
        return str(folder / given)
    return " + ".join(str(folder / name) if (folder / name).is_file() else name for name in names(given))


def ontologies(given: str, language: str) -> tuple[Ontology, ...]:
    """What the names stand for, for texts of a language."""
    return tuple(_opened(name, code(language)) for name in names(given))


def _opened(name: str, language: str) -> Ontology:
    if name.lower() == WORDNET:
        if language != "en":
            raise OntologyError(
                f"WordNet is English, and the topic's language is {language!r}. Give a SKOS or OWL file with labels in "
                'that language (ontology = "FILE" under [topic]), or a wordnet installed through the package wn '
                '(ontology = "wn:NAME").'
            )
        return wordnet()
    if name.startswith(_INSTALLED):
        return InstalledWordnet.named(name.removeprefix(_INSTALLED))
    path = Path(name)
    try:
        stamp = path.stat().st_mtime_ns
    except OSError:
        raise OntologyError(
            f"There is no ontology file {name}. Give the path of a SKOS or OWL file, or {WORDNET!r}."
        ) from None
    return _thesaurus(path, language, stamp)


@lru_cache(8)
def _thesaurus(path: Path, language: str, stamp: int) -> Thesaurus:
    """Crawls of one process share it; a changed file is read again."""
    return skos.read(path, language)
