"""What a signature costs a request.

./run python benchmarks/request_signatures.py
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from scenthound.fetch.request_signer import RequestSigner, new_key

REQUESTS = 20_000


def microseconds(signer: RequestSigner, hosts: int) -> float:
    names = [f"www.host-{number % hosts}.example.org" for number in range(REQUESTS)]
    started = time.process_time()
    for name in names:
        signer.headers(name)
    return (time.process_time() - started) / REQUESTS * 1e6


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder, "key.pem")
        key.write_bytes(new_key())
        print("| requests | microseconds each |\n|---|---:|")
        for words, hosts in (("every one to another host", REQUESTS), ("ten to a host", REQUESTS // 10)):
            print(f"| {words} | {microseconds(RequestSigner(key, 'https://crawler.example.org'), hosts):.1f} |")
