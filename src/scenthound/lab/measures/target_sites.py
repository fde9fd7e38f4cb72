"""Does a crawl find what it wants on every site, where each may be asked for a few pages only?"""

from __future__ import annotations

import numpy as np

from scenthound import urls
from scenthound.lab.measures.registry import measure
from scenthound.lab.measures.trace import Curve, Evidence, Trace


@measure("target-sites", unit="share", needs=("targets",), empty=0.0)
def target_sites(trace: Trace, evidence: Evidence) -> Curve:
    """Share of the hosts with a target on them of which a target is among the pages downloaded so far."""
    targets = evidence.targets or frozenset()
    hosts = {urls.host(url) for url in targets}
    reached: set[str] = set()
    curve = np.zeros(len(trace.pages))
    for index, request in enumerate(trace.pages):
        if request.url in targets:
            reached.add(urls.host(request.url))
        curve[index] = len(reached) / len(hosts) if hosts else np.nan
    return curve
