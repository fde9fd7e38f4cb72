"""Options that several collecting commands share, spelt once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

WHAT, HOW, WHERE, MANNERS, SHOWN = "What to look for", "How to look", "Where to look", "Manners", "What is shown"

Seeds = Annotated[
    list[str] | None,
    Option("--seed", "-s", metavar="URL", help="A page to start from; repeatable.", rich_help_panel=WHAT),
]
SeedsFile = Annotated[
    Path | None, Option(metavar="FILE", help="A file of such pages, one a line.", rich_help_panel=WHAT)
]
Language = Annotated[
    str | None,
    Option(
        metavar="CODE",
        help="Language of the topic, as in en; else it is recognised from topic and seeds.",
        rich_help_panel=WHAT,
    ),
]
Minutes = Annotated[
    float | None, Option(metavar="M", min=0, help="Stop after this time; 0 = no limit.", rich_help_panel=HOW)
]
Replay = Annotated[
    list[Path] | None,
    Option(
        metavar="WARC",
        help="Crawl a recorded web, a file or a folder of them, in place of the live one; repeatable.",
        rich_help_panel=WHERE,
    ),
]
Want = Annotated[
    list[str] | None,
    Option(
        metavar="ENDINGS",
        help="Files to take in beside web pages, as in pdf,csv; document and data stand for all of a kind.",
        rich_help_panel=WHAT,
    ),
]
Delay = Annotated[
    float | None, Option(metavar="S", min=0, help="Seconds between requests to one host.", rich_help_panel=MANNERS)
]
Parallel = Annotated[
    int | None,
    Option(metavar="N", min=1, help="Requests under way at once, over all hosts.", rich_help_panel=MANNERS),
]
Contact = Annotated[
    str | None, Option(metavar="URL|MAIL", help="Who you are, for the servers' operators.", rich_help_panel=MANNERS)
]
AllowPrivate = Annotated[
    bool, Option("--allow-private", help="Loopback and private addresses may be asked.", rich_help_panel=MANNERS)
]
