import numpy as np
import pytest

from scenthound.lab.measures import harvest
from scenthound.lab.measures.trace import Evidence, Request, Trace

CRAWL = Trace(requests=(Request("a", relevance=0.8), Request("x", ok=False), Request("b"), Request("c", relevance=0.1)))


def test_harvest_rate_is_the_share_the_classifier_calls_relevant() -> None:
    evidence = Evidence(verdicts=np.array([True, False, True]))
    assert harvest.harvest_rate(CRAWL, evidence) == pytest.approx([1, 1 / 2, 2 / 3])


def test_verdicts_on_another_crawl_are_refused() -> None:
    with pytest.raises(ValueError, match="3 pages, but verdicts on 1"):
        harvest.harvest_rate(CRAWL, Evidence(verdicts=np.array([True])))


def test_own_relevance_is_what_the_crawl_believed() -> None:
    assert harvest.own_relevance(CRAWL, Evidence()) == pytest.approx([0.8, 0.4, 0.3])
