"""The images of watched pages: asked for only when somebody wants it, and only if they have changed.

An image is news when it is another picture: its bytes differ and so does its perceptual hash. One that was packed anew,
or scaled, is noise. What is kept of an image is its codes and hashes, not the image.
"""

from __future__ import annotations

from hashlib import sha1
from typing import NamedTuple

import msgspec

from scenthound import urls
from scenthound.library.step_rules import validators
from scenthound.model import Failed, Link, Outcome, Page, Response, Waiting
from scenthound.protocols.library import History
from scenthound.protocols.records import StoredImage, WatchedPage
from scenthound.revisit.detect import perceptual_hash
from scenthound.revisit.detect.perceptual_hash import ImagePrint, image_print

MOST_IMAGES = 20
"""Of one page: the first ones. A gallery is not worth a hundred requests."""


class ImageHolder(NamedTuple):
    """A page that shows an image, and how many it shows."""

    lease: Waiting
    page: WatchedPage
    images: int


class PageImages:
    """Which images to ask for, who shows them, and whether they are what they were."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._holders: dict[int, list[ImageHolder]] = {}

    def of(self, page: Page, lease: Waiting, watched: WatchedPage, priority: float) -> list[Waiting]:
        """Leases of the page's images that are not asked for already in this run."""
        shown = list(dict.fromkeys(image.url for image in page.images if image.url.startswith("http")))[:MOST_IMAGES]
        wanted = []
        for url in shown:
            number = urls.fingerprint(url)
            if number not in self._holders:
                link = Link(url=url, source=page.url, kind="image")
                wanted.append(Waiting(number, link, urls.host(url), priority, lease.order))
            self._holders.setdefault(number, []).append(ImageHolder(lease, watched, len(shown)))
        return wanted

    def holders(self, image: Waiting) -> list[ImageHolder]:
        return self._holders.get(image.id, [])

    def stored(self, url: str) -> StoredImage | None:
        return self._history.image(url)

    def compare(self, image: Waiting, answer: Response | Failed) -> tuple[Outcome, str]:
        """What the answer says of the image, and in words; what is new is noted."""
        if isinstance(answer, Failed) or answer.status == 304 or not answer.body:
            return "nothing", ""
        before, digest = self.stored(image.link.url), sha1(answer.body).digest()
        seen = image_print(answer.body)
        etag, modified = validators(answer)
        prints = msgspec.json.encode(seen).decode()
        self._history.note_image(StoredImage(image.link.url, answer.at, etag, modified, digest, prints))
        if before is None or before.digest == digest:
            return "nothing", ""
        apart = perceptual_hash.distance(_phash(before.prints), seen.phash)
        if apart is not None and apart <= perceptual_hash.NEAR:
            return "noise", f"image packed anew: {image.link.url}"
        return "changed", f"another image: {image.link.url}"


def _phash(prints: str) -> int | None:
    try:
        found = msgspec.json.decode(prints, type=ImagePrint)
    except msgspec.MsgspecError:
        return None  # kept by a version with other prints
    return found.phash
