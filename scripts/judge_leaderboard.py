"""Writes the leaderboard of judges into docs/relevance.md, between its marks, and docs/reliability.svg, from lab runs.

    ./run lab --web WEB.warc.gz --topics topics.jsonl --judges auto,keywords --answers 20 --into lab/WEB-judges
    ./run python scripts/judge_leaderboard.py lab/WEB-judges lab/OTHER-judges

What stands between the marks ends with the digest of the program that measured it, and with a seal: a digest of the
text itself. A test fails where somebody changed a figure by hand.
"""

from __future__ import annotations

import math
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from xxhash import xxh3_64_hexdigest

from scenthound.errors import ConfigError, ScenthoundError
from scenthound.lab.crawls.results import read_rows
from scenthound.lab.judges.judge_experiment import MEANING, load_judge_experiment
from scenthound.lab.judges.judge_results import LINES, JudgeRow
from scenthound.lab.report import judge_tables
from scenthound.lab.report.judge_summary import LEADING, GivenSummary, JudgeSummary, chosen_elsewhere, summarise_judges
from scenthound.lab.report.reliability_picture import reliability_picture
from scenthound.lab.report.tables import markdown_table, number

PAGE = Path(__file__).parents[1] / "docs" / "relevance.md"
PICTURE = "reliability.svg"
BEGIN = "<!-- Leaderboard of judges: made by scripts/judge_leaderboard.py; do not edit. -->"
END = "<!-- End of the leaderboard of judges. -->"
SEAL = re.compile(r"\n<!-- Seal: ([0-9a-f]{16}) -->\n$")
PROGRAM = re.compile(r"^Program: source digests? (?:`[^`]+` [0-9a-f]{16}(?:, )?)+\.$", re.MULTILINE)


def read_run(folder: Path) -> JudgeSummary:
    """The last result of every trial of a run. Results of several versions of a judge do not make one table."""
    found = {(row.judge, row.given, row.topic): row for row in read_rows(folder / LINES, JudgeRow)}
    if not found:
        raise ConfigError(f"There are no results of judges in {folder}: it is to hold {LINES}, as the lab leaves it.")
    rows = list(found.values())
    codes: dict[str, set[str]] = {}
    for row in rows:
        codes.setdefault(row.judge, set()).add(row.code)
    mixed = sorted(judge for judge, each in codes.items() if len(each) > 1)
    if mixed:
        raise ConfigError(f"{folder} mixes results of several versions of {', '.join(mixed)}: run the lab there again.")
    return summarise_judges(rows, load_judge_experiment(folder / "experiment.toml").baseline_label())


def leaderboard(runs: Sequence[tuple[Path, JudgeSummary]]) -> str:
    """All that stands between the marks, sealed."""
    parts = [_overview([summary for _, summary in runs])]
    for folder, summary in runs:
        parts.append(_web(summary))
        parts.append(f"```console\n$ {_command(folder)}\n```")
    parts.append(_program([row for _, summary in runs for row in summary.rows]))
    return sealed("\n\n".join(parts))


def _overview(summaries: Sequence[JudgeSummary]) -> str:
    """Mean F1 of every judge, on each web and from each kind of information."""
    columns = [(summary, part) for summary in summaries for part in summary.parts]
    head = ["F1", *(f"{summary.web}, {part.given}" for summary, part in columns)]
    judges = dict.fromkeys(judge for summary in summaries for judge in summary.judges)
    rows = [[judge, *(number(part.of(LEADING, judge).mean) for _, part in columns)] for judge in judges]
    rows.append(["*chosen on the other webs*", *(_chosen(columns, summary, part) for summary, part in columns)])
    return "\n".join(markdown_table(head, rows if len(summaries) > 1 and len(judges) > 1 else rows[:-1]))


