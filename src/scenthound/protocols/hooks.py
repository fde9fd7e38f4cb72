"""Optional methods: how to ask for one, and how a misspelt one is noticed.

A hook is a protocol of one method. Whoever has the method has the hook, and need not inherit from anything:

    if (learner := hook(strategy, Learns)) is not None:
        learner.learn(visit)

`isinstance` will not do: a strategy that goes around another one has the hooks that the other one has.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, TypeVar, cast

H = TypeVar("H")


def hook(thing: object, kind: Callable[..., H]) -> H | None:
    """The thing as one that has this hook; None where it lacks it."""
    return cast(H, thing) if getattr(thing, method_of(kind), None) is not None else None


@cache
def method_of(kind: Callable[..., Any]) -> str:
    """The name of the one method of a protocol."""
    [name] = [name for name, value in vars(kind).items() if inspect.isfunction(value) and _counts(name)]
    return name


def misfits(thing: object, kind: Callable[..., Any], hooks: Sequence[Callable[..., Any]]) -> Iterator[str]:
    """What keeps a thing from being of this kind: each as the rest of a sentence that begins with its name."""
    if getattr(thing, method_of(kind), None) is None:
        yield f"has no method {_shape(kind)}."
    names = [method_of(each) for each in hooks]
    for each in (kind, *hooks):
        method = getattr(thing, method_of(each), None)
        if method is not None and not _takes(method, each):
            yield f"has a method {method_of(each)!r} that cannot be called as {_shape(each)}."
    for name in _public_methods(type(thing)):
        if name not in names and (near := _near(name, names)):
            meant = _shape(hooks[names.index(near)])
            yield f"has a method {name!r}. Did you mean the hook {meant}? If not, let its name begin with _."


def _counts(name: str) -> bool:
    return name == "__call__" or not name.startswith("_")


def _parameters(kind: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(getattr(kind, method_of(kind))).parameters)[1:]


def _shape(kind: Callable[..., Any]) -> str:
    return f"{method_of(kind)}({', '.join(_parameters(kind))})"


def _takes(method: Any, kind: Callable[..., Any]) -> bool:
    """Whether a method can be called as the protocol has it, with arguments in their places."""
    try:
        inspect.signature(method).bind(*_parameters(kind))
    except (TypeError, ValueError):  # too few, too many, or no method at all
        return False
    return True


def _public_methods(cls: type) -> list[str]:
    return [name for name, value in inspect.getmembers_static(cls) if inspect.isfunction(value) and name[0] != "_"]


def _near(name: str, known: Sequence[str]) -> str | None:
    """The hook that a name is a slip of: nearly all letters, or the same ones in another order."""
    close = get_close_matches(name, known, n=1, cutoff=0.85)
    swapped = [each for each in known if sorted(each) == sorted(name)]
    return next(iter([*close, *swapped]), None)
