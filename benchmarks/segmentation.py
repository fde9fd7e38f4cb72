"""How fast Japanese text is cut into terms: pairs of characters as here, and by libraries that know words.

    ./run python benchmarks/segmentation.py

Libraries that are not installed are left out: pip install budoux janome, to compare.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from scenthound.text.analysis import analyzer

TEXT = (
    "サンゴの白化は、海水温の上昇によって褐虫藻がサンゴから失われる現象です。"
    "沖縄のサンゴ礁では、夏の高い水温でサンゴの白化が広がりました。"
    "研究者は白化したサンゴの回復を調べています。"
)


def cutters() -> dict[str, Callable[[str], object]]:
    found: dict[str, Callable[[str], object]] = {"pairs, as here": analyzer("ja").counts}
    try:
        import budoux  # type: ignore[import-not-found,unused-ignore]

        found["budoux"] = budoux.load_default_japanese_parser().parse
    except ImportError:
        pass
    try:
        from janome.tokenizer import Tokenizer  # type: ignore[import-not-found,unused-ignore]

        tokenizer = Tokenizer()
        found["janome"] = lambda text: list(tokenizer.tokenize(text, wakati=True))
    except ImportError:
        pass
    return found


def characters_a_second(cut: Callable[[str], object], seconds: float = 2.0) -> float:
    cut(TEXT)
    started, done = time.process_time(), 0
    while time.process_time() - started < seconds:
        cut(TEXT * 10)
        done += 10 * len(TEXT)
    return done / (time.process_time() - started)


if __name__ == "__main__":
    print("| | characters a second |\n|---|---:|")
    for name, cut in cutters().items():
        print(f"| {name} | {characters_a_second(cut):,.0f} |")
