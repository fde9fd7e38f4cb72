"""Reliability diagrams of several webs side by side, as one SVG file for a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.lab.measures.judgements import ReliabilityBin
from scenthound.report.markup import Html, el, join

Diagram = Sequence[ReliabilityBin]

_LEFT, _TOP, _SIDE, _GAP, _BOTTOM = 34, 30, 180, 30, 40
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#24292f}.h{font-weight:600}.t{font-size:11px;fill:#57606a}"
    ".g{stroke:#d0d7de;fill:none}.ideal{stroke:#57606a;stroke-dasharray:3 4}"
    ".l{stroke:#9aa4ae;fill:none;stroke-width:1.5}.main{stroke:#0969da;stroke-width:2.5}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.t{fill:#9198a1}.g{stroke:#3d444d}.ideal{stroke:#9198a1}"
    ".l{stroke:#6a737d}.main{stroke:#4493f8}}"
)


def reliability_picture(title: str, panels: Mapping[str, Mapping[str, Diagram]], main: str) -> str:
    """`panels`: by its heading, the diagram of each judge; `main` is drawn in colour, above the others."""
    width = _LEFT + len(panels) * (_SIDE + _GAP)
    drawn = [
        _panel(heading, diagrams, _LEFT + number * (_SIDE + _GAP), main)
        for number, (heading, diagrams) in enumerate(panels.items())
    ]
    picture = el(
        "svg",
        el("title", title),
        Html(f"<style>{_STYLE}</style>"),
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {_TOP + _SIDE + _BOTTOM}",
        role="img",
    )
    return f"{picture}\n"


def _panel(heading: str, diagrams: Mapping[str, Diagram], left: int, main: str) -> Html:
    def at(x: float, y: float) -> str:
        return f"{left + _SIDE * x:.1f} {_TOP + _SIDE * (1 - y):.1f}"

    def line(judge: str, diagram: Diagram) -> Html:
        path = "M" + "L".join(at(each.score, each.relevant) for each in diagram) if diagram else ""
        return el("path", el("title", judge), d=path, class_="l main" if judge == main else "l")

    ordered = sorted(diagrams.items(), key=lambda each: each[0] == main)
    marks = (0.0, 0.5, 1.0)
    bottom = _TOP + _SIDE
    return join(
        el("text", heading, x=left, y=18, class_="h"),
        el("path", d="".join(f"M{at(0, y)}L{at(1, y)}M{at(y, 0)}L{at(y, 1)}" for y in marks), class_="g"),
        el("path", d=f"M{at(0, 0)}L{at(1, 1)}", class_="ideal"),
        *(line(judge, diagram) for judge, diagram in ordered),
        *(
            el("text", f"{mark:g}", x=left + _SIDE * mark, y=bottom + 16, class_="t", text_anchor="middle")
            for mark in marks
        ),
        *(
            el("text", f"{mark:g}", x=left - 6, y=_TOP + _SIDE * (1 - mark) + 4, class_="t", text_anchor="end")
            for mark in marks
        ),
        el("text", "score", x=left + _SIDE / 2, y=bottom + 32, class_="t", text_anchor="middle"),
    )
