"""The API for trails: walked through stored pages, and what strategies learn from them."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from scenthound.app.browsing_trail import TrailsView
from scenthound.app.train import TrainedModel
from scenthound.web.endpoint import LIBRARY, Endpoint, Nothing, OfUrl
from scenthound.web.shelf import ServedLibrary


class TrainWish(Struct, frozen=True, forbid_unknown_fields=True):
    strategy: Annotated[str, Meta(min_length=1, max_length=60)]


def trails_of(served: ServedLibrary, given: Any) -> TrailsView:
    with served.readers.lend() as library:
        return served.trails.view(library)


def _begin(served: ServedLibrary, given: Nothing) -> TrailsView:
    served.trails.begin()
    return trails_of(served, given)


def _end(served: ServedLibrary, given: Nothing) -> TrailsView:
    served.trails.end()
    return trails_of(served, given)


def _visit(served: ServedLibrary, given: OfUrl) -> TrailsView:
    with served.readers.lend() as library:
        served.trails.visit(library, given.url)
        return served.trails.view(library)


TRAILS = [
    Endpoint("GET", f"{LIBRARY}/trails", "The trail that is walked, and those there are", trails_of, gives=TrailsView),
    Endpoint("POST", f"{LIBRARY}/trails/begin", "From here on opened pages are steps", _begin, gives=TrailsView),
    Endpoint("POST", f"{LIBRARY}/trails/end", "Ends the trail; it is kept", _end, gives=TrailsView),
    Endpoint("POST", f"{LIBRARY}/trails/visit", "A step of the trail: a page was opened", _visit, OfUrl, TrailsView),
    Endpoint(
        "POST",
        f"{LIBRARY}/train",
        "Teaches a strategy with trails and labelled pages",
        lambda served, wish: served.trails.train(wish.strategy),
        TrainWish,
        TrainedModel,
    ),
]
