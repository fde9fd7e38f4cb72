"""Which suspects wait for which probe, and for how long an answer to nonsense is believed."""

from pathlib import Path

from scenthound import urls
from scenthound.library import open_library
from scenthound.model import Failed, Link, Page, Response, Visit, Waiting
from scenthound.protocols.records import WatchedPage
from scenthound.revisit.detect.changes import PageChange
from scenthound.revisit.detect.soft404 import Suspicion
from scenthound.revisit.detect.stored_page import StoredText
from scenthound.revisit.soft404_suspects import PROBED_FOR, Soft404Suspects, Suspect
from tests.library.collection import collect, numbered


def suspect(page: WatchedPage, why: Suspicion, at: float = 1000.0) -> Suspect:
    link = Link(page.url)
    lease = Waiting(page.id, link, page.host, 1.0, 0)
    visit = Visit(link, Page(url=page.url), 0.0, False, 0)
    response = Response(url=page.url, status=200, body=b"sorry", at=at)
    return Suspect(lease, page, response, visit, StoredText(), PageChange("text"), why)


def test_a_host_is_probed_once_for_all_its_suspects(tmp_path: Path) -> None:
    collect(tmp_path, numbered(3))
    with open_library(tmp_path) as history:
        pages, suspects = list(history.watched()), Soft404Suspects(history)
        doubtful = [suspect(page, "phrase") for page in pages]
        assert all(map(suspects.must_wait, doubtful))
        assert not suspects.must_wait(suspect(pages[0], ""))
        probes = [probe for case in doubtful if (probe := suspects.wait(case, 7.0)) is not None]
        assert len(probes) == len(suspects.hosts()) == len({page.host for page in pages})
        assert {(probe.link.kind, probe.priority) for probe in probes} == {("probe", 7.0)}
        for probe in probes:
            assert urls.host(probe.link.url) == probe.host
            suspects.learn(probe, Failed(probe.link.url, "status", 404), Page(url=probe.link.url), at=1000.0)
        assert [case for host in suspects.hosts() for case in suspects.release(host)] == doubtful
        assert suspects.hosts() == []
        assert not any(map(suspects.must_wait, doubtful)), "now one knows"
    with open_library(tmp_path, write=False) as history:
        suspects = Soft404Suspects(history)
        assert not suspects.must_wait(suspect(pages[0], "phrase")), "and after a restart"
        assert suspects.must_wait(suspect(pages[0], "phrase", at=1001.0 + PROBED_FOR))
