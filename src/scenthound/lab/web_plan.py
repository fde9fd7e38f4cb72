"""Which web and which topics an experiment is about: what all plans of the lab have in common."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
import tomli_w
from msgspec import Struct, field

from scenthound.errors import ConfigError
from scenthound.lab.topics import LabTopic, load
from scenthound.lab.webs import MadeUpWeb, WebSpec, recorded

HOME = Path("lab")


class WebPlan(Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A web and its topics."""

    web: list[str] = field(default_factory=list)  # WARC files, or folders that hold some; together they are one web
    generated: int = 0  # pages of a web made up on the spot, instead
    web_seed: int = 1  # the number it grows from
    web_language: Literal["en", "ja"] = "en"  # what its pages look like
    topics: str = ""  # JSON lines, a topic.toml, or a folder of them; a generated web brings its own
    only: list[str] = field(default_factory=list)  # names of topics, where not all are wanted

    def web_spec(self) -> WebSpec:
        if self.generated and self.web:
            raise ConfigError("Give either recorded webs or a generated one, not both.")
        if self.generated:
            return WebSpec(generated=self.generated, seed=self.web_seed, language=self.web_language)
        return recorded(Path(path) for path in self.web)

    def check_topics(self) -> None:
        """Refuses a plan that does not say what to look for, or says it twice."""
        if self.topics and self.generated:
            raise ConfigError("A generated web brings its own topics; leave --topics out.")
        if not self.topics and not self.generated:
            raise ConfigError("Say what to look for: --topics FILE, a topic a line, or a folder of topic.tomls.")

    def lab_topics(self) -> list[LabTopic]:
        """The topics that belong to the web."""
        if self.generated:
            found = MadeUpWeb(self.web_spec()).topics()
        else:
            files = {Path(file).name for file in self.web_spec().files}
            found = [topic for topic in load(Path(self.topics)) if not topic.web or topic.web in files]
            if not found:
                raise ConfigError(f"No topic in {self.topics} belongs to {', '.join(sorted(files))}.")
        return _chosen(found, self.only) if self.only else found

    def as_toml(self) -> str:
        """As TOML, which `scenthound lab FILE` takes."""
        return tomli_w.dumps(msgspec.to_builtins(self))

    def folder(self) -> Path:
        """A folder of its own for each experiment, so that the same command goes on where it stopped."""
        digest = hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()[:8]
        return HOME / f"{self.web_spec().name}-{digest}"


def _chosen(topics: list[LabTopic], wanted: Sequence[str]) -> list[LabTopic]:
    by_name = {topic.name: topic for topic in topics}
    for name in wanted:
        if name not in by_name:
            near = get_close_matches(name, by_name, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(by_name)}."
            raise ConfigError(f"There is no topic called {name!r}. {hint}")
    return [by_name[name] for name in dict.fromkeys(wanted)]


Plan = TypeVar("Plan", bound=WebPlan)


def load_plan(path: Path, kind: type[Plan]) -> Plan:
    """An experiment from its file; paths in it are relative to it."""
    data = read_toml(path)
    known = [each.name for each in msgspec.structs.fields(kind)]
    for key in data:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}."
            raise ConfigError(f"{path}: unknown key {key!r}; {hint}")
    try:
        plan = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {error}") from error
    plan.web = [str(path.parent / each) for each in plan.web]
    plan.topics = str(path.parent / plan.topics) if plan.topics else ""
    return plan


def read_toml(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"There is no experiment {path}.") from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error
