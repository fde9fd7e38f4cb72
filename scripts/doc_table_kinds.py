"""The kinds of tables that docs/ has, from result files to Markdown. `scripts/doc_tables.py` puts them in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from scripts import doc_results
from scripts.doc_claims import CLAIMS, ours_beside_published, verdicts
from scripts.doc_labels import BOUNDS, EVERY_WEB, WEBS, spelt, taught, untaught
from scripts.doc_results import LEADING, KeptResult, against, by_label, corrected, difference_text, one_to_one, read

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.lab.report.tables import markdown_table, number, p_value, with_interval
from scenthound.lab.statistics import Comparison

NOT_YET = "not measured yet"
LIKENESS = (
    "precision-0.5", "precision-0.6", "precision-0.7", "precision-0.8",
    "maximum-average-similarity", "mean-maximum-similarity", "apr",
)  # fmt: skip

Rows = Mapping[str, KeptResult]


# --- tables ---------------------------------------------------------------------------------------------------------


def forms(what: str) -> list[str]:
    """Every strategy (or judge) that a document describes: as published and ours, on both webs."""
    judges = what == "judges"
    kind, figure = (registry.judge, "f1") if judges else (registry.strategy, LEADING)
    webs = [{row.label: row for row in _forms_rows(web, judges, what)} for web in WEBS]
    lines: list[list[str]] = []
    for name in _names_in(what):
        for form, params in kind.presets(name).items():
            label = f"{name}(published={form})" if not judges else f"{name}(published=true)"
            cells = [_form_cells(rows, name, label if params else name, figure) for rows in webs]
            lines.append([f"`{name}`", f"`{form}`", *(cell for web in cells for cell in web or [NOT_YET, "", ""])])
    head = ["", "form", *(f"{web}, {part}" for web in WEBS for part in ("published", "ours", "ours - published"))]
    told = [line for web, rows in zip(WEBS, webs, strict=True) for line in _beside(web, rows, figure)]
    told += _unproven(webs, figure)
    return [*markdown_table(head, lines), "", _told([row for rows in webs for row in rows.values()]), *told]


def _names_in(what: str) -> list[str]:
    """Whom a table is about; who is not measured has a line all the same, that says so."""
    if what == "judges":
        return registry.judge.names()
    measured = {label.partition("(")[0] for label in (taught() if what == "taught" else untaught())}
    return [name for name in registry.strategy.names() if name in measured]


def _beside(web: str, rows: Rows, figure: str) -> list[str]:
    """What the rows of a web come to, in words."""
    if not rows:
        return []
    better, worse = ours_beside_published(rows, figure)
    return [
        "",
        f"On {web}, by interval and test (Holm), ours is better than {named(better)}; worse than {named(worse)}.",
    ]


def _unproven(webs: Sequence[Rows], figure: str) -> list[str]:
    """Published forms that ours differs from without being shown to be better: a choice of ours, and no finding."""
    if not all(webs):
        return []
    forms = {label for rows in webs for label in rows if "(published=" in label and "features=" not in label}
    better = {label for rows in webs for label in ours_beside_published(rows, figure)[0]}
    left = sorted(forms - better)
    return ["", f"On neither web is ours shown to be better than {named(left)}."] if left else []


def _forms_rows(web: str, judges: bool, what: str) -> list[KeptResult]:
    """Learners were taught, the others had examples: each is in one table alone, beside those of its kind."""
    if judges:
        return [row for row in read(f"judges-{web}") if row.given == "examples"]
    return read(f"{'taught' if what == 'taught' else 'forms'}-{web}")


def _form_cells(rows: Rows, ours: str, published: str, figure: str) -> list[str]:
    if ours not in rows or published not in rows:
        return []
    if ours == published:
        return [with_interval(rows[ours].estimate(figure)), "the same", ""]
    found = against({label: rows[label] for label in (ours, published)}, published, figure)[ours]
    estimates = [with_interval(rows[label].estimate(figure)) for label in (published, ours)]
    return [*estimates, f"{difference_text(found)}, p {p_value(found.p)}"]


def leaderboard(web: str) -> list[str]:
    """Every strategy that needs no teacher, best first, against `best-first`."""
    rows = by_label(read(f"forms-{web}"))
    compared = against(rows, "best-first")
    head = ["strategy", "recall area", "final recall", "harvest rate", "difference", "p (Holm)", "clear",
            "wins/ties/losses", "requests"]  # fmt: skip
    lines = []
    for label, row in _best_first(rows):
        found = compared.get(label)
        cells = [with_interval(row.estimate(each)) for each in (LEADING, "target-recall", "harvest-rate")]
        lines.append([
            _shown(label, rows), *cells, *_compared(found),
            f"{found.wins}/{found.ties}/{found.losses}" if found else "",
            number(row.estimate("requests").mean, 0),
        ])  # fmt: skip
    return [*markdown_table(head, lines), "", _told(rows.values()) + _missed(untaught(), rows)]


def learners(web: str) -> list[str]:
    """Every learner and what needs no teacher, by recall and by likeness to the targets."""
    rows = by_label(read(f"taught-{web}"))
    head = ["", "recall area", "final recall", "P 0.5", "P 0.6", "P 0.7", "P 0.8", "max avg", "avg max", "APR"]
    lines = [
        [_shown(label, rows), with_interval(row.estimate()), number(row.estimate("target-recall").mean, 2),
         *(number(row.estimate(each).mean, 2 if each == "apr" else 3) for each in LIKENESS)]
        for label, row in _best_first(rows)
    ]  # fmt: skip
    return [*markdown_table(head, lines), "", _told(rows.values()) + _missed(taught(), rows)]


def differences(web: str, *rivals: str) -> list[str]:
    """Every learner against rivals: difference, wins / losses, p without and with Holm; bold where all agree."""
    rows = by_label(read(f"taught-{web}"))
    compared = {rival: against(rows, rival) for rival in rivals}
    lines = [
        [f"`{label}`", *(_full(compared[rival].get(label)) for rival in rivals)]
        for label, _ in _best_first(rows)
        if label not in (*BOUNDS, *rivals)
    ]
    return markdown_table(["", *(f"against `{rival}`" for rival in rivals)], lines)


def condition(*rivals: str) -> list[str]:
    """Who is ahead of all rivals, by interval and by test: neither alone is taken for a finding."""
    lines = []
    for web in WEBS:
        rows = by_label(read(f"taught-{web}"))
        compared = [against(rows, rival) for rival in rivals]
        ahead = [label for label, _ in _best_first(rows) if all(_ahead(each.get(label)) for each in compared)]
        alone = [
            label for label, _ in _best_first(rows)
            if label not in ahead and all(_interval_ahead(each.get(label)) for each in compared)
        ]  # fmt: skip
        lines.append([web, named(ahead) if rows else NOT_YET, named(alone) if rows else NOT_YET])
    return markdown_table(["", "interval above zero and p (Holm) below 0.05", "interval alone"], lines)


def pairs(*compared: str) -> list[str]:
    """Single comparisons, `ours~theirs`, on both webs, each a question of its own: p is not corrected."""
    lines = []
    for pair in compared:
        ours, _, theirs = pair.partition("~")
        cells = []
        for web in WEBS:
            rows = by_label(read(f"taught-{web}"))
            found = one_to_one(rows, ours, theirs)
            cells.append(f"{difference_text(found)}, p {p_value(found.p)}" if found else NOT_YET)
        lines.append([f"`{ours}` - `{theirs}`", *cells])
    return markdown_table(["difference in recall area", *WEBS], lines)


def claims(whose: str) -> list[str]:
    """What the documents say is better than what, and whether it is so here: by interval and test, as everywhere."""
    webs = [verdicts(CLAIMS[whose], web) for web in WEBS]
    lines = [
        [claim.source, claim.says, f"`{claim.better}` - `{claim.worse}`", *(told[place] or NOT_YET for told in webs)]
        for place, claim in enumerate(CLAIMS[whose])
    ]
    return markdown_table(["source", "claim", "difference in recall area", *WEBS], lines)


def features(web: str) -> list[str]:
    """What words tell, and what all else does: each set of features against all of them; p (Holm) over the table."""
    rows = by_label([*read(f"taught-{web}"), *read(f"features-{web}")])
    wholes = {
        label: re.sub(r"features=[\w-]+(, )?", "", label).replace("()", "") for label in rows if "features=" in label
    }
    found = {label: one_to_one(rows, label, whole) for label, whole in wholes.items()}
    together = corrected({label: one for label, one in found.items() if one is not None})
    lines = [
        [f"`{label}`", with_interval(rows[label].estimate()), f"`{whole}`", _full(together.get(label))]
        for label, whole in wholes.items()
    ]
    head = ["", "recall area", "all features", "difference"]
    return [*markdown_table(head, lines), "", _told([rows[label] for label in wholes])] if lines else [NOT_YET]


def noise(web: str) -> list[str]:
    """Recall area by the share of training pages that were put into a wrong state."""
    clean, noisy = by_label(read(f"taught-{web}")), read(f"noise-{web}")
    shares = sorted({row.noise for row in noisy})
    lines = []
    for label in dict.fromkeys(row.label for row in noisy):
        cells = [number(clean[label].estimate().mean) if label in clean else NOT_YET]
        for share in shares:
            row = next((row for row in noisy if row.label == label and row.noise == share), None)
            found = (
                one_to_one({"noisy": row, "clean": clean[label]}, "noisy", "clean") if row and label in clean else None
            )
            cells.append(f"{number(row.estimate().mean)} ({difference_text(found)})" if row and found else NOT_YET)
        lines.append([f"`{label}`", *cells])
    return markdown_table(["", "0 %", *(f"{share:.0%}" for share in shares)], lines) if lines else [NOT_YET]


def auto(given: str) -> list[str]:
    """The default strategy beside the best of the others, with the same help for all."""
    webs = {web: rows for web in EVERY_WEB if (rows := by_label(read(f"auto-{given}-{web}")))}
    labels = dict.fromkeys(label for rows in webs.values() for label in rows)
    lines = []
    for label in labels:
        best = {web: max(row.estimate().mean for row in rows.values()) for web, rows in webs.items()}
        cells = [_told_best(rows.get(label), best[web]) for web, rows in webs.items()]
        lines.append([f"`{label}`", *cells])
    return [*markdown_table(["", *webs], lines), "", _told([row for rows in webs.values() for row in rows.values()])]


def parts() -> list[str]:
    """`auto` without each of its parts: recall area, and the difference that makes."""
    webs = {web: rows for web in EVERY_WEB if (rows := by_label(read(f"parts-{web}")))}
    lines = []
    for label in dict.fromkeys(label for rows in webs.values() for label in rows):
        cells = []
        for rows in webs.values():
            found = one_to_one(rows, label, "auto") if label != "auto" else None
            mean = number(rows[label].estimate().mean) if label in rows else NOT_YET
            cells.append(f"{mean}, {difference_text(found)}" if found else mean)
        left_out = label.removeprefix("auto(without=").removesuffix(")").replace("+", ", ")
        lines.append(["nothing" if label == "auto" else left_out, *cells])
    return markdown_table(["without", *webs], lines) if lines else [NOT_YET]


def next_to(base: str, *labels: str) -> list[str]:
    """Some strategies that need no teacher on both webs, and how far each is from one of them."""
    webs = [by_label(read(f"forms-{web}")) for web in WEBS]
    lines = []
    for label in (base, *labels):
        cells = []
        for rows in webs:
            found = one_to_one(rows, label, base) if label != base else None
            cells.append(with_interval(rows[label].estimate()) if label in rows else NOT_YET)
            cells.append(f"{difference_text(found)}, p {p_value(found.p)}" if found else "")
        lines.append([f"`{label}`", *cells])
    head = ["", *(cell for web in WEBS for cell in (web, f"difference to `{base}`"))]
    told = _told([row for rows in webs for label, row in rows.items() if label in (base, *labels)])
    return [*markdown_table(head, lines), "", told]


REFERENCE = {
    "breadth-first": {"webkb": "0.48 / 0.33", "schools-wikipedia": "0.02 / 0.01"},
    "best-first-page": {"webkb": "0.65 / 0.43", "schools-wikipedia": "0.63 / 0.39"},
    "best-first-anchor": {"webkb": "0.77 / 0.44", "schools-wikipedia": "0.25 / 0.16"},
    "best-first": {"webkb": "0.65 / 0.43", "schools-wikipedia": "0.66 / 0.49"},
    "oracle": {"webkb": "0.94 / 0.73", "schools-wikipedia": "0.85 / 0.78"},
    "random": {},
}
"""Final recall / recall area by a simulator that is no part of this project: given with the webs, not measured here."""


def reference() -> list[str]:
    """What another program found on the same webs, beside the lab: final recall / recall area."""
    lines = []
    for label, theirs in REFERENCE.items():
        cells = []
        for web in WEBS:
            row = by_label(read(f"forms-{web}")).get(label)
            ours = [number(row.estimate(each).mean, 2) for each in ("target-recall", LEADING)] if row else [NOT_YET]
            cells += [" / ".join(ours), theirs.get(web, "")]
        lines.append([f"`{label}`", *cells])
    return markdown_table(["", *(cell for web in WEBS for cell in (web, "reference"))], lines)


def printed(name: str, number: str) -> list[str]:
    """The table of this number, from 1, among those that a benchmark printed."""
    found = doc_results.printed_tables(name)
    if not 1 <= int(number) <= len(found):
        raise ConfigError(f"docs/results/{name}.json has {len(found)} tables, and no number {number}.")
    return found[int(number) - 1]


ALL = (
    forms,
    leaderboard,
    learners,
    differences,
    condition,
    pairs,
    claims,
    features,
    noise,
    auto,
    parts,
    next_to,
    reference,
    printed,
)
KINDS: dict[str, Callable[..., list[str]]] = {each.__name__: each for each in ALL}


def files_of(name: str) -> list[str]:
    """The result files that a table is made of."""
    kind, *arguments = name.split()
    first = arguments[0] if arguments else ""
    match kind:
        case "printed":
            return [f"{first}.json"]
        case "forms":
            start = first if first in ("taught", "judges") else "forms"
            return [f"{start}-{web}.jsonl" for web in WEBS]
        case "claims":
            starts = sorted({file for claim in CLAIMS.get(first, ()) for file in claim.files}, reverse=True)
            return [f"{start}-{web}.jsonl" for start in starts for web in WEBS]
        case "next_to" | "reference":
            return [f"forms-{web}.jsonl" for web in WEBS]
        case "condition" | "pairs":
            return [f"taught-{web}.jsonl" for web in WEBS]
        case "leaderboard":
            return [f"forms-{first}.jsonl"]
        case "auto":
            return [f"auto-{first}-{web}.jsonl" for web in (("webkb",) if first == "lessons" else EVERY_WEB)]
        case "parts":
            return [f"parts-{web}.jsonl" for web in EVERY_WEB]
        case "features" | "noise":
            return [f"{kind}-{first}.jsonl"]
    return [f"taught-{first}.jsonl"]


# --- how it is told -------------------------------------------------------------------------------------------------


def _best_first(rows: Rows) -> list[tuple[str, KeptResult]]:
    return sorted(rows.items(), key=lambda each: -each[1].estimate().mean)


def _shown(label: str, rows: Rows) -> str:
    return f"`{label}` (bound)" if label in BOUNDS else f"`{label}`"


def _told_best(row: KeptResult | None, best: float) -> str:
    if row is None:
        return NOT_YET
    mean, _, interval = with_interval(row.estimate()).partition(" ")
    return f"**{mean}** {interval}" if row.estimate().mean == best else f"{mean} {interval}"


def _compared(found: Comparison | None) -> list[str]:
    return [difference_text(found), p_value(found.p_holm), "yes" if found.clear else "no"] if found else ["", "", ""]


def _full(found: Comparison | None) -> str:
    if found is None:
        return NOT_YET
    told = f"{difference_text(found)}, {found.wins} / {found.losses}, p {p_value(found.p)} ({p_value(found.p_holm)})"
    return f"**{told}**" if found.clear else told


def _ahead(found: Comparison | None) -> bool:
    return found is not None and found.clear and found.difference.low > 0


def _interval_ahead(found: Comparison | None) -> bool:
    return found is not None and found.difference.low > 0


def named(labels: Iterable[str]) -> str:
    return ", ".join(f"`{label}`" for label in labels) or "nobody"


def _told(rows: Iterable[KeptResult]) -> str:
    rows = list(rows)
    if not rows:
        return f"({NOT_YET})"
    days = sorted({row.at[:10] for row in rows})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    return f"{_topics(rows)}; means with 95 % intervals (Student's t). Measured {when}."


def _topics(rows: Sequence[KeptResult]) -> str:
    """How many each figure is of; by web where they differ, so that nobody takes three topics for twelve."""
    sizes: dict[str, set[int]] = {}
    for row in rows:
        sizes.setdefault(row.web, set()).add(len(row.topics))
    if len(every := set().union(*sizes.values())) == 1:
        return f"{every.pop()} topics a web"
    return ", ".join(f"{' or '.join(map(str, sorted(some)))} topics of {web}" for web, some in sizes.items())


def _missed(labels: Iterable[str], rows: Rows) -> str:
    """So that nobody takes who is not in a table for one who lost."""
    missed = [label for label in (*spelt(labels), *BOUNDS) if label not in rows]
    return f" Not measured yet: {named(missed)}." if missed else ""
