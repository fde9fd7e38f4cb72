"""Why a page was fetched, kept or dropped, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from scenthound.app.explanation import TOPIC, Explanation, Judgement, LabelWord, PlaceInQueue, SiteWord, WayPoint
from scenthound.cli.views.terminal_text import fit
from scenthound.frontier.random_draw import DRAWN
from scenthound.report.failure_words import in_words
from scenthound.report.formatting import count, day, plural, printable, priority, short_url

GOOD, BAD, QUIET = "green", "red", "dim"
BAR = 24
MOST_POINTS, FIRST_POINTS = 20, 5


def lines(told: Explanation) -> Iterator[Text]:
    if told.title:
        yield Text(f" {printable(told.title)}", "bold")
    yield Text(f" {printable(told.url)}", "cyan")
    yield verdict(told)
    if told.judgement is not None:
        yield from _judgement(told.judgement)
    if told.queue is not None:
        yield from _queue(told.queue)
    if told.site is not None:
        yield from _site(told.site)
    if told.way:
        yield Text()
        yield Text.assemble(
            (" The way to it", "bold"), (f"   {plural(len(told.way) - 1, 'link')}, ranked by {told.strategy}", QUIET)
        )
        yield from _way(told.way)
    if told.near:
        yield Text()
        yield Text(" Known URLs like it", "bold")
        yield from (Text(f"   {printable(near)}") for near in told.near)


def verdict(told: Explanation) -> Text:
    """The answer in one line."""
    when = Text(f" on {day(told.changed_at)}.", QUIET) if told.changed_at else Text(".")
    reason = printable(in_words(told.reason))
    answers = {
        "unknown": Text(" Never seen: no page that was fetched links to it, and it is no seed."),
        "fetched": Text(" Fetched").append_text(when),
        "moved": Text(f" Moved: the server sent us on to {printable(told.moved_to)}").append_text(when),
        "failed": Text.assemble((" Failed", "red"), f": {reason}, {plural(told.tries + 1, 'request')}").append_text(
            when
        ),
        "refused": Text.assemble((" Not asked for", "yellow"), f": {reason}").append_text(when),
        "waiting": Text.assemble(
            (" Waiting", "yellow"), " for its turn", f"; last try: {reason}" if reason else "", "."
        ),
    }
    return answers[told.state]


def _judgement(judgement: Judgement) -> Iterator[Text]:
    yield Text()
    yield _present(judgement)
    if (judgement.first_relevance, judgement.first_relevant) != (judgement.relevance, judgement.relevant):
        then = "counted" if judgement.first_relevant else "did not count"
        yield Text(f"   {judgement.first_relevance:.3f} when fetched, under the judge of then; it {then}", QUIET)
    if (label := judgement.label) is not None and label.alone is not None:
        yield Text(f"   the judge alone would say {label.alone:.3f}:", QUIET)
    most = max((abs(term.share) for term in judgement.terms), default=0.0) or 1.0
    for term in judgement.terms:
        bar = "━" * max(1, round(BAR * abs(term.share) / most))
        colour = GOOD if term.share >= 0 else BAD
        yield Text.assemble("   ", fit(printable(term.term), 22), f" {term.share:6.3f} ", (bar, colour))
    if not judgement.terms and not judgement.note:
        yield Text("   Not a word of the topic stands in it.", QUIET)
    if judgement.note:
        yield Text(f"   {judgement.note}", QUIET)


def _present(judgement: Judgement) -> Text:
    """The judgement as of now in one line: by whom, and whether it counts."""
    counts = "counts as found" if judgement.relevant else "does not count as found"
    if judgement.duplicate_of:
        counts = f"does not count: it repeats {printable(judgement.duplicate_of)}"
    colour = GOOD if judgement.relevant else "yellow"
    if (label := judgement.label) is not None:
        yes = "relevant" if label.relevant else "not relevant"
        return Text.assemble((" The judgement ", "bold"), (f"  {yes}", colour), f", {_said(label)}; {counts}")
    sign = "≥" if judgement.relevance >= judgement.threshold else "<"
    return Text.assemble(
        (" The judgement ", "bold"),
        (f"  {judgement.relevance:.3f}", colour),
        f" {sign} {judgement.threshold:g}, {counts}",
        (f"   judge: {judgement.judge}", QUIET),
    )


def _said(label: LabelWord) -> str:
    if label.by == TOPIC:
        return f"{'an example' if label.relevant else 'a counterexample'} of the topic"
    kind, _, name = label.by.partition(":")
    who = {"person": "you", "bookmarks": "your bookmarks", "list": "a list", "file": "a file", "program": name}
    return f"{printable(who.get(kind, label.by) or kind)} said so on {day(label.at)}"


def _queue(queue: PlaceInQueue) -> Iterator[Text]:
    ahead = f"{plural(queue.ahead, 'link')} ahead of it, {count(queue.ahead_on_host)} of them on its host"
    yield Text.assemble((" The queue     ", "bold"), f"  {priority(queue.priority, 4)}, {ahead}")
    listed = f', listed on "{printable(queue.listed_on)}"' if queue.listed_on else ""
    yield Text(f"   found on {plural(queue.found_on, 'page')}{listed}", QUIET)
    for reason in queue.reasons:
        yield Text.assemble(f"   {reason.part:+6.2f}  ", printable(reason.words))
    if queue.not_before:
        yield Text(f"   not to be asked again before {day(queue.not_before)}", QUIET)


def _site(site: SiteWord) -> Iterator[Text]:
    yield Text()
    if not site.pages:
        yield Text.assemble((" The site      ", "bold"), f"  {printable(site.site)} was not looked at yet")
        return
    colour = GOOD if site.relevant else "yellow"
    word = "relevant" if site.relevant else "not relevant"
    after = f"decided by {plural(site.decided_after, 'page')}" if site.decided_after else "undecided"
    after = after if site.label is None else "as its label says"
    yield Text.assemble(
        (" The site      ", "bold"),
        f"  {printable(site.site)} is ",
        (f"{word} ({site.confidence:.2f})", colour),
        f", {after}; {plural(site.pages, 'page')} of it seen",
    )


def _way(points: list[WayPoint]) -> Iterator[Text]:
    """Each page on the way, and between two of them the link that led on; of a very long way both ends."""
    hidden = len(points) - MOST_POINTS
    for number, point in enumerate(points):
        if hidden > 0 and FIRST_POINTS <= number < FIRST_POINTS + hidden:
            if number == FIRST_POINTS:
                yield Text(f"   ┊ {plural(hidden, 'page')} more", QUIET)
            continue
        if number:
            yield Text(f"   │ {_link(point)}", QUIET)
        yield _page(point)


def _link(point: WayPoint) -> str:
    kind = {"a": "link", "area": "link in an image"}.get(point.kind, point.kind)
    anchor = f" “{fit(printable(point.anchor), 60).rstrip()}”" if point.anchor else ""
    if point.priority == DRAWN:
        return f"{kind}{anchor}, drawn at random from all that waited, to know what is missing"
    return f"{kind}{anchor}, {priority(point.priority, 4)}"


def _page(point: WayPoint) -> Text:
    score = f"{point.relevance:.3f}" if point.relevance is not None else f"{point.state}"
    then = point.first_relevance
    if then is not None and point.relevance is not None and abs(then - point.relevance) >= 0.0005:
        score += f" ({then:.3f} then)"
    title = f"{fit(printable(point.title), 44).rstrip()}  " if point.title else ""
    seed = ("  a seed", QUIET) if point.kind == "seed" else ""
    return Text.assemble("   ● ", (f"{score}  ", GOOD), title, (short_url(point.url), QUIET), seed)
