"""What the lab leaves behind, made small: two strategies on two topics."""

from __future__ import annotations

from pathlib import Path

import msgspec

from scenthound.lab.crawls.results import ResultRow


def small_experiment(folder: Path) -> Path:
    folder.mkdir()
    (folder / "experiment.toml").write_text('generated = 100\nstrategies = ["breadth-first", "auto"]\npages = 3\n')
    rows = [
        _row(topic, strategy, better + shift)
        for topic, shift in (("cats", 0.0), ("dogs", 0.1))
        for strategy, better in (("breadth-first", 0.2), ("auto", 0.7))
    ]
    (folder / "results.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, rows)) + b"\n")
    return folder


def _row(topic: str, strategy: str, value: float) -> ResultRow:
    return ResultRow(
        key=f"{topic} {strategy}",
        web="a small web",
        topic=topic,
        strategy=strategy,
        name=strategy,
        params={},
        seed=0,
        budget=3,
        ending="pages",
        final={"target-recall": value, "recall-area": value},
        positions=[1, 2, 3],
        curves={"target-recall": [value / 3, value / 2, value], "recall-area": [0.0, value / 2, value]},
        likeness=[],
        order="0",
        seconds={},
        parsed_before=0,
        settings={},
        web_identity="w",
    )
