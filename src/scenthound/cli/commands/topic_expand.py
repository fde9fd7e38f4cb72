"""`scenthound topic expand`: what an ontology adds to a topic, for a person to strike words out of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scenthound.model import Keyword
    from scenthound.ontology.expansion import Addition

DIGITS = 3  # of a weight


def topic_expand(
    words: Annotated[
        list[str],
        Argument(metavar="WORDS...|FOLDER", help="Keywords, phrases in quotes; or a folder with a topic.toml."),
    ],
    ontology: Annotated[
        str,
        Option("--ontology", "-o", metavar="NAME|FILE", help="A SKOS or OWL file, wordnet, or 'FILE + wordnet'."),
    ] = "",
    distance: Annotated[
        int, Option(metavar="N", min=0, max=5, help="Edges from a keyword at most; 0 for synonyms alone.")
    ] = 1,
    limit: Annotated[int, Option(metavar="N", min=1, help="Words at most, the heaviest first.")] = 40,
    language: Annotated[str, Option(metavar="CODE", help="Language of the words, as in en.")] = "",
    toml: Annotated[bool, Option("--toml", help="Print keywords to paste into topic.toml.")] = False,
    json: Annotated[bool, Option("--json", help="Print the words as JSON, one object a line.")] = False,
) -> None:
    """Show what an ontology adds to a topic: synonyms of its words, and words near them in meaning, with weights.

    A synonym weighs as much as the keyword it stands for, and every edge farther away halves that. A word may have
    several senses; all are shown, each with what it is taken for, so that you can strike out what you do not mean.

    \b
    [bold]Examples[/bold]
    scenthound topic expand "dengue fever"
    scenthound topic expand mosquito malaria --distance 0
    scenthound topic expand crawls/ferns --ontology plants.ttl
    scenthound topic expand "dengue fever" --toml > topic.toml
    """
    # Imported here because they bring numpy and WordNet along, which --help and completion can do without.
    from scenthound.ontology.expansion import expand
    from scenthound.ontology.open_ontology import ontologies
    from scenthound.ontology.vocabulary import Vocabulary

    keywords, name, language = _asked(words, ontology, language)
    with _patience(name):
        vocabulary = Vocabulary(ontologies(name, language), language)
    known = [term for keyword in keywords for term in vocabulary.named(keyword.term) if any(term.senses)]
    found = expand(keywords, vocabulary, distance)
    if not known:
        names = " and ".join(each.name for each in vocabulary.ontologies)
        typer.echo(f"No word of the topic is in {names}. Another ontology may have it: --ontology FILE", err=True)
    if json:
        typer.echo(_as_json(found[:limit]), nl=bool(found))
    elif toml:
        typer.echo(_as_toml(keywords, found[:limit]))
    else:
        typer.echo(_as_table(keywords, found, limit))


def _asked(words: list[str], ontology: str, language: str) -> tuple[Sequence[Keyword], str, str]:
    """Keywords, ontology and language, of the words or of a folder's topic.toml."""
    from pathlib import Path

    from scenthound import config
    from scenthound.app.crawl_plan import SETTINGS
    from scenthound.errors import ConfigError
    from scenthound.ontology.open_ontology import beside

    folder = Path(words[0])
    if len(words) == 1 and (folder / SETTINGS).is_file():
        settings = config.load(folder / SETTINGS)
        keywords = settings.make_topic().keywords
        if not keywords:
            raise ConfigError(f"The topic in {folder} has no keywords. Give it some: scenthound topic {folder} -k WORD")
        given = ontology or beside(settings.topic.ontology, folder)
        return keywords, given, language or settings.topic.language
    if not any(word.strip() for word in words):
        raise ConfigError('Give the words of a topic, as in: scenthound topic expand "dengue fever"')
    return config.share_weights([word.strip() for word in words if word.strip()]), ontology, language or "en"


def _patience(name: str) -> Any:
    """Shows that something is going on while a large file is read."""
    from rich.console import Console

    return Console(stderr=True).status(f"Reading {name or 'WordNet'} ...")


def _as_json(found: Sequence[Addition]) -> str:
    import msgspec

    return "\n".join(msgspec.json.encode(each).decode() for each in found)


def _as_toml(keywords: Sequence[Keyword], found: Sequence[Addition]) -> str:
    """All keywords, weights summing to 1, what was added with the reason beside it."""
    whole = sum(keyword.weight for keyword in keywords) + sum(each.weight for each in found)
    lines = ["[topic]", "keywords = ["]
    lines += [f"  {_entry(keyword.term, keyword.weight / whole)}," for keyword in keywords]
    lines += [f"  {_entry(each.term, each.weight / whole)},  # {_reason(each)}: {each.meaning}" for each in found]
    return "\n".join([*lines, "]"])


def _entry(term: str, weight: float) -> str:
    import tomli_w

    return f"{{ {tomli_w.dumps({'term': term}).strip()}, weight = {max(weight, 10**-DIGITS):.{DIGITS}f} }}"


def _as_table(keywords: Sequence[Keyword], found: Sequence[Addition], limit: int) -> str:
    rows = [(f"{keyword.weight:.{DIGITS}f}", keyword.term, "keyword", "") for keyword in keywords]
    rows += [(f"{each.weight:.{DIGITS}f}", each.term, _reason(each), each.meaning) for each in found[:limit]]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]) for row in rows
    ]
    if len(found) > limit:
        lines.append(f"... and {len(found) - limit} more; see them with --limit {len(found)}")
    return "\n".join(line.rstrip() for line in lines)


def _reason(addition: Addition) -> str:
    word = f"{addition.relation} of" if addition.relation == "synonym" else f"{addition.relation} than"
    if addition.relation == "related":
        word = "related to"
    return f"{word} {addition.keyword}" + (f", {addition.distance} edges away" if addition.distance > 1 else "")
