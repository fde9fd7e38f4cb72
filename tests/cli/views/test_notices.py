import io

from rich.console import Console

from scenthound.app.crawl_progress import CrawlProgress
from scenthound.app.events import ArchiveCut, LanguageRecognized, Moved, TopicAbsent
from scenthound.cli.views.live import LiveView
from scenthound.cli.views.live_screen import Screen
from scenthound.cli.views.notices import notice_of


def test_what_a_person_should_know_is_a_sentence_and_all_else_nothing() -> None:
    assert "in German, and so the topic is taken to be" in notice_of(LanguageRecognized("de", "en", True))
    told = notice_of(LanguageRecognized("de", "en", False))
    assert "in German, the topic in English" in told
    assert "--language de" in told
    assert "No word of the topic (a, b, c, d, e ...) stands in the 30 pages" in notice_of(
        TopicAbsent(30, tuple("abcdef"))
    )
    assert notice_of(Moved("http://a.test/", 1.0, 0, 0.5, "http://b.test/")) == ""


def test_it_stays_above_the_live_view() -> None:
    stream = io.StringIO()
    view = LiveView(Console(file=stream, width=200), Screen(CrawlProgress(), "x"))
    view(TopicAbsent(30, ("ferns",)))
    assert "No word of the topic (ferns) stands in the 30 pages" in stream.getvalue()


def test_a_cut_archive_and_what_becomes_of_its_pages() -> None:
    told = notice_of(ArchiveCut("warc/a.warc.gz", 2048, 3, 2))
    assert told.startswith("warc/a.warc.gz had lost its end (2.0 KB, 3 answers)")
    assert "2 stored pages" in told
    assert "fetched again" in told
    assert "No stored page" in notice_of(ArchiveCut("warc/a.warc.gz", 2048, 0, 0))
