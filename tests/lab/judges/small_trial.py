"""A web of twelve pages of which four are about ferns, and rows of results made up by hand."""

from pathlib import Path
from typing import Any

import msgspec

from scenthound.lab.judges.judge_experiment import JudgeExperiment
from scenthound.lab.judges.judge_results import JudgeRow
from scenthound.lab.judges.simulated_answers import AnswerPoint
from scenthound.lab.measures.judgements import ReliabilityBin
from tests.lab.small import HOME, page, write_web

FERNS = [f"{HOME}ferns/{n}" for n in range(6)]
OTHERS = [f"{HOME}trains/{n}" for n in range(6)]
ELSEWHERE = "http://b.test/ferns"


def write_trial(folder: Path, **settings: Any) -> JudgeExperiment:
    """Two fern pages and two others are shown as examples; one page lies out of scope."""
    ferns = {url: page(f"fern fronds and spores grow in shade, number {n}" * 3) for n, url in enumerate(FERNS)}
    others = {url: page(f"railway engines pull carriages, number {n}" * 3) for n, url in enumerate(OTHERS)}
    web = write_web(folder / "web.warc", {**ferns, **others, ELSEWHERE: page("fern fronds and spores")})
    topics = [
        {
            "name": name,
            "seeds": [HOME],
            "targets": [*targets, ELSEWHERE],
            "keywords": keywords,
            "scope": ["a.test"],
            "relevant_examples": targets[:2],
            "irrelevant_examples": [*FERNS, *OTHERS][10:] if name == "ferns" else FERNS[:2],
        }
        for name, targets, keywords in (("ferns", FERNS, "fern fronds"), ("trains", OTHERS, "railway"))
    ]
    path = folder / "topics.jsonl"
    path.write_text("\n".join(msgspec.json.encode(topic).decode() for topic in topics))
    return JudgeExperiment(**({"judges": ["keywords", "examples"], "web": [str(web)], "topics": str(path)} | settings))


def judge_row(judge: str = "auto", topic: str = "ferns", **given: Any) -> JudgeRow:
    fields: dict[str, Any] = {
        "key": f"{judge}-{topic}",
        "web": "web",
        "topic": topic,
        "judge": judge,
        "name": judge,
        "params": {},
        "given": "keywords",
        "threshold": 0.5,
        "pages": 10,
        "relevant": 4,
        "figures": {"f1": 0.5, "precision": 0.5, "recall": 0.5, "calibration-error": 0.1, "auc": None},
        "reliability": [ReliabilityBin(0.1, 0.0, 6), ReliabilityBin(0.9, 1.0, 4)],
        "answers": [AnswerPoint(0, 0, 0.5, 0.5, 0.5, 0.5), AnswerPoint(5, 2, 0.7, 0.7, 0.7, 0.7)],
        "settings": {},
        "web_identity": "warc:1",
        "software": {"scenthound": "0"},
        "machine": {"cores": 2},
        "code": "c0de",
        "at": "2026-01-01T00:00:00+00:00",
    }
    return JudgeRow(**(fields | given))
