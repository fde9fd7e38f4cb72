"""The API for the lab: experiments that are served beside libraries, as figures and curves."""

from __future__ import annotations

from msgspec import Struct

from scenthound.app.experiments import LabExperiment, read_experiment
from scenthound.web.endpoint import Endpoint, Nothing
from scenthound.web.shelf import Shelf


class LabLine(Struct, frozen=True):
    """An experiment in the list."""

    name: str
    web: str
    strategies: int
    topics: int
    crawls: int


def experiments(shelf: Shelf) -> list[LabExperiment]:
    return [read_experiment(folder) for folder in shelf.experiments.values()]


def lab_lines(shelf: Shelf, given: Nothing) -> list[LabLine]:
    return [
        LabLine(name, each.web, len(each.strategies), len(each.topics), each.crawls)
        for name, each in zip(shelf.experiments, experiments(shelf), strict=True)
    ]


LAB = [
    Endpoint("GET", "/api/lab", "Experiments that are served", lab_lines, gives=list[LabLine], of="shelf"),
    Endpoint(
        "GET",
        "/api/lab/{name}",
        "An experiment: means with intervals, tests against the baseline, curves",
        lambda folder, given: read_experiment(folder),
        gives=LabExperiment,
        of="experiment",
    ),
]
