from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from scenthound.errors import ConfigError
from scenthound.model import Page
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import judge
from scenthound.text.weight_table import NORMS, TERMS, Norm, TermStatistics, WeightTable


@judge("blocks")
@dataclass
class BlocksJudge:
    """The relevance of a page from that of its blocks (Aastha 4.3, 4.5).

        relevance = sum over blocks b of R(t, b), at most 1       mode = "sum", as the document has it
                    mean over blocks b of R(t, b)                 mode = "mean"

    R(t, b) is the cosine of the block and the weight table: the topic's keywords and, up to `terms` terms, those that
    tell most about its example pages. A sum grows with the number of blocks and is no probability: a long page of
    many blocks reaches any threshold. Blocks without a word are left out of the mean. With `norm = "table"` only the
    table's terms make up the length of a block, as the document has it.
    """

    published: ClassVar[Presets] = {"aastha": {"mode": "sum", "norm": "table"}}

    threshold: ClassVar[float] = 0.1
    mode: Literal["sum", "mean"] = "sum"
    terms: int = TERMS
    norm: Norm = "block"
    table_: WeightTable = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.mode not in ("sum", "mean"):
            raise ValueError('mode must be "sum" or "mean"')
        if self.terms < 1:
            raise ValueError("terms must be at least 1")
        if self.norm not in NORMS:
            raise ValueError('norm must be "block" or "table"')

    def begin(self, context: Context) -> None:
        made = WeightTable.of(context.topic, TermStatistics(context.idf, context.examples), self.terms)
        self.table_ = WeightTable(made.weights, context.topic.language, self.norm)
        if not self.table_:
            raise ConfigError(
                'The judge "blocks" needs words: give keywords = [...] or examples = [...] under [topic].'
            )

    def __call__(self, page: Page) -> float:
        total = sum(self.table_.of_blocks(page))
        spoken = sum(1 for block in page.blocks if block.text)
        return min(1.0, total / spoken if self.mode == "mean" and spoken else total)

    def strongest(self, page: Page, n: int) -> list[tuple[str, float]]:
        """The terms of the table that the page holds, by their share of the relevance; they add up to it."""
        weights = self.table_.weights
        parts = {term: weight * page.terms[term] for term, weight in weights.items() if term in page.terms}
        whole = sum(parts.values())
        score = self(page) if whole else 0.0
        shares = [(term, part * score / whole) for term, part in parts.items()]
        return sorted(shares, key=lambda share: (-share[1], share[0]))[:n]
