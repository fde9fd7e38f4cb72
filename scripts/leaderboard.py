"""Writes docs/leaderboard.md from finished lab runs; scripts/make_docs.py then puts it into docs/strategies.md.

./run lab --web WEB.warc.gz --topics topics.jsonl --strategies ... --baseline best-first --into lab/WEB
./run python scripts/leaderboard.py lab/WEB lab/OTHER
"""

import sys
import tomllib
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
OPENING = """## Leaderboard

Every strategy with its default parameters, measured by the [lab](lab.md): the same engine, budget and scope for all,
one seed. *Recall area* is the mean share of the targets found, over the budget; intervals are 95 %, over topics.
Differences are paired by topic, against `best-first`. A difference with p near 1 may be chance.

These are development topics, and some were looked at while strategies were made: of `intelligent` about a dozen
variants were compared on up to nine of them, and the make of the table of `blocks` and the bands of `tunnelling` were
chosen on up to ten; `embedding` is the best of seven prototypes on six topics of each web. Their figures are
optimistic. The other strategies have the constants of their sources or their first setting. Strategies that must be
trained have a leaderboard of their own in [learning.md](learning.md), since pages they were taught with cannot count
as found.
"""


def section(folder: Path) -> str:
    """Title, explanation and first table of a run's report, and how to repeat it."""
    text = (folder / "report.md").read_text(encoding="utf-8")
    plan = tomllib.loads((folder / "experiment.toml").read_text(encoding="utf-8"))
    webs = " ".join(f"--web {Path(path).name}" for path in plan.get("web", []))
    strategies = ",".join(plan["strategies"]).replace(",", ",\\\n    ")
    command = f'scenthound lab {webs} --topics topics.jsonl \\\n  --baseline best-first --strategies "{strategies}"'
    return f"{text.partition('#### All measures')[0].strip()}\n\n```console\n$ {command}\n```\n"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Name the folders of finished lab runs: ./run python scripts/leaderboard.py lab/WEB ...")
    parts = [OPENING, *(section(Path(folder)) for folder in sys.argv[1:])]
    (DOCS / "leaderboard.md").write_text("\n".join(parts), encoding="utf-8")
    print("wrote docs/leaderboard.md; now run scripts/make_docs.py")
