from pathlib import Path

from scenthound.app.changes import NewsOptions, digest, feed, gather_news, plain_news
from scenthound.library import open_library
from tests.library.collection import collect, stored


def test_what_is_new_in_every_shape(tmp_path: Path) -> None:
    folder = collect(tmp_path / "x", [stored("http://a.test/", "birds sing", title="Birds")])
    told: list[int] = []
    with open_library(folder, write=False) as library:
        news = gather_news(library, 0.0, NewsOptions(first=True), progress=lambda done, whole: told.append(done)).news
        assert [item["url"] for item in plain_news(news)] == ["http://a.test/"]
        assert "Birds" in digest(library, news, 0.0)
        assert "<feed" in feed(library, news)
    assert told == [1]
