"""The API for what people say: labels, and questions about pages."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from scenthound.app.label import LabelChange, LabelRow, list_labels, set_labels, take_effect
from scenthound.app.question_desk import QuestionState
from scenthound.web.endpoint import LIBRARY, Endpoint, Nothing, Url
from scenthound.web.shelf import ServedLibrary


class LabelWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody says of a page; null takes it back."""

    url: Url
    relevant: bool | None


def _label(served: ServedLibrary, wish: LabelWish) -> list[LabelChange]:
    return set_labels(served.folder, [wish.url], wish.relevant)


async def _take_effect(served: ServedLibrary, given: Nothing) -> dict[str, Any]:
    effect = await take_effect(served.folder)
    judged = effect.judged
    return {
        "later": effect.later,
        "changed": judged.changed if judged else 0,
        "relevant_before": judged.relevant_before if judged else 0,
        "relevant": judged.relevant if judged else 0,
        "links": judged.ranked if judged else 0,
    }


WORDS = [
    Endpoint(
        "GET",
        f"{LIBRARY}/labels",
        "What was said about pages and sites",
        lambda served, given: list_labels(served.folder),
        gives=list[LabelRow],
    ),
    Endpoint(
        "POST", f"{LIBRARY}/labels", "Says of a page whether it is relevant", _label, LabelWish, list[LabelChange]
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/labels/effect",
        "Judges all pages again by what labels say now, where no crawl is running",
        _take_effect,
        gives=dict[str, Any],
        in_thread=False,
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/question",
        "The page that is worth asking about next",
        lambda served, given: served.questions.ask(),
        gives=QuestionState,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/question",
        "Answers it, null for a page that is skipped, and asks on",
        lambda served, given: served.questions.answer(given.url, given.relevant),
        LabelWish,
        QuestionState,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/question/undo",
        "Takes the last answer back, and asks about that page again",
        lambda served, given: served.questions.undo(),
        gives=QuestionState,
    ),
]
