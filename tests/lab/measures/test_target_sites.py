from scenthound.lab.measures.registry import measure
from scenthound.lab.measures.target_sites import target_sites
from scenthound.lab.measures.trace import Evidence, Request, Trace


def test_share_of_the_hosts_of_which_a_target_came() -> None:
    targets = frozenset(["http://a.test/1", "http://a.test/2", "http://b.test/", "http://c.test/"])
    asked = ["http://a.test/1", "http://x.test/", "http://a.test/2", "http://b.test/other", "http://b.test/"]
    trace = Trace((*(Request(url) for url in asked), Request("http://c.test/", ok=False)))
    assert target_sites(trace, Evidence(targets=targets)).tolist() == [1 / 3, 1 / 3, 1 / 3, 1 / 3, 2 / 3]
    assert measure.get("target-sites").final(trace, Evidence(targets=targets)) == 2 / 3
