"""Commands in hints, as the person who reads them would type them.

Everything below the command line says `scenthound crawl ...`, because it does not know how it was started. Somebody who
started it as `./run` has no program of that name, so whatever is shown says `./run crawl ...` to them. Nor would their
`pip` install into the script's environment: an extra is added, by that environment, to the checkout it belongs to.
"""

from __future__ import annotations

import os
import pkgutil
import re
import shlex
from functools import cache
from pathlib import Path

from scenthound.cli import commands

PROGRAM = "scenthound"
EXTRA = re.compile(rf"pip install '{PROGRAM}(?=\[)")
STARTED_AS = "SCENTHOUND_STARTED_AS"
"""The environment variable in which a script that starts the program says how it was called itself."""


def program() -> str:
    """What to type before a command."""
    return shlex.quote(os.environ.get(STARTED_AS, "") or PROGRAM)


def as_started(text: str) -> str:
    """A text of ours with its commands as they can be typed here."""
    called = program()
    if called == PROGRAM:
        return text
    checkout = Path(os.environ[STARTED_AS]).parent
    text = EXTRA.sub(lambda _: f"{called} python -m pip install -e '{checkout}", text)
    return _named_command().sub(lambda _: called, text)


@cache
def _named_command() -> re.Pattern[str]:
    names = "|".join(module.name for module in pkgutil.iter_modules(commands.__path__))
    return re.compile(rf"(?<![\w./-]){PROGRAM}(?= (?:{names}|COMMAND)\b)")
