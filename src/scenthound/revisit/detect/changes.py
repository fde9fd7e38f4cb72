"""Has a page changed, and how: cheapest test first, stopping at the first that says yes (Mali, layer 2).

    bytes ──same──▶ none
      │
      ├─ 1. structure   the two strings            | digest of the tag names
      ├─ 2. text        the text code              | digest, SimHash distance
      ├─ 3. images      the image code, if fetched | digest, perceptual hash; the list of images
      └─ 4. links       (ours)                     | digest of where the links lead

Every test exists twice: as the document has it, and as a digest that does not collide. The digest decides; which of the
two fired is reported, so that one can see how often the document's code alone would have missed a change. A
change that goes away when noise is taken out (`noise.py`) is called noise, and so is one that no test sees: spaces,
comments, attributes.

Of a version only its `PageFingerprints` are needed: a kilobyte or two, whatever the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from scenthound.model import Page
from scenthound.revisit.detect import perceptual_hash
from scenthound.revisit.detect import structure as structures
from scenthound.revisit.detect.noise import calm, calm_url
from scenthound.revisit.detect.perceptual_hash import ImagePrint, image_print
from scenthound.revisit.detect.structure import Structure, structure
from scenthound.revisit.detect.text_code import bytes_digest, difference, sketch, text_code, text_digest
from scenthound.text.simhash import simhash

Kind = Literal["structure", "text", "images", "links", "noise", "none"]
Test = Literal[
    "structure-first", "structure-last", "structure-digest",
    "text-code", "text-digest", "simhash",
    "image-list", "image-code", "image-digest", "perceptual-hash",
    "links-digest",
]  # fmt: skip

SIMHASH_DISTANCE = 1
"""Bits from which SimHash counts as having fired: any. How many it were is in the size of the change."""


class PageFingerprints(Struct, frozen=True):
    """All that is kept of a version to test the next one against."""

    body: str = ""  # digest of the bytes
    structure: Structure = Structure()
    text_code: float = 0.0
    text: str = ""  # digest of title and visible text
    calm_text: str = ""  # digest of the same without noise
    simhash: int = 0
    sketch: tuple[int, ...] = ()
    words: int = 0
    links: str = ""  # digest of the set of link targets, without session ids
    images: Mapping[str, ImagePrint | None] = {}  # by URL; None: not fetched


class PageChange(Struct, frozen=True):
    """What happened between two versions. `size` is 0 for none and noise, 1 for another page altogether."""

    kind: Kind
    size: float = 0.0
    tests: tuple[Test, ...] = ()  # that fired, in the order they were made
    images: tuple[str, ...] = ()  # URLs of images that are new, gone or other ones

    def __bool__(self) -> bool:
        """Whether there is anything new to read."""
        return self.kind not in ("noise", "none")


def fingerprints(page: Page, body: bytes, images: Mapping[str, bytes] | None = None) -> PageFingerprints:
    """`body` is the source of the page; `images` the files of those of its images that were fetched."""
    fetched = images or {}
    text = f"{page.title}\n{page.text}"
    return PageFingerprints(
        body=bytes_digest(body),
        structure=structure(body),
        text_code=text_code(text),
        text=text_digest(text),
        calm_text=text_digest(calm(text)),
        simhash=simhash(page.terms),
        sketch=sketch(text),
        words=len(text.split()),
        links=text_digest("\n".join(sorted({calm_url(link.url) for link in page.links}))),
        images={image.url: image_print(fetched[image.url]) if image.url in fetched else None for image in page.images},
    )


def detect(
    old: PageFingerprints, new: PageFingerprints, *, ignore_noise: bool = True, thorough: bool = False
) -> PageChange:
    """The change from `old` to `new`. `thorough` makes all tests, where the first that fires would do.

    With `ignore_noise` a change of nothing but noise is reported as such; without, as what it is otherwise.
    """
    if old.body == new.body and not _image_tests(old, new)[0]:
        return PageChange("none")
    kind: Kind = "none"
    fired: list[Test] = []
    for name, test in _TESTS:
        found = test(old, new)
        fired += found
        if found and kind == "none":
            kind = name
        if found and not thorough:
            break
    changed = _image_tests(old, new)[1] if kind == "images" or thorough else ()
    if kind == "none" or (ignore_noise and kind in ("structure", "text") and _is_noise(old, new)):
        return PageChange("noise", 0.0, tuple(fired))
    return PageChange(kind, _size(old, new, len(changed)), tuple(fired), changed)


def _structure_tests(old: PageFingerprints, new: PageFingerprints) -> list[Test]:
    before, after = old.structure, new.structure
    fired: list[Test] = []
    if before.first != after.first:
        fired.append("structure-first")
    if before.last != after.last:
        fired.append("structure-last")
    if before.digest != after.digest:
        fired.append("structure-digest")
    return fired


def _text_tests(old: PageFingerprints, new: PageFingerprints) -> list[Test]:
    fired: list[Test] = []
    if old.text_code != new.text_code:
        fired.append("text-code")
    if old.text != new.text:
        fired.append("text-digest")
    if (old.simhash ^ new.simhash).bit_count() >= SIMHASH_DISTANCE:
        fired.append("simhash")
    return fired


def _image_tests(old: PageFingerprints, new: PageFingerprints) -> tuple[list[Test], tuple[str, ...]]:
    """What fired, and the images that are new, gone or other ones. Compared are images fetched both times."""
    fired: set[Test] = set()
    changed = {calm_url(url): url for url in (*old.images, *new.images)}
    kept = {calm_url(url) for url in old.images} & {calm_url(url) for url in new.images}
    listed = [url for key, url in changed.items() if key not in kept]
    if listed:
        fired.add("image-list")
    for url in old.images.keys() & new.images.keys():
        before, after = old.images[url], new.images[url]
        if before is None or after is None or before.digest == after.digest:
            continue
        listed.append(url)
        fired.add("image-digest")
        if before.code != after.code:
            fired.add("image-code")
        apart = perceptual_hash.distance(before.phash, after.phash)
        if apart is None or apart > perceptual_hash.NEAR:
            fired.add("perceptual-hash")
    order: tuple[Test, ...] = ("image-list", "image-code", "image-digest", "perceptual-hash")
    return [test for test in order if test in fired], tuple(sorted(listed))


def _link_tests(old: PageFingerprints, new: PageFingerprints) -> list[Test]:
    return ["links-digest"] if old.links != new.links else []


_TESTS: tuple[tuple[Kind, Callable[[PageFingerprints, PageFingerprints], list[Test]]], ...] = (
    ("structure", _structure_tests),
    ("text", _text_tests),
    ("images", lambda old, new: _image_tests(old, new)[0]),
    ("links", _link_tests),
)


def _is_noise(old: PageFingerprints, new: PageFingerprints) -> bool:
    """Whether nothing is left of the change when noise is taken out of both versions."""
    return (
        old.calm_text == new.calm_text
        and old.structure.calm == new.structure.calm
        and old.links == new.links
        and not _image_tests(old, new)[0]
    )


def _size(old: PageFingerprints, new: PageFingerprints, images: int) -> float:
    """The largest of the shares that changed: of neighbouring tags, of words, of images; never 0."""
    shares = [structures.distance(old.structure, new.structure)]
    if old.text != new.text:
        shares.append(max(difference(old.sketch, new.sketch), 1.0 / max(old.words, new.words, 1)))
    if images:
        shares.append(images / max(len(old.images.keys() | new.images.keys()), 1))
    smallest = 1.0 / max(old.words, new.words, 1)
    return min(1.0, max(*shares, smallest))
