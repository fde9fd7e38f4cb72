"""The picture of a comparison of policies: a dot with its interval for each, a panel a budget, as one SVG file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.lab.statistics import Estimate
from scenthound.report.markup import Html, el, join

_ROW, _LEFT, _PANEL, _GAP, _TOP = 24, 120, 200, 24, 44
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#24292f}.h{font-weight:600}.t{font-size:11px;fill:#57606a}"
    ".g{stroke:#d0d7de}.i{stroke:#57606a;stroke-width:2}.d{fill:#57606a}.best .i{stroke:#0969da}.best .d{fill:#0969da}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.t{fill:#9198a1}.g{stroke:#3d444d}"
    ".i{stroke:#9198a1}.d{fill:#9198a1}.best .i{stroke:#4493f8}.best .d{fill:#4493f8}}"
)


def dots(title: str, panels: Mapping[str, Mapping[str, Estimate]], best: str) -> str:
    """`panels`: by its heading, each policy's mean with its interval; `best` is drawn in colour."""
    rows = list(next(iter(panels.values()), {}))
    width = _LEFT + len(panels) * (_PANEL + _GAP)
    height = _TOP + len(rows) * _ROW + 30
    names = (el("text", row, x=0, y=_TOP + index * _ROW + 5) for index, row in enumerate(rows))
    drawn = [
        _panel(heading, estimates, rows, _LEFT + number * (_PANEL + _GAP), best)
        for number, (heading, estimates) in enumerate(panels.items())
    ]
    picture = el(
        "svg",
        el("title", title),
        Html(f"<style>{_STYLE}</style>"),
        *names,
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"-8 0 {width + 16} {height}",
        role="img",
    )
    return f"{picture}\n"


def _panel(heading: str, estimates: Mapping[str, Estimate], rows: Sequence[str], left: int, best: str) -> Html:
    low = min(each.low for each in estimates.values())
    high = max(each.high for each in estimates.values())
    margin = (high - low or 1.0) * 0.05
    low, high = low - margin, high + margin

    def at(value: float) -> float:
        return round(left + _PANEL * (value - low) / (high - low), 1)

    bottom = _TOP + len(rows) * _ROW
    marks = [low + margin, (low + high) / 2, high - margin]
    grid = "".join(f"M{at(mark)} {_TOP - 12}V{bottom - 8}" for mark in marks)
    lanes = [
        el(
            "g",
            el("title", f"{row}: {each.mean:.3f} [{each.low:.3f}, {each.high:.3f}]"),
            el("path", d=f"M{at(each.low)} {_TOP + index * _ROW}H{at(each.high)}", class_="i"),
            el("circle", cx=at(each.mean), cy=_TOP + index * _ROW, r=5, class_="d"),
            class_="best" if row == best else None,
        )
        for index, row in enumerate(rows)
        if (each := estimates.get(row)) is not None
    ]
    return join(
        el("text", heading, x=left, y=18, class_="h"),
        el("path", d=grid, class_="g"),
        *lanes,
        *(el("text", f"{mark:.2f}", x=at(mark), y=bottom + 8, class_="t", text_anchor="middle") for mark in marks),
    )
