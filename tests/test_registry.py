"""Names find classes, ours and those of other packages; wrong names and parameters say what was meant."""

import dataclasses
import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, nan
from pathlib import Path
from typing import Protocol

import pytest

from scenthound import registry
from scenthound.errors import ConfigError, UnknownName
from scenthound.export.exporter import exporter
from scenthound.protocols.crawl import Strategy
from scenthound.registry import Registry
from scenthound.revisit.schedule.policies import revisit_policy
from tests.other_package import install

OUTSIDER = '''
from dataclasses import dataclass

@dataclass
class Outsider:
    """From another package."""
    keen: float = 0.5

    def rank(self, visit):
        return []
'''


class Runs(Protocol):
    def run(self, far: int) -> None: ...


class Barks(Protocol):
    def bark(self) -> None: ...


@pytest.fixture
def animals(monkeypatch: pytest.MonkeyPatch) -> Registry:
    animals = Registry("animal", "scenthound.strategies", Runs, (Barks,))
    monkeypatch.setattr(animals, "_loaded", True)

    @animals("hound")
    @dataclass
    class Hound:
        speed: int = 3

        def run(self, far: int) -> None: ...

        def bark(self) -> None: ...

    return animals


def test_a_name_builds_its_class(animals: Registry) -> None:
    assert animals.build("hound", {"speed": 5}).speed == 5
    assert animals.names() == ["hound"]


def test_wrong_names_and_parameters_name_the_nearest(animals: Registry) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'hound'"):
        animals.get("hond")
    with pytest.raises(ConfigError, match="Did you mean 'speed'"):
        animals.build("hound", {"sped": 5})


def test_two_classes_cannot_share_a_name(animals: Registry) -> None:
    @dataclass
    class Other:
        pass

    with pytest.raises(ValueError, match="hound is there twice"):
        animals("hound")(Other)


def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, source: str = OUTSIDER) -> Registry:
    monkeypatch.syspath_prepend(str(install(tmp_path, "scenthound.strategies", line, source)))
    monkeypatch.delitem(sys.modules, "outsider", raising=False)
    return Registry("strategy", "scenthound.strategies", Strategy)


def test_a_strategy_of_another_package_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strategies = offered(tmp_path, monkeypatch, "far-away = outsider:Outsider")
    assert strategies.build("far-away", {"keen": 1.0}).keen == 1.0
    with pytest.raises(UnknownName, match="Did you mean 'far-away'"):
        strategies.get("far-awy")


@pytest.mark.parametrize(
    ("line", "source", "message"),
    [
        (
            "far-away = outsider",
            OUTSIDER,
            'names a module, and a strategy is a class. Write .* "outsider:Class',
        ),
        ("far-away = outsider:keen", "keen = 0.5", "names a float, and a strategy is a class"),
        (
            "far-away = outsider:Gone",
            OUTSIDER,
            r"'far-away' \(outsider:Gone\) in scenthound.strategies of the package",
        ),
        ("far-away = outsider:Outsider", "import no_such_module", "cannot be loaded: No module named 'no_such_module'"),
    ],
)
def test_an_entry_point_that_is_wrong_says_so_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, source: str, message: str
) -> None:
    strategies = offered(tmp_path, monkeypatch, line, source)
    for _ in range(2):
        with pytest.raises(ConfigError, match=message):
            strategies.names()


def test_two_packages_cannot_share_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strategies = offered(tmp_path, monkeypatch, "hound = outsider:Outsider")
    strategies("hound")(type("Hound", (), {}))
    with pytest.raises(ConfigError, match="hound is there twice"):
        strategies.names()


def test_a_class_that_is_no_dataclass_is_refused(animals: Registry) -> None:
    animals("plain")(type("Plain", (), {}))
    with pytest.raises(ConfigError, match="Plain is no dataclass"):
        animals.build("plain")


