"""Vectors of texts from a package that carries a model in its own folder. Nothing is downloaded, ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.bounded_cache import BoundedCache
from scenthound.errors import ConfigError
from scenthound.learn.pages.term_vectors import Floats, unit

REMEMBERED = 20_000
"""Texts whose vectors are remembered, about 22 MB: menus repeat theirs."""

READ = 1000
"""Characters of a page that are looked at: its title and how it begins."""


class PackagedVectors:
    """The same questions as to `TermVectors`, answered by wordllama's English vectors; only the mean is learned."""

    def __init__(self) -> None:
        self._model = _loaded()
        self._texts: BoundedCache[str, Floats] = BoundedCache(REMEMBERED)
        self.mean: Floats = np.zeros(self._embed([""]).shape[1], np.float32)
        self.pages = 0

    def read(self, text: str) -> Floats:
        content: Floats = self._embed([text[:READ]])[0]
        self.pages += 1
        self.mean += (content - self.mean) / self.pages
        return content

    def kept(self) -> dict[str, npt.NDArray[Any]]:
        return {"mean": self.mean.copy()}

    def take_back(self, pages: int, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.pages, self.mean = pages, arrays["mean"].copy()

    def of_terms(self, weights: Mapping[str, float]) -> Floats:
        terms = list(weights)
        return unit(np.fromiter(weights.values(), np.float32, len(terms)) @ self._embed(terms))

    def away_from_the_mean(self, content: Floats) -> Floats:
        return unit(content - self.mean) if content.any() else content

    def likeness(self, texts: Sequence[str], direction: Floats) -> npt.NDArray[np.float64]:
        if not texts:
            return np.zeros(0)
        known = self._texts.entries
        found = {text: known[text] for text in texts if text in known}
        if new := [text for text in dict.fromkeys(texts) if text not in found]:
            read = dict(zip(new, self._embed(new), strict=True))
            self._texts.put_all(read)
            found |= read
        alike: npt.NDArray[np.float64] = (np.stack([found[text] for text in texts]) @ direction).astype(float)
        return alike

    def _embed(self, texts: list[str]) -> Floats:
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        return unit(np.nan_to_num(np.asarray(self._model.embed(clean), np.float32)))


def _loaded() -> Any:
    try:
        wordllama = import_module("wordllama")
    except ImportError:
        raise ConfigError(
            'model = "wordllama" needs the package wordllama, which is not installed: pip install wordllama. '
            "Without model, vectors are learned from the pages."
        ) from None
    return wordllama.WordLlama.load(cache_dir=Path(str(wordllama.__file__)).parent, disable_download=True)
