"""Names for strategies and judges, ours and other people's.

A class gets its name by decoration:

    @strategy("shark-search")
    @dataclass
    class SharkSearch: ...

It is found in the module of that name, `scenthound.strategies.shark_search`, or else because every module of the
package, and every entry point of the groups below, is imported.

A package of yours offers its own through `[project.entry-points."scenthound.strategies"]`.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import Any, TypeVar

from scenthound.errors import ConfigError, UnknownName

T = TypeVar("T", bound=type)


class Registry:
    """One kind of thing that can be built by name."""

    def __init__(self, noun: str, package: str) -> None:
        self.noun = noun
        self.package = package
        self.group = f"scenthound.{package.rpartition('.')[2]}"
        self._classes: dict[str, type] = {}
        self._loaded = False

    def __call__(self, name: str) -> Callable[[T], T]:
        def register(cls: T) -> T:
            taken = self._classes.get(name)
            if taken is not None and taken.__qualname__ != cls.__qualname__:
                raise ValueError(f"two {self.noun}s are called {name}: {taken!r} and {cls!r}")
            self._classes[name] = cls
            return cls

        return register

    def names(self) -> list[str]:
        self._load()
        return sorted(self._classes)

    def get(self, name: str) -> type:
        if name not in self._classes:
            self._load_module(name.replace("-", "_"))
        if name not in self._classes:
            self._load()
        try:
            return self._classes[name]
        except KeyError:
            near = get_close_matches(name, self._classes, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(self.names())}."
            raise UnknownName(f"There is no {self.noun} called {name!r}. {hint}") from None

    def build(self, name: str, params: Mapping[str, Any] | None = None) -> Any:
        """An instance of the class called `name`, its fields set from `params`; an unknown parameter is refused."""
        cls = self.get(name)
        params = dict(params or {})
        known = [field.name for field in dataclasses.fields(cls) if field.init and not field.name.endswith("_")]
        for key in params:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                hint = f"Did you mean {near[0]!r}?" if near else f"It has: {', '.join(known) or 'none'}."
                raise ConfigError(f"The {self.noun} {name!r} has no parameter {key!r}. {hint}")
        try:
            return cls(**params)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"The {self.noun} {name!r} cannot be built: {error}") from error

    def _load_module(self, name: str) -> None:
        """The one module that most likely holds it: importing them all takes longer than all else before a crawl."""
        package = importlib.import_module(self.package)
        if any(module.name == name for module in pkgutil.iter_modules(package.__path__)):
            importlib.import_module(f"{self.package}.{name}")

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        package = importlib.import_module(self.package)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{self.package}.{module.name}")
        for entry in entry_points(group=self.group):
            self(entry.name)(entry.load())


strategy = Registry("strategy", "scenthound.strategies")
judge = Registry("judge", "scenthound.judge")
