"""What hangs behind a search form: how much of it is found by following links, and by asking the form (Mali 2.3.4).

    ./run python benchmarks/form_questions.py                 six generated sites of 200 documents
    ./run python benchmarks/form_questions.py --sites 2 --documents 60

Half of the documents of a site are about its topic; every tenth is linked, the others are found by asking, and an
answer lists ten of them at most. The crawl knows the topic's keywords and the front page. A question costs a request
like any other. Ends with 1 if asking finds less than links alone on any site.
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from msgspec import Struct

import scenthound.judges.auto
import scenthound.strategies.auto  # noqa: F401  both are found by name otherwise, and a result's digest goes by imports
from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.lab.generated.form_site import FormSite
from scenthound.lab.generated.web import GeneratedFetcher
from scenthound.lab.report.tables import markdown_table
from scenthound.library import memory_library
from scenthound.model import Step


class Found(Struct, frozen=True):
    """Documents of the topic that a crawl fetched, documents that were not of it, and requests in all."""

    targets: int
    others: int
    questions: int
    requests: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, default=6, help="generated sites, each of another topic")
    parser.add_argument("--documents", type=int, default=200, help="of a site")
    options = parser.parse_args()
    rows, worse = list[list[str]](), False
    for number in range(options.sites):
        site = FormSite(seed=number + 1, documents=options.documents, topic=number)
        by_links, by_asking = (asyncio.run(crawl(site, forms=forms)) for forms in (False, True))
        worse = worse or by_asking.targets < by_links.targets
        rows.append([site.topic.name, str(len(site.targets())), *cells(by_links), *cells(by_asking)[:2],
                     str(by_asking.questions), str(by_asking.requests)])  # fmt: skip
    head = [
        "site", "documents of the topic", "by links", "others", "requests", "by asking", "others", "questions",
        "requests",
    ]  # fmt: skip
    print("\n".join(markdown_table(head, rows)))
    return int(worse)


def cells(found: Found) -> list[str]:
    return [str(found.targets), str(found.others), str(found.requests)]


async def crawl(site: FormSite, *, forms: bool) -> Found:
    config: Config = from_dict(
        {
            "topic": {"name": site.topic.name, "keywords": list(site.keywords)},
            "crawl": {"seeds": [site.home], "pages": 10 * site.documents, "forms": forms},
            "politeness": {"delay": 0.0, "robots": False},
            "scope": {"traps": False, "mirrors": False},
        }
    )
    asked: list[str] = []

    def heard(step: Step) -> None:
        if step.state == "fetched":
            asked.append(step.lease.link.url)

    async with assembled(config, memory_library(), fetcher=GeneratedFetcher(site), observers=[heard]) as made:
        await made.run()
    targets, documents = set(site.targets()), {url for url in asked if "/document/" in url}
    questions = sum("/find" in url for url in asked)
    return Found(len(documents & targets), len(documents - targets), questions, len(asked))


if __name__ == "__main__":
    sys.exit(main())
