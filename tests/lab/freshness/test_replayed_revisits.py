from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from scenthound.lab.freshness.page_histories import PageLife, SeenVersion
from scenthound.lab.freshness.replayed_revisits import MONTH, RevisitReplay
from scenthound.lab.measures.freshness import account
from scenthound.revisit.schedule.page_history import DAY, PageHistory
from scenthound.revisit.schedule.policies import build

SITE = "http://example.org"


def life(path: str, *days: float, gone: bool = False, **fields: object) -> PageLife:
    versions = [SeenVersion(day * DAY, gone=gone and day == days[-1], **fields) for day in days]  # type: ignore[arg-type]
    return PageLife(SITE + path, versions)


class Watching:
    """Asks as uniform does, and keeps what it was shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[float, str, int, bool]] = []
        self.uniform = build("uniform")

    def due(self, pages: Sequence[PageHistory], now: float, n: int) -> list[str]:
        for page in pages:
            assert page.since <= now
            assert all(look.at < now for look in page.sightings)
            self.shown.append((now / DAY, page.url, page.forward, page.gone))
        return self.uniform.due(pages, now, n)


def test_a_policy_sees_what_its_looks_showed_and_no_more() -> None:
    policy = Watching()
    lives = [
        PageLife(SITE + "/a", [SeenVersion(0.0, forward=1), SeenVersion(4.5 * DAY, forward=9)]),
        life("/b", 0, 20),
        life("/late", 10, 40),
    ]
    records = RevisitReplay(lives, policy, MONTH / 4).run()
    assert min(day for day, url, *_ in policy.shown if url.endswith("/late")) == 10
    first_look = next(at for at in records[0].looks if at > 4.5 * DAY) / DAY
    assert all((forward == 9) == (day > first_look) for day, url, forward, _ in policy.shown if url.endswith("/a"))


def test_everybody_has_the_same_requests() -> None:
    random = np.random.default_rng(1)
    lives = [life(f"/p{n}", 0, *sorted(random.uniform(1, 200, 9))) for n in range(12)]
    spent = {
        name: account(RevisitReplay(lives, build(name), 2.0).run()).requests
        for name in ("uniform", "pvalue", "learned")
    }
    assert len(set(spent.values())) == 1
    assert spent["uniform"] == pytest.approx(
        12 * 2 * max(each.versions[-1].at for each in lives) / DAY / MONTH, rel=0.05
    )


def test_a_page_taken_away_is_found_out_once_and_left_alone() -> None:
    record = RevisitReplay([life("/a", 0, 5, gone=True), life("/b", 0, 50)], build("uniform"), MONTH).run()[0]
    assert record.end == 5 * DAY
    assert record.looks[-1] == 5 * DAY
    assert record.useful == 1


def test_noise_counts_or_does_not() -> None:
    lives = [
        PageLife(SITE + "/a", [SeenVersion(0.0), SeenVersion(5 * DAY, new=False), SeenVersion(9 * DAY)]),
        life("/b", 0, 30),
    ]
    assert RevisitReplay(lives, build("uniform"), MONTH).run()[0].useful == 2
    calm = RevisitReplay(lives, build("uniform"), MONTH, all_bytes=False).run()[0]
    assert (calm.useful, calm.changes) == (1, [9 * DAY])


def test_links_between_pages_are_counted_as_they_were_seen() -> None:
    lives = [life("/a", 0, 9, targets=frozenset({SITE + "/b", SITE + "/not-kept"})), life("/b", 0, 30)]
    replay = RevisitReplay(lives, build("uniform"), 1.0)
    replay.run()
    assert replay.pages[SITE + "/b"].backward == 1
    assert replay.pages[SITE + "/a"].backward == 0


def test_learning_pays_where_pages_differ_and_change_together() -> None:
    """Forty quiet pages, twenty that change as one every month, ten that change all day: made up, with a fixed seed."""
    random = np.random.default_rng(7)
    together = np.cumsum(random.exponential(30, 25))
    together = together[together < 600]
    lives = [life(f"/quiet/{'x' * n}", 0, *np.cumsum(random.uniform(200, 400, 2))) for n in range(1, 41)]
    lives += [life(f"/kin{n}.html", 0, *(together + random.uniform(0, 0.2))) for n in range(20)]
    lives += [life(f"/busy/{'x' * n}", 0, *np.cumsum(random.exponential(0.8, 700))) for n in range(1, 11)]
    fresh = {
        name: account(RevisitReplay(lives, build(name), 2.0).run()).freshness.mean
        for name in ("uniform", "proportional", "pvalue", "learned")
    }
    assert fresh["learned"] == max(fresh.values())
    assert fresh["learned"] > fresh["uniform"] + 0.02
    assert fresh["proportional"] < fresh["uniform"]  # the famous result