def test_one_file_in_the_package_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "kennel"
    package.mkdir()
    (package / "__init__.py").touch()
    (tmp_path / "kennel_names.py").write_text(
        "from scenthound.registry import Registry\ndog = Registry('dog', 'kennel', object)"
    )
    for name in ("beagle", "basset"):
        (package / f"{name}.py").write_text(f"from kennel_names import dog\n@dog('{name}')\nclass Dog: pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    dog = importlib.import_module("kennel_names").dog
    assert dog.get("basset").__module__ == "kennel.basset"
    assert "kennel.beagle" not in sys.modules, "only the module of that name is imported"
    assert dog.names() == ["basset", "beagle"]


def test_every_module_of_the_package_is_loaded() -> None:
    assert "breadth-first" in registry.strategy.names()
    assert registry.judge.names() == ["auto", "blocks", "examples", "keywords", "topic-vector"]
    assert exporter.names() == [
        "chunks",
        "csv",
        "graphml",
        "jsonl",
        "markdown",
        "parquet",
        "site",
        "urls",
        "wacz",
        "waiting",
        "warc",
    ]
    assert revisit_policy.names() == ["learned", "proportional", "pvalue", "rates", "uniform"]


def test_what_cannot_do_what_it_must_or_would_never_be_heard_is_refused(animals: Registry) -> None:
    @animals("snail")
    @dataclass
    class Snail:
        def crawl(self) -> None: ...

    @animals("mute")
    @dataclass
    class Mute:
        def run(self, far: int) -> None: ...

        def brak(self) -> None: ...

    with pytest.raises(ConfigError, match=r"The animal 'snail' has no method run\(far\)"):
        animals.build("snail")
    with pytest.raises(ConfigError, match=r"The animal 'mute' has a method 'brak'. Did you mean the hook bark\(\)\?"):
        animals.build("mute")


def numbers() -> Iterator[tuple[Registry, str, str]]:
    """Every parameter that is a number, of whatever is built by name."""
    for names in (registry.strategy, registry.judge, revisit_policy):
        for name in names.names():
            for parameter in dataclasses.fields(names.get(name)):
                kinds = {kind.strip() for kind in str(parameter.type).split("|")}
                if parameter.init and not parameter.name.endswith("_") and kinds & {"int", "float"}:
                    yield names, name, parameter.name


NEGATIVE = {("random", "seed"), ("tunnelling", "trust"), ("url-rules", "default")}
"""Parameters that may be below 0."""


@pytest.mark.parametrize("senseless", [nan, inf, -inf, 1e300, 10**30, "3", True, -1])
def test_no_parameter_takes_a_number_that_cannot_be_meant(senseless: object) -> None:
    taken = []
    for names, name, parameter in numbers():
        if senseless == -1 and (name, parameter) in NEGATIVE:
            continue
        try:
            names.build(name, {parameter: senseless})
        except ConfigError as error:
            told = str(error)
        else:
            told = ""
        if parameter not in told:
            taken.append((name, parameter))
    assert taken == []
    assert sum(1 for _ in numbers()) > 60


LOADED = """
from dataclasses import dataclass
from scenthound.registry import strategy

@strategy("{name}")
@dataclass
class Loaded:
    "Made for a test."

    def rank(self, visit):
        return []
"""


@pytest.fixture
def no_loaded_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test loads, the next one does not know."""
    monkeypatch.setenv(registry.FILES, "")
    entries, origins = dict(registry.strategy._entries), dict(registry.strategy._origins)
    yield
    registry.strategy._entries, registry.strategy._origins = entries, origins
    for name in [name for name in sys.modules if name.startswith("scenthound_loaded_")]:
        del sys.modules[name]


@pytest.mark.usefixtures("no_loaded_files")
def test_a_file_says_what_it_has_however_often_it_is_asked(tmp_path: Path) -> None:
    registry.strategy.names()
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(LOADED.format(name=f"of-file-{name}"))
    for _ in range(2):
        assert registry.strategy.load_file(tmp_path / "one.py") == ["of-file-one"]
        assert registry.strategy.load_file(tmp_path / "two.py") == ["of-file-two"]


@pytest.mark.usefixtures("no_loaded_files")
def test_a_file_that_another_process_had_loaded_is_known_and_can_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one.py").write_text(LOADED.format(name="of-file-one"))
    monkeypatch.setenv(registry.FILES, str(tmp_path / "one.py"))
    monkeypatch.setattr(registry.strategy, "_loaded", False)
    assert "of-file-one" in registry.strategy.names()
    assert registry.strategy.load_file(tmp_path / "one.py") == ["of-file-one"]


def test_a_file_that_is_not_there_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"There is no file .*gone.py. It was looked for in {tmp_path}"):
        registry.strategy.load_file(tmp_path / "gone.py")
    with pytest.raises(ConfigError, match="It is a folder: name a file in it"):
        registry.strategy.load_file(tmp_path)
