from __future__ import annotations

import io

import numpy as np
import pytest

from scenthound.revisit.detect.perceptual_hash import NEAR, dhash, distance, image_print, phash

Image = pytest.importorskip("PIL.Image")


def picture(seed: int) -> object:
    """Soft blobs, as photographs have."""
    noise = np.random.default_rng(seed).random((6, 6)) * 255
    return Image.fromarray(noise.astype(np.uint8)).resize((200, 160), Image.Resampling.BICUBIC)


def saved(image: object, form: str = "PNG", **options: int) -> bytes:
    stream = io.BytesIO()
    image.save(stream, form, **options)  # type: ignore[attr-defined]
    return stream.getvalue()


@pytest.mark.parametrize("hash_", [dhash, phash])
def test_the_same_picture_otherwise_saved_is_near(hash_: object) -> None:
    for seed in range(5):
        image = picture(seed)
        original = hash_(saved(image))  # type: ignore[operator]
        smaller = image.resize((90, 70))  # type: ignore[attr-defined]
        brighter = image.point(lambda value: min(255, value + 10))  # type: ignore[attr-defined]
        for other in (saved(image, "JPEG", quality=40), saved(smaller), saved(brighter)):
            assert distance(original, hash_(other)) <= NEAR  # type: ignore[operator]


@pytest.mark.parametrize("hash_", [dhash, phash])
def test_other_pictures_are_far(hash_: object) -> None:
    hashes = [hash_(saved(picture(seed))) for seed in range(12)]  # type: ignore[operator]
    apart = [distance(one, other) for place, one in enumerate(hashes) for other in hashes[:place]]
    assert min(apart) > NEAR
    assert np.mean(apart) == pytest.approx(32, abs=5)


def test_an_even_surface_has_an_even_hash() -> None:
    assert dhash(saved(Image.new("L", (50, 50), 90))) == 0


def test_what_cannot_be_decoded_has_a_digest_only() -> None:
    print_ = image_print(b"<svg/>")
    assert (print_.code, print_.phash, print_.dhash) == (None, None, None)
    assert print_.digest != image_print(b"<svg />").digest
    assert distance(None, 3) is None
