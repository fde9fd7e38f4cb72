"""Images of watched pages, over real HTTP."""

import io
import random
from pathlib import Path

import pytest

from scenthound.library import open_library
from scenthound.revisit.rounds import RevisitOptions, Revisits
from tests.revisit.changing_web import ChangingWeb, Clock, collect, fetcher, html, prose, serving, settings

Image = pytest.importorskip("PIL.Image", reason="images need Pillow")


def picture(seed: int) -> bytes:
    """Sixty-four squares of grey."""
    dice = random.Random(seed)
    image = Image.frombytes("L", (8, 8), dice.randbytes(64)).resize((64, 64), Image.Resampling.NEAREST)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


async def look(web: ChangingWeb, folder: Path, clock: Clock, images: bool = True) -> list[tuple[str, str]]:
    config = settings(web)
    rounds = Revisits(
        config,
        folder,
        RevisitOptions(requests=20, images=images),
        make_fetcher=lambda: fetcher(config, clock),
        clock=clock,
    )
    await rounds.round()
    with open_library(folder, write=False) as library:
        return [(found.outcome, found.kind) for found in library.looks(since=clock() - 3600)]


async def test_images_are_asked_for_only_when_wanted_and_only_if_changed(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        shown = html(prose("start") + '<img src="/dog.png"><img src="/cat.png">')
        web.put("/", shown)
        web.put("/dog.png", picture(1))
        web.put("/cat.png", picture(2))
        clock = Clock()
        await collect(settings(web), tmp_path, clock)
        clock.pass_days(1)
        assert await look(web, tmp_path, clock, images=False) == [("same", "")]
        assert web.asked()["/dog.png"] == 0
        clock.pass_days(1)
        assert await look(web, tmp_path, clock) == [("same", "")], "seen for the first time"
        assert web.asked()["/dog.png"] == web.asked()["/cat.png"] == 1
        clock.pass_days(1)
        before = web.not_modified
        assert await look(web, tmp_path, clock) == [("same", "")]
        assert web.not_modified - before == 3
        clock.pass_days(1)
        web.put("/dog.png", picture(3))
        assert await look(web, tmp_path, clock) == [("same", ""), ("changed", "images")]
        with open_library(tmp_path, write=False) as library:
            (found,) = library.looks(outcomes=["changed"])
            assert found.size == 0.5
            assert found.detail.endswith("/dog.png")
            assert len(library.versions(web.url())) == 1
            assert library.counts().waiting == 0
            assert library.page(web.url()).state == "fetched"  # type: ignore[union-attr]
        clock.pass_days(1)
        again = io.BytesIO()
        Image.open(io.BytesIO(picture(3))).resize((128, 128)).save(again, "PNG")
        web.put("/dog.png", again.getvalue())
        assert await look(web, tmp_path, clock) == [("same", ""), ("noise", "images")]


async def test_what_is_no_image_hurts_nobody(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put(
            "/", html(prose("start") + '<img src="/x.png"><img src="/y.png"><img src="data:image/png;base64,AAAA">')
        )
        web.put("/x.png", b"no image")
        clock = Clock()
        await collect(settings(web), tmp_path, clock)
        for body in (b"no image either", b"nor this"):
            web.put("/x.png", body)
            clock.pass_days(1)
            seen = await look(web, tmp_path, clock)
        assert seen == [("same", ""), ("changed", "images")], "what cannot be read is compared by its bytes"
