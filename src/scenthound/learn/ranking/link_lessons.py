"""What lessons teach of the words of links, ahead of the crawl: one lesson for each link among their pages."""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt

from scenthound.learn.ranking.link_model import LinkModel
from scenthound.learn.ranking.link_texts import LinkReader
from scenthound.model import Lessons

EPOCHS = 3
LEADS_ON = 0.5
"""What a page is worth, as a lesson, for each hop to the next relevant one."""


def taught_links(lessons: Lessons, language: str) -> npt.NDArray[np.float64]:
    """What a `LinkModel` begins with that has seen them: a link to a target counts 1, one to the page before it 0.5."""
    shown = [{link.url: link for link in reversed(page.links)} for page in lessons.pages]
    followed = [
        (link, LEADS_ON ** lessons.states[end] if lessons.states[end] >= 0 else 0.0)
        for start, end in lessons.edges
        if (link := shown[start].get(lessons.pages[end].url)) is not None
    ]
    words = LinkReader(language)([link for link, _ in followed]).rows(range(len(followed)))
    model, order = LinkModel(), Random(0)
    for number in (each for _ in range(EPOCHS) for each in order.sample(range(len(followed)), len(followed))):
        model.learn(words[number : number + 1], followed[number][1])
    return model.taught()
