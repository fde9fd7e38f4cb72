"""Names for strategies, judges, exporters, measures and revisit policies, ours and other people's.

A class gets its name by decoration:

    @strategy("shark-search")
    @dataclass
    class SharkSearch: ...

It is found in the module of that name, `scenthound.strategies.shark_search`, or else because every module of the
package, and every entry point of its group, is imported. So one more is one more file, and nothing else to edit.

A package of yours offers its own through entry points, `[project.entry-points."scenthound.strategies"]` and so on:

| registry | package | entry-point group | an entry point names |
|---|---|---|---|
| `strategy` | `strategies` | `scenthound.strategies` | a class |
| `judge` | `judges` | `scenthound.judge` | a class |
| `exporter` (export/exporter.py) | `export` | `scenthound.export` | a class |
| `revisit_policy` (revisit/schedule/policies.py) | `revisit.schedule` | `scenthound.revisit_policies` | a class |
| `measure` (lab/measures/registry.py) | `lab.measures` | `scenthound.measures` | a module of decorated functions |
"""

from __future__ import annotations

import dataclasses
import importlib
import math
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from scenthound.errors import ConfigError, UnknownName
from scenthound.protocols.crawl import JUDGE_HOOKS, STRATEGY_HOOKS, Judge, Presets, Strategy
from scenthound.protocols.hooks import misfits

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

LARGEST_INT, LARGEST_FLOAT = 2**63 - 1, 1_000_000_000  # that any parameter may be; of whole numbers, a random seed

Entry = TypeVar("Entry")
T = TypeVar("T", bound=type)
PUBLISHED = "published"
"""What a class calls its presets, and the parameter that chooses one."""

Kind = Callable[..., Any]  # a protocol; `type` would not do, because it has no instances of its own


class Names(Generic[Entry]):
    """One kind of thing that is found by name."""

    def __init__(self, noun: str, package: str, group: str = "") -> None:
        self.noun = noun
        self.package = package
        self.group = f"scenthound.{group or package.rpartition('.')[2]}"
        self._entries: dict[str, Entry] = {}
        self._origins: dict[str, str] = {}
        self._loaded = False

    def add(self, name: str, entry: Entry, maker: Any) -> None:
        """`maker` is the class or function that was decorated: the same one may come again, another one may not."""
        origin = f"{maker.__module__}.{maker.__qualname__}"
        taken = self._origins.setdefault(name, origin)
        if taken != origin:
            raise ValueError(f"the {self.noun} {name} is there twice: {taken} and {origin}")
        self._entries[name] = entry

    def names(self) -> list[str]:
        """In the order of their modules."""
        self._load()
        return list(self._entries)

    def get(self, name: str) -> Entry:
        if name not in self._entries:
            self._load_module(name.replace("-", "_"))
        if name not in self._entries:
            self._load()
        try:
            return self._entries[name]
        except KeyError:
            hint = nearest(name, self.names(), "Known")
            raise UnknownName(f"There is no {self.noun} called {name!r}. {hint}") from None

    def _load_module(self, name: str) -> None:
        """The one module that most likely holds it: importing them all takes longer than all else before a crawl."""
        package = importlib.import_module(self.package)
        if any(module.name == name for module in pkgutil.iter_modules(package.__path__)):
            importlib.import_module(f"{self.package}.{name}")

    def _load(self) -> None:
        if self._loaded:
            return
        from importlib.metadata import entry_points  # late: it is slow to import, and most names are found without

        package = importlib.import_module(self.package)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{self.package}.{module.name}")
        for entry in entry_points(group=self.group):
            try:
                self._take(entry, entry.load())
            except ConfigError:
                raise
            except Exception as error:  # whatever another package does when it is imported
                raise ConfigError(f"{_described(entry)} cannot be loaded: {error}") from error
        self._loaded = True

    def _take(self, entry: EntryPoint, loaded: Any) -> None:
        """What an entry point brought. Where decorators have done the rest by now, there is nothing left to do."""


