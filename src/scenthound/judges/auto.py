from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.judges.examples import Examples
from scenthound.judges.keywords import Keywords
from scenthound.model import Page
from scenthound.protocols.crawl import Context
from scenthound.registry import judge


@judge("auto")
@dataclass
class Auto:
    """What the topic offers: `examples` if there are any with text in them, else `keywords`.

    Example pages come first because they say more than a person types.
    """

    threshold: ClassVar[float] = 0.1
    judge_: Examples | Keywords = field(init=False, repr=False)

    def begin(self, context: Context) -> None:
        self.judge_ = Examples() if any(example.terms for example in context.examples) else Keywords()
        self.judge_.begin(context)

    def __call__(self, page: Page) -> float:
        return self.judge_(page)

    def strongest(self, page: Page, n: int) -> list[tuple[str, float]]:
        return self.judge_.strongest(page, n)
