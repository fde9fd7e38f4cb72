"""Whoever uses us from Python gets a crawl in one thread of linear algebra, and their own threads back."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
import numpy
import scenthound
from threadpoolctl import threadpool_info
from scenthound.config import Config
from scenthound.library import memory_library

def threads():
    return max(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")

print("before", threads())
for page in scenthound.crawl("orchids", demo=True, pages=1, into=sys.argv[1], progress=False):
    print("crawl", threads())
print("after", threads())
from scenthound.scrapy_bridge.topic_focus import TopicFocus
settings = Config()
settings.topic.name, settings.topic.keywords = "otters", ["otter"]
with memory_library(answers=False) as library:
    focus = TopicFocus(settings, library)
    print("spider", threads())
    focus.close(finished=True)
print("end", threads())
"""


def test_one_thread_while_it_crawls_and_no_longer(tmp_path: Path) -> None:
    many = os.environ | {"OPENBLAS_NUM_THREADS": "3"}
    words = [sys.executable, "-c", PROGRAM, str(tmp_path / "demo")]
    done = subprocess.run(words, env=many, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout.split()
    if said[1] == "1":
        pytest.skip("this machine has one core, and its linear algebra one thread")
    assert said == f"before {said[1]} crawl 1 after {said[1]} spider 1 end {said[1]}".split()
