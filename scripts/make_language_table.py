"""Make src/scenthound/text/data/languages.xz, by which languages are recognised, from the background tables there.

./run python scripts/make_language_table.py
"""

from __future__ import annotations

from heapq import nlargest
from math import log10
from pathlib import Path

from scenthound.text.background import as_text, background
from scenthound.text.language_recognition import FILE, packed
from scenthound.text.languages import ALGORITHMS

DATA = Path(__file__).parents[1] / "src" / "scenthound" / "text" / "data"
STEMS = 3_000
"""Of each language, the most frequent. With more of them a topic's rare words would be known, and the file larger."""


def main() -> None:
    tables = {}
    for language in ALGORITHMS:
        if (table := background(language)) is not None:
            words = {stem: share for stem, share in table.frequency.items() if not stem.isdecimal()}
            best = nlargest(STEMS, words, key=lambda stem: (words[stem], stem))
            tables[language] = as_text(sorted(table.stopwords), {stem: 9 + log10(words[stem]) for stem in best})
    (DATA / FILE).write_bytes(packed(tables))
    print(f"{FILE}: {len(tables)} languages, {(DATA / FILE).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
