"""PageSift by way of its MCP tool `pagesift_crawl`, the only way in which its Python package follows links.

The tool takes no topic: its order is its own. What it does with words is `includePaths`, which would need to be known.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from race import TASK, finish, page

server = subprocess.Popen(
    [str(Path(sys.executable).with_name("pagesift-mcp"))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)


def ask(number, method, **params):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    for line in server.stdout:
        answer = json.loads(line)
        if answer.get("id") == number:
            if "error" in answer or answer["result"].get("isError"):
                sys.exit(f"{method}: {json.dumps(answer)[:500]}")
            return answer["result"]
    sys.exit("the server of pagesift has ended")


def told(result):
    return result.get("structuredContent") or json.loads(result["content"][0]["text"])


try:
    client = {"name": "scenthound benchmark", "version": "1"}
    ask(1, "initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo=client)
    server.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    wanted = {
        "url": TASK["start"],
        "limit": TASK["pages"],
        "crawlEntireDomain": True,
        "maxDiscoveryDepth": 1000,
        "sitemap": "skip",
        "scrapeOptions": {"formats": ["links"]},
    }
    job = told(ask(2, "tools/call", name="pagesift_crawl", arguments=wanted))
    seen, number = set(), 3
    while True:
        status = told(ask(number, "tools/call", name="pagesift_crawl_status", arguments={"id": job["id"]}))
        for one in status.get("data") or []:
            url = one.get("metadata", {}).get("sourceURL") or one.get("url")
            if url and url not in seen:
                seen.add(url)
                page(url)
        if status.get("status") in ("completed", "failed", "cancelled"):
            break
        number += 1
        time.sleep(0.5)
    if not seen:
        sys.exit(f"the crawl ended with {status.get('errors')} errors and no page: {json.dumps(status)[:200]}")
finally:
    server.kill()
    server.wait()
finish()
