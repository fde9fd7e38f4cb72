from __future__ import annotations

from dataclasses import dataclass, field

from scenthound.judge.examples import Examples
from scenthound.judge.keywords import Keywords
from scenthound.model import Page
from scenthound.protocols import Ground
from scenthound.registry import judge


@judge("auto")
@dataclass
class Auto:
    """What the topic offers: `examples` if there are any with text in them, else `keywords`.

    Example pages come first because they say more than a person types.
    """

    judge_: Examples | Keywords = field(init=False, repr=False)

    def begin(self, ground: Ground) -> None:
        self.judge_ = Examples() if any(example.terms for example in ground.examples) else Keywords()
        self.judge_.begin(ground)

    def __call__(self, page: Page) -> float:
        return self.judge_(page)

    def strongest(self, page: Page, n: int) -> list[tuple[str, float]]:
        return self.judge_.strongest(page, n)
