"""What every crawler of the comparison is told, and how it answers. Of ours its environment has this file alone.

    python CRAWLER.py '{"start": URL, "query": WORDS, "pages": N, ...}'

It prints a line of JSON for each page it has taken in, as it comes, and a last one when it has come to its end.
"""

import json
import sys

TASK = json.loads(sys.argv[1])


def page(url):
    print(json.dumps({"url": url}), flush=True)


def finish():
    print(json.dumps({"finished": True}), flush=True)
