"""ByteCrawl, as its documentation has it, without pauses: `SharkSearch(query=...)`, `OPIC(query=...)`.

Its own limit counts addresses that answer 404 as pages. Here only pages count, as for all others: `on_visit`, which it
has for strategies, is told of each.
"""

from contextlib import suppress

import bytecrawl
from race import TASK, finish, page


class Enough(Exception):
    pass


class UntilEnough({"shark": bytecrawl.SharkSearch, "opic": bytecrawl.OPIC}[TASK["strategy"]]):
    taken = 0

    def on_visit(self, url, links):
        super().on_visit(url, links)
        page(url)
        self.taken += 1
        if self.taken >= TASK["pages"]:
            raise Enough


with suppress(Enough):
    UntilEnough(query=TASK["query"], delay=0, same_domain=False).crawl(TASK["start"], max_pages=10**9, max_depth=1000)
finish()
