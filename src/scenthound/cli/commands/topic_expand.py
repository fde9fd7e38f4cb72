"""`scenthound topic expand`: what an ontology adds to a topic, for a person to strike words out of."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Argument, Option


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
    from rich.console import Console

    from scenthound.app.topic_expansion import expand_topic, words_to_expand
    from scenthound.cli.views.topic_expansion import as_json, as_table, as_toml

    asked = words_to_expand(words, ontology, language)
    with Console(stderr=True).status(f"Reading {asked.ontology or 'WordNet'} ..."):
        expansion = expand_topic(asked, distance)
    found = expansion.additions
    if expansion.unknown_to:
        typer.echo(
            f"No word of the topic is in {expansion.unknown_to}. Another ontology may have it: --ontology FILE",
            err=True,
        )
    if json:
        typer.echo(as_json(found[:limit]), nl=bool(found))
    elif toml:
        typer.echo(as_toml(expansion.keywords, found[:limit]))
    else:
        typer.echo(as_table(expansion.keywords, found, limit))
