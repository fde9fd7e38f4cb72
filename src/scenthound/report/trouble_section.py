"""What brought no page, by its true kind: how often, what can be done about it, and some addresses to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scenthound import urls
from scenthound.model import reason_kind
from scenthound.protocols.library import History
from scenthound.protocols.records import LibraryCounts
from scenthound.report import charts
from scenthound.report.failure_words import kind_in_words, noindex_line, remedy
from scenthound.report.formatting import plural, short_url
from scenthound.report.markup import Html, el, safe_href, short
from scenthound.report.page_parts import MOST_REASONS, nothing, tally

EXAMPLES = 3
FailureExamples = Mapping[str, Sequence[str]]
"""Kind of failure -> some addresses that met it, of as many hosts as can be."""


def failure_examples(history: History) -> dict[str, list[str]]:
    found: dict[str, dict[str, str]] = {}
    spare: dict[str, list[str]] = {}
    for url, reason, _ in history.broken():
        kind, host = reason_kind(reason), urls.host(url)
        hosts = found.setdefault(kind, {})
        if host not in hosts and len(hosts) < EXAMPLES:
            hosts[host] = url
        elif len(more := spare.setdefault(kind, [])) < EXAMPLES:
            more.append(url)
    return {kind: [*hosts.values(), *spare.get(kind, [])][:EXAMPLES] for kind, hosts in found.items()}


def trouble_section(counts: LibraryCounts, examples: FailureExamples) -> Html:
    return el(
        "section",
        el("h2", "Failed"),
        *_failures(counts.failed, examples),
        el("h2", "Not asked for", class_="next"),
        *tally(counts.refused, "warn", "link", "left alone, by rule."),
        *([el("p", f"{noindex_line(counts.noindex)}.", class_="note")] if counts.noindex else []),
    )


def _failures(failed: Mapping[str, int], examples: FailureExamples) -> Iterator[Html]:
    if not failed:
        yield nothing("None.")
        return
    yield el("p", f"{plural(sum(failed.values()), 'request')} brought no page.", class_="note")
    ordered = sorted(failed.items(), key=lambda item: (-item[1], item[0]))
    most = ordered[0][1]
    for kind, number in ordered[:MOST_REASONS]:
        yield el("div", *_failure(kind, number, most, examples.get(kind, ())), class_="trouble")
    if rest := sum(number for _, number in ordered[MOST_REASONS:]):
        yield el("p", f"{rest:,} more, of other kinds.", class_="note")


def _failure(kind: str, number: int, most: int, examples: Sequence[str]) -> Iterator[Html]:
    words = kind_in_words(kind) or "no reason given"
    bar = el("td", charts.bar(number, number, most, "bad"), class_="track")
    row = el("tr", el("td", short(words, 80)), bar, el("td", el("b", f"{number:,}"), class_="number"))
    yield el("table", row, class_="bars")
    if hint := remedy(kind):
        yield el("p", f"{hint[0].upper()}{hint[1:]}.", class_="facts")
    if examples:
        yield el("p", *_addresses(examples), class_="facts")


def _addresses(examples: Sequence[str]) -> Iterator[Html | str]:
    for nth, url in enumerate(examples):
        yield ", " if nth else "Such as "
        href, text = safe_href(url), short(short_url(url), 70)
        yield el("a", text, href=href, rel="noopener noreferrer nofollow") if href is not None else text
