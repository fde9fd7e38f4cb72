"""The same targets under atheris, which is guided by what code an input reaches: `pip install --group fuzz`.

Slower for each input and better at finding the way to a place nobody thought of. What it finds interesting it keeps in
`fuzz/coverage/`, which is not part of the repository; what fails goes into the corpus, as with our own engine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

from fuzz.runner import PATIENCE, Failure, keep, tried
from fuzz.targets import Target


def _functions() -> Iterator[FunctionType]:
    """Of Scenthound's own modules: to watch those of Python as well takes minutes before the first input."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "scenthound"]
    for module in modules:
        kinds = [
            kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__
        ]
        for each in (value for holder in (module, *kinds) for value in list(vars(holder).values())):
            if isinstance(each, FunctionType) and each.__module__ == module.__name__:
                yield each


def run(target: Target, executions: int, seed: int, corpus: Path) -> int:
    """Ends the process, as atheris does: with another code than 0 after a failure."""
    try:
        import atheris
    except ImportError:
        print("atheris is not installed: pip install --group fuzz, or use --engine own", file=sys.stderr)
        return 2
    found = Path(__file__).with_name("coverage") / target.name
    found.mkdir(parents=True, exist_ok=True)
    for function in _functions():
        atheris.instrument_func(function)

    def one(data: bytes) -> None:
        result = tried(target, data)
        if isinstance(result, Failure):
            print(f"{target.name}: {result.kind}, kept as {keep(target, data, corpus)}\n{result.text}", file=sys.stderr)
            raise AssertionError(result.kind)

    limits = [f"-runs={executions}", f"-seed={seed}", f"-timeout={PATIENCE:.0f}", "-max_len=4096"]
    atheris.Setup([sys.argv[0], *limits, str(found), str(corpus / target.name)], one)
    atheris.Fuzz()
    return 0
