"""A planned crawl, made by many workers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from scenthound.app.crawl import check_plan
from scenthound.app.crawl_plan import CrawlPlan
from scenthound.cluster.cluster_crawl import ClusterOutcome, crawl_with_workers
from scenthound.cluster.ray_workers import RayWorkers
from scenthound.config import Config
from scenthound.errors import LibraryError
from scenthound.library.folder import DATABASE, OWN, address_in
from scenthound.protocols.records import LibraryCounts


async def crawl_planned(
    plan: CrawlPlan,
    workers: int,
    cluster: str | None = None,
    *,
    told: Callable[[LibraryCounts], None] = lambda counts: None,
    doing: Callable[[str], None] = lambda what: None,
    stopping: asyncio.Event | None = None,
) -> ClusterOutcome:
    """Crawls as planned, with so many workers: on this machine, or on a Ray cluster.

    Where no address is named, the library gets a PostgreSQL server of its own, in its folder.
    """
    plan = replace(plan, config=_shared(plan))
    check_plan(plan)
    started = RayWorkers(cluster)
    return await crawl_with_workers(
        plan.config, plan.folder, started, workers, prepared=plan.write, told=told, doing=doing, stopping=stopping
    )


def _shared(plan: CrawlPlan) -> Config:
    config, there = plan.config, address_in(plan.folder)
    if not there and (plan.folder / DATABASE).is_file():
        raise LibraryError(
            f"The library of {plan.folder} is one file, to which one process writes. Workers need a copy in "
            f"PostgreSQL: "
            f"scenthound library copy {plan.folder} {config.library.address or 'postgresql://localhost/crawls'}"
        )
    return replace(config, library=replace(config.library, address=there or config.library.address or OWN))