def _chosen(columns: Sequence[tuple[JudgeSummary, GivenSummary]], here: JudgeSummary, of: GivenSummary) -> str:
    """The judge that is best on all other webs, from the same kind of information, and its F1 on this one."""
    parts = {summary.web: part for summary, part in columns if part.given == of.given}
    judges = dict.fromkeys(judge for part in parts.values() for judge in part.judges)
    values = {judge: {web: part.of(LEADING, judge).mean for web, part in parts.items()} for judge in judges}
    judge, f1 = chosen_elsewhere(values).get(here.web, ("", math.nan))
    return f"{number(f1)} ({judge})" if judge else "–"


def _web(summary: JudgeSummary) -> str:
    parts = [f"#### {summary.web}: {len(summary.topics)} topics, up to {summary.pages:,} pages"]
    for part in summary.parts:
        parts += [f"Judged {MEANING[part.given]}:", "\n".join(judge_tables.leaderboard_lines(summary, part))]
        parts += [f"{line}."] if (line := judge_tables.chosen_line(part)) else []
        if any(part.answers.values()):
            parts.append("F1 after so many answers to questions, on the pages not asked about:")
            parts.append("\n".join(judge_tables.answer_lines(part)))
    return "\n\n".join(parts)


def _command(folder: Path) -> str:
    plan = load_judge_experiment(folder / "experiment.toml")
    webs = " ".join(f"--web {Path(path).name}" for path in plan.web) or f"--generated {plan.generated}"
    topics = f" --topics {Path(plan.topics).name}" if plan.topics else ""
    answers = f" --answers {plan.answers}" if plan.answers else ""
    judges = ",".join(entry.label for entry in plan.entries())
    return f'scenthound lab {webs}{topics} \\\n  --judges "{judges}"{answers}'


def _program(rows: Sequence[JudgeRow]) -> str:
    """Which code was measured, judge by judge."""
    codes = dict.fromkeys((row.judge, row.code) for row in rows)
    told = ", ".join(f"`{judge}` {code}" for judge, code in codes)
    return f"Program: source digest{'s' if len(codes) > 1 else ''} {told}."


def picture(summaries: Sequence[JudgeSummary]) -> str:
    """Reliability of all judges on each web, from as much as they were given."""
    panels = {f"{summary.web}, {summary.parts[-1].given}": summary.parts[-1].reliability for summary in summaries}
    codes = ", ".join(dict.fromkeys(row.code for summary in summaries for row in summary.rows))
    return reliability_picture(f"Reliability of judges; source digests {codes}", panels, summaries[0].baseline)


def sealed(text: str) -> str:
    return f"\n{text}\n\n<!-- Seal: {xxh3_64_hexdigest(text.strip().encode())} -->\n"


def is_sealed(block: str) -> bool:
    """Whether the text between the marks is as it was written."""
    seal = SEAL.search(block)
    return seal is not None and xxh3_64_hexdigest(block[: seal.start()].strip().encode()) == seal.group(1)


def between_marks(page: str) -> str:
    _, begin, rest = page.partition(BEGIN)
    block, end, _ = rest.partition(END)
    if not begin or not end:
        raise ConfigError(f"{PAGE.name} has lost its marks: {BEGIN} and {END}")
    return block


def with_block(page: str, block: str) -> str:
    return page.replace(f"{BEGIN}{between_marks(page)}{END}", f"{BEGIN}{block}{END}")


def main(folders: Sequence[Path], page: Path = PAGE) -> None:
    runs = [(folder, read_run(folder)) for folder in folders]
    page.write_text(with_block(page.read_text(encoding="utf-8"), leaderboard(runs)), encoding="utf-8")
    page.with_name(PICTURE).write_text(picture([summary for _, summary in runs]), encoding="utf-8")
    print(f"wrote the leaderboard of judges into {page}, and {PICTURE} beside it")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Name the folders of finished runs: ./run python scripts/judge_leaderboard.py lab/WEB-judges ...")
    try:
        main([Path(folder) for folder in sys.argv[1:]])
    except (ScenthoundError, OSError, tomllib.TOMLDecodeError) as error:
        sys.exit(str(error))
