"""ByteCrawl, as its documentation has it, without pauses: `SharkSearch(query=...)`, `OPIC(query=...)`."""

from bytecrawl import OPIC, SharkSearch
from race import TASK, finish, page

crawler = {"shark": SharkSearch, "opic": OPIC}[TASK["strategy"]](query=TASK["query"], delay=0)
result = crawler.crawl(TASK["start"], max_pages=TASK["pages"], max_depth=1000)
for one in result.pages:
    page(one["url"])
finish()
