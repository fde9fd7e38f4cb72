from pathlib import Path

import pytest

from scenthound.errors import ConfigError, RecordingError
from scenthound.lab.webs import MadeUpWeb, WebSpec, open_web, recorded
from scenthound.model import Failed, Link, Response
from tests.lab.small import write_web


def test_a_folder_stands_for_the_recordings_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "library" / "warc"
    inner.mkdir(parents=True)
    for name in ("b.warc.gz", "a.warc", "notes.txt"):
        (inner / name).touch()
    assert [Path(file).name for file in recorded([tmp_path]).files] == ["a.warc", "b.warc.gz"]


def test_a_folder_of_html_is_a_web(tmp_path: Path) -> None:
    """Known by its pages: another page makes another web."""
    (tmp_path / "ferns.html").write_text("<p>ferns</p>")
    web = open_web(recorded([tmp_path]))
    [url] = web.urls()
    answer = web.answer(Link(url=url))
    assert isinstance(answer, Response)
    assert b"ferns" in answer.body
    before = web.identity
    web.close()
    (tmp_path / "mosses.html").write_text("<p>mosses</p>")
    web = open_web(recorded([tmp_path]))
    assert len(list(web.urls())) == 2
    assert web.identity != before
    web.close()


def test_nothing_to_replay_is_said(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="There is no HTML file"):
        recorded([tmp_path])
    with pytest.raises(ConfigError, match="--generated"):
        recorded([])
    with pytest.raises(RecordingError, match="cannot be read"):
        open_web(WebSpec(files=(str(tmp_path / "none.warc"),)))


def test_a_recorded_web_answers_and_is_known_by_its_content(tmp_path: Path) -> None:
    pages = {"http://a.test/": "<p>hello</p>", "http://a.test/b": "<p>you</p>"}
    one, other, copy = tmp_path / "one.warc", tmp_path / "other.warc", tmp_path / "copy.warc"
    write_web(one, pages)
    write_web(other, pages | {"http://a.test/c": "<p>more</p>"})
    copy.write_bytes(one.read_bytes())
    webs = [open_web(recorded([path])) for path in (one, copy, other)]
    assert webs[0].identity == webs[1].identity != webs[2].identity
    assert sorted(webs[0].urls()) == sorted(pages)
    answer = webs[0].answer(Link(url="http://a.test/b"))
    assert isinstance(answer, Response)
    assert b"you" in answer.body
    missing = webs[0].answer(Link(url="http://a.test/none"))
    assert isinstance(missing, Failed)
    assert missing.status == 404
    for web in webs:
        web.close()


@pytest.mark.parametrize(("pages", "topics"), [(250, 1), (1000, 5), (3000, 12)])
def test_a_made_up_web_has_as_many_topics_as_there_is_room_for(pages: int, topics: int) -> None:
    web = MadeUpWeb(WebSpec(generated=pages))
    found = web.topics()
    assert len(found) == topics
    assert all(topic.pages == pages // 5 and topic.scored_targets() for topic in found)


def test_a_made_up_web_is_another_with_another_seed() -> None:
    identities = [MadeUpWeb(WebSpec(generated=300, seed=seed)).identity for seed in (1, 1, 2)]
    assert identities[0] == identities[1] != identities[2]
