"""Scenthound as it comes, told the same words: `scenthound.crawl(QUERY, seeds=[...])`, without pauses."""

import tempfile

from race import TASK, finish, page

import scenthound

with tempfile.TemporaryDirectory() as folder:
    crawl = scenthound.crawl(
        TASK["query"],
        seeds=TASK["seeds"],
        into=f"{folder}/library",
        pages=TASK["pages"],
        strategy=TASK["strategy"],
        delay=0.0,
        allow_private=True,
        progress=False,
    )
    crawl.plan.config.politeness.connections = TASK["connections"] or crawl.plan.config.politeness.connections
    for one in crawl:
        page(one.url)
finish()
