"""A worker in a process of its own: `worker_to_be_stopped.py FOLDER SECONDS PORT`, the port being the web's."""

from __future__ import annotations

import sys
from pathlib import Path

from scenthound.cluster.worker import work
from scenthound.config import load
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.lab.generated.web import GeneratedWeb
from scenthound.lab.generated.web_server import DemoResolver, ServerAddress
from scenthound.protocols.crawl import Fetcher

WEB = GeneratedWeb(seed=5, pages=700, hosts=12, topics=3)


def main(folder: Path, seconds: float, port: int) -> None:
    config, address = load(folder / "topic.toml"), ServerAddress("127.0.0.1", port)

    def fetcher() -> Fetcher:
        return fetcher_for(config, resolver=DemoResolver(WEB, address))

    work(folder, config, fetcher=fetcher, seconds=seconds)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
