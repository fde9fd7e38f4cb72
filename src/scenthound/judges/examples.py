from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.errors import ConfigError
from scenthound.model import Page
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import judge
from scenthound.text.nearest import Nearest


@judge("examples")
@dataclass
class Examples:
    """Cosine of the page and the nearest example page (Liu 3.4; Batsakis 4, harvest ratio).

        relevance = max over examples e of cosine(page, e)

    In tf-idf weights. Needs no words for the topic: a handful of pages says what is meant.
    """

    published: ClassVar[Presets] = {"liu": {}}

    threshold: ClassVar[float] = 0.1
    nearest_: Nearest = field(init=False, repr=False)

    def begin(self, context: Context) -> None:
        self.nearest_ = Nearest([example.terms for example in context.examples], context.idf)
        if not len(self.nearest_):
            raise ConfigError(
                'The judge "examples" needs example pages with text. Add examples = [...] under [topic], '
                'or use judge = "keywords".'
            )

    def __call__(self, page: Page) -> float:
        return self.nearest_.similarity(page.terms)

    def strongest(self, page: Page, n: int) -> list[tuple[str, float]]:
        return self.nearest_.strongest(page.terms, n)
