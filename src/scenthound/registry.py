"""Names for strategies, judges, exporters, readers, fetchers, measures and the like, ours and other people's.

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
| `document_reader` (parse/document.py) | `parse.documents` | `scenthound.documents` | a class, by an ending of files |
| `own_fetcher` (fetch/fetchers) | `fetch.fetchers` | `scenthound.fetchers` | a class |
| `seed_source` (fetch/seed_sources/own_source.py) | `fetch.seed_sources` | `scenthound.seed_sources` | a class |
| `revisit_policy` (revisit/schedule/policies.py) | `revisit.schedule` | `scenthound.revisit_policies` | a class |
| `measure` (lab/measures/registry.py) | `lab.measures` | `scenthound.measures` | a module of decorated functions |
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import math
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from scenthound.errors import ConfigError, UnknownName, shown
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
            raise UnknownName(f"There is no {self.noun} called {shown(name)}. {hint}") from None

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
        for path in filter(None, os.environ.get(FILES, "").split(os.pathsep)):
            _run_file(Path(path))

    def load_file(self, path: Path) -> list[str]:
        """The names that a Python file adds; it is run, so it must come from whoever starts the program."""
        self._load()
        try:
            module = _run_file(path)
        except ConfigError:
            raise
        except Exception as error:  # whatever is in it
            raise ConfigError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
        added = [name for name in self._entries if self._origins[name].startswith(f"{module}.")]
        if not added:
            raise ConfigError(f'{path} has no {self.noun}. Put @{self.noun}("its-name") above the class.')
        known = os.environ.get(FILES, "").split(os.pathsep)
        os.environ[FILES] = os.pathsep.join(dict.fromkeys([*filter(None, known), str(path.resolve())]))
        return added

    def _take(self, entry: EntryPoint, loaded: Any) -> None:
        """What an entry point brought. Where decorators have done the rest by now, there is nothing left to do."""


def _run_file(path: Path) -> str:
    """Imports a file under a name of its own, once a process, and says which."""
    name = f"scenthound_loaded_{path.stem}_{abs(hash(str(path.resolve()))):x}"
    if name in sys.modules:
        return name
    if not path.is_file():
        wrong = (
            "It is a folder: name a file in it." if path.is_dir() else f"It was looked for in {path.resolve().parent}."
        )
        raise ConfigError(f"There is no file {path}. {wrong}")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return name


def wrong_type(cls: type, key: str, value: Any) -> str:
    """What is wrong with a value for a field of a dataclass, by its type; nothing where it fits, or none can tell."""
    try:
        wanted = get_type_hints(cls).get(key, Any)
        msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        return f"{_wanted(wanted)}, not {shown(value)}."
    except Exception:  # a type that only the class itself understands
        return ""
    return ""


def _wanted(kind: Any) -> str:
    """A type in words: `is one of a, b`, `must be a list`, `is int`."""
    if get_origin(kind) is Literal:
        return f"is one of {', '.join(map(str, get_args(kind)))}"
    if isinstance(origin := get_origin(kind), type) and issubclass(origin, Sequence):
        return "must be a list"
    return f"is {kind.__name__ if isinstance(kind, type) else str(kind).replace('typing.', '')}"


FILES = "SCENTHOUND_LOADED_FILES"
"""The environment variable that names files somebody had loaded, so that processes started later know them, too."""


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
                raise ConfigError(f"The {self.noun} {name!r} has no parameter {shown(key)}. {hint}")
        for key, value in params.items():
            if wrong := wrong_type(cls, key, value):
                raise ConfigError(f"The parameter {shown(key)} of the {self.noun} {name!r} {wrong}")
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
            raise ConfigError(f"The {self.noun} {name!r} has no published form {shown(asked)}. {hint}")
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
            raise ValueError(f"{field.name} = {shown(params[field.name])} cannot be meant: it must be {wanted}")


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