class Registry(Names[type]):
    """One kind of thing that can be built by name: what each must be able to do, and what it may do beyond that."""

    def __init__(self, noun: str, package: str, kind: Kind, hooks: Sequence[Kind] = (), *, group: str = "") -> None:
        super().__init__(noun, package, group)
        self.kind = kind
        self.hooks = hooks

    def __call__(self, name: str) -> Callable[[T], T]:
        def register(cls: T) -> T:
            self.add(name, cls, cls)
            return cls

        return register

    def names(self) -> list[str]:
        return sorted(super().names())

    def build(self, name: str, params: Mapping[str, Any] | None = None) -> Any:
        """An instance of the class called `name`, its fields set from `params`.

        `published` among them stands for the parameters of the source, which the others may change. Refused is an
        unknown parameter, a number that cannot be meant (what else there is to say of it, its class says in
        `__post_init__`), and a class with a hook that would never be called, or not rightly.
        """
        cls = self.get(name)
        params = dict(params or {})
        if not dataclasses.is_dataclass(cls):
            raise ConfigError(f"The {self.noun} {name!r} cannot be built: {cls.__qualname__} is no dataclass.")
        params = {**self._published(name, params.pop(PUBLISHED, False)), **params}
        known = [field.name for field in dataclasses.fields(cls) if field.init and not field.name.endswith("_")]
        for key in params:
            if key not in known:
                hint = nearest(key, known, "It has")
                raise ConfigError(f"The {self.noun} {name!r} has no parameter {key!r}. {hint}")
        try:
            _check_numbers(cls, params)
            made = cls(**params)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"The {self.noun} {name!r} cannot be built: {error}") from error
        for misfit in misfits(made, self.kind, self.hooks):
            raise ConfigError(f"The {self.noun} {name!r} {misfit}")
        return made

    def presets(self, name: str) -> Presets:
        """The forms in which a source published it, by their names; none where it is nobody's but ours."""
        found: Presets = getattr(self.get(name), PUBLISHED, {})
        return found

    def _published(self, name: str, asked: bool | str) -> Mapping[str, Any]:
        """The parameters of the form that is asked for: the first, where just `true` is said."""
        if asked is False:
            return {}
        presets = self.presets(name)
        if not presets:
            raise ConfigError(f"The {self.noun} {name!r} has no published form: no document describes it.")
        if asked is not True and asked not in presets:
            hint = nearest(str(asked), presets, "Those there are")
            raise ConfigError(f"The {self.noun} {name!r} has no published form {asked!r}. {hint}")
        return presets[next(iter(presets)) if asked is True else asked]

    def _take(self, entry: EntryPoint, loaded: Any) -> None:
        if not isinstance(loaded, type):
            what = "a module" if not entry.attr else f"a {type(loaded).__name__}"
            meant = f'{entry.name} = "{entry.module}:ClassName"'
            raise ConfigError(f"{_described(entry)} names {what}, and a {self.noun} is a class. Write {meant}.")
        self.add(entry.name, loaded, loaded)


def _check_numbers(cls: Any, params: Mapping[str, Any]) -> None:
    for field in dataclasses.fields(cls):
        if field.name in params and (wanted := _misfit(params[field.name], str(field.type))):
            raise ValueError(f"{field.name} = {params[field.name]!r} cannot be meant: it must be {wanted}")


def _misfit(value: Any, kind: str) -> str:
    """What a parameter of this type, as it is written down, would have to be; empty where it is that."""
    kinds = {each.strip() for each in kind.split("|")}
    if value is None or not kinds <= {"int", "float", "None"}:
        return ""
    if isinstance(value, bool) or not isinstance(value, (int, float) if "float" in kinds else int):
        return "a number" if "float" in kinds else "a whole number"
    most = LARGEST_INT if isinstance(value, int) else LARGEST_FLOAT
    return "" if math.isfinite(value) and abs(value) <= most else f"a number from {-most:,} to {most:,}"


def nearest(name: str, known: Iterable[str], otherwise: str) -> str:
    """What was probably meant, or else all there is."""
    known = list(known)
    near = get_close_matches(name, known, n=1)
    return f"Did you mean {near[0]!r}?" if near else f"{otherwise}: {', '.join(known) or 'none'}."


def _described(entry: EntryPoint) -> str:
    package = f" of the package {entry.dist.name}" if entry.dist is not None else ""
    return f"The entry point {entry.name!r} ({entry.value}) in {entry.group}{package}"


strategy = Registry("strategy", "scenthound.strategies", Strategy, STRATEGY_HOOKS)
judge = Registry("judge", "scenthound.judges", Judge, JUDGE_HOOKS, group="judge")
