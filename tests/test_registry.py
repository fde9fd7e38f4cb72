"""Names find classes, ours and those of other packages; wrong names and parameters say what was meant."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from scenthound import registry
from scenthound.errors import ConfigError, UnknownName
from scenthound.registry import Registry

OUTSIDER = '''
from dataclasses import dataclass

@dataclass
class Outsider:
    """From another package."""
    keen: float = 0.5

    def rank(self, visit):
        return []
'''


@pytest.fixture
def animals(monkeypatch: pytest.MonkeyPatch) -> Registry:
    animals = Registry("animal", "scenthound.strategies")
    monkeypatch.setattr(animals, "_loaded", True)

    @animals("hound")
    @dataclass
    class Hound:
        speed: int = 3

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

    with pytest.raises(ValueError, match="two animals"):
        animals("hound")(Other)


def test_a_strategy_of_another_package_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outsider.py").write_text(OUTSIDER)
    info = tmp_path / "outsider-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outsider\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[scenthound.strategies]\nfar-away = outsider:Outsider\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    strategies = Registry("strategy", "scenthound.strategies")
    assert strategies.build("far-away", {"keen": 1.0}).keen == 1.0
    sys.modules.pop("outsider", None)


def test_every_module_of_the_package_is_loaded() -> None:
    assert "breadth-first" in registry.strategy.names()
