from __future__ import annotations

import numpy as np
import pytest

from scenthound.revisit.schedule.beliefs import ChangeBeliefs
from scenthound.revisit.schedule.page_history import DAY, PageHistory, Sighting

SITE = "http://example.org"


def page(path: str, looks: list[tuple[float, bool]], since: float = 0.0) -> PageHistory:
    return PageHistory(SITE + path, since * DAY, [Sighting(at * DAY, changed) for at, changed in looks])


def test_pages_that_changed_at_every_look_are_believed_to_be_busy() -> None:
    busy = page("/a/x", [(day, True) for day in range(3, 60, 3)])
    quiet = page("/b/x", [(day, False) for day in range(3, 60, 3)])
    beliefs = ChangeBeliefs()
    places = beliefs.take([busy, quiet], 60 * DAY)
    fast, slow = beliefs.rates(places)
    assert fast > 0.3 > 0.02 > slow
    stale = beliefs.stale(places, [57 * DAY, 57 * DAY], 60 * DAY)
    assert stale[0] > 0.6 > 0.1 > stale[1]


def test_what_happened_to_its_kind_makes_a_page_suspect() -> None:
    """All were looked at by day 60; from day 70 on four of five turn out to have changed. What of the fifth?"""
    before = [(day, False) for day in (20.0, 40.0, 60.0)]
    changed = [page(f"/errata{n}.html", [*before, (70.0 + n, True)]) for n in range(4)]
    unchanged = [page(f"/plus{n}.html", [*before, (70.0 + n, False)]) for n in range(4)]
    suspect, other = page("/errata9.html", before), page("/plus9.html", before)
    beliefs = ChangeBeliefs()
    pages = [*changed, *unchanged, suspect, other]
    places = beliefs.take(pages, 75 * DAY)
    stale = beliefs.stale(places, [each.last for each in pages], 75 * DAY)
    assert stale[-2] > 2 * stale[-1]
    gains = beliefs.gain(places, [each.last for each in pages], 75 * DAY)
    assert gains[-2] == gains.max()


def test_built_at_once_or_day_by_day_is_the_same() -> None:
    random = np.random.default_rng(1)
    pages = [
        page(
            f"/{kind}/x",
            [(float(day), bool(random.random() < 0.3)) for day in sorted(random.choice(90, 12, False) + 1)],
        )
        for kind in "aabbbc"
    ]
    for number, each in enumerate(pages):
        each.url += str(number) * 2 + "y"
    at_once = ChangeBeliefs()
    places = at_once.take(pages, 95 * DAY)
    grown = ChangeBeliefs()
    for day in range(96):
        part = [
            PageHistory(each.url, each.since, [look for look in each.sightings if look.at <= day * DAY])
            for each in pages
        ]
        grown.take(part, day * DAY)
    last = [each.last for each in pages]
    assert grown.rates(places) == pytest.approx(at_once.rates(places))
    assert grown.gain(places, last, 99 * DAY) == pytest.approx(at_once.gain(places, last, 99 * DAY))


def test_rates_are_found_again_in_a_simulation() -> None:
    random = np.random.default_rng(2)
    rates = np.repeat([0.01, 0.05, 0.3], 20)
    pages = []
    for number, rate in enumerate(rates):
        looks, at = [], 0.0
        for _ in range(60):
            wait = float(random.uniform(2, 15))
            at += wait
            looks.append((at, bool(random.random() < -np.expm1(-rate * wait))))
        pages.append(page(f"/k{'abc'[number // 20]}/{'x' * (number % 20 + 1)}", looks))
    beliefs = ChangeBeliefs(memory=1e9)
    found = beliefs.rates(beliefs.take(pages, 700 * DAY)).reshape(3, 20).mean(axis=1)
    assert found[0] < 0.015
    assert found[1] == pytest.approx(0.05, rel=0.3)
    assert found[2] == pytest.approx(0.3, rel=0.25)


def test_strange_times_do_no_harm() -> None:
    odd = page("/a", [(5.0, True), (5.0, False), (5.2, True), (4.0, True), (900.0, False)], since=10.0)
    beliefs = ChangeBeliefs()
    places = beliefs.take([odd], 3 * DAY)
    places = beliefs.take([odd, page("/b", [], since=2000.0)], 1000 * DAY)
    assert np.isfinite(beliefs.gain(places, [900 * DAY, 2000 * DAY], 1000 * DAY)).all()
    assert len(ChangeBeliefs().take([], 0.0)) == 0
