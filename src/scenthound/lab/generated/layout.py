"""Which site holds which pages: hosts, sections, islands and tunnels of a generated web, before any link.

    page numbers   0 ............................................................ pages - 1
    sites          | www.orchid-society | www.open-shelf | www.open-shelf/~orchid | ...
    sections       |home|articles|notes |home|travel|... |home|articles           |

A *site* is what shares one navigation bar: a host, or a home directory on somebody else's host. A *section* is a
run of pages on one theme whose first page lists the others. The relevant pages of a topic form *islands*:
island 0, the mainland, hangs together with the rest of the web; island k > 0 can only be entered through
tunnels of `tunnels[k - 1]` irrelevant pages. Tunnel pages lie in sections that no navigation bar lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from scenthound.errors import UsageError
from scenthound.lab.generated.hash_random import mix, share
from scenthound.lab.generated.vocabulary import BACKGROUND, PORTALS, SECTIONS, SOCIETIES, TOPICS

TOPICAL_SHARE = 0.45  # of all pages; the rest is background
DEDICATED_SHARE = 0.7  # of all hosts; the rest are portals that carry a bit of everything
MAINLAND_SHARE = 0.5  # of a topic's pages
MAX_LANES = 12


class Size(NamedTuple):
    """What the user asks for."""

    seed: int
    pages: int
    hosts: int
    topics: int
    tunnels: tuple[int, ...]


class SiteSection(NamedTuple):
    site: int
    slug: str  # empty for the home page
    theme: int  # index into vocabulary.THEMES
    island: int  # -1: belongs to no topic
    start: int
    stop: int
    listed: bool  # in the navigation bar; its first page is then its index


class GeneratedSite(NamedTuple):
    host: str
    root: str  # "" or "/~name"
    theme: int  # -1: a portal
    island: int
    start: int
    stop: int
    first: int  # its sections are sections[first:last]; the first is the home page
    last: int
    style: int  # how its URLs look, see gen_address


class Tunnel(NamedTuple):
    topic: int
    island: int
    start: int  # pages start, start + 1, ... stop - 1, walked in this order
    stop: int


class WebLayout(NamedTuple):
    sites: list[GeneratedSite]
    sections: list[SiteSection]
    tunnels: list[Tunnel]


class _Plot(NamedTuple):
    """A section to be: how large, about what."""

    slug: str
    theme: int
    island: int
    pages: int
    listed: bool = True
    topic: int = -1  # of a tunnel


def check(size: Size) -> None:
    if not 1 <= size.topics <= len(TOPICS):
        raise UsageError(f"A generated web has 1 to {len(TOPICS)} topics, not {size.topics}.")
    if size.hosts < 1:
        raise UsageError("A generated web needs at least one host.")
    if any(length < 1 for length in size.tunnels):
        raise UsageError("A tunnel is at least 1 page long; leave tunnels empty for a web without.")
    least = least_pages(size)
    if size.pages < least:
        raise UsageError(
            f"{size.pages} pages are too few for {size.topics} topics on {size.hosts} hosts: take {least} or more, "
            "or fewer topics, hosts or tunnels."
        )


def least_pages(size: Size) -> int:
    """So that every island has a core, every host a home page, every tunnel its two lanes."""
    islands = 1 + len(size.tunnels)
    return 4 * (size.topics * (8 * islands + 2 * sum(size.tunnels)) + 6 * size.hosts)


def lay_out(size: Size) -> WebLayout:
    check(size)
    portals = max(1, round(size.hosts * (1 - DEDICATED_SHARE)))
    plots: dict[tuple[str, str], list[_Plot]] = {(name, ""): [] for name in _portal_names(portals)}
    hosts = list(plots)
    for topic, homes in enumerate(_dedicated(size, portals)):
        _place_topic(size, topic, homes, hosts, plots)
    _fill_portals(size, hosts, plots)
    return _number(size, plots, portals)


def _portal_names(count: int) -> Iterator[str]:
    for k in range(count):
        round_, index = divmod(k, len(PORTALS))
        yield f"www.{PORTALS[index]}{round_ + 1 if round_ else ''}.test"


def _dedicated(size: Size, portals: int) -> list[dict[int, list[str]]]:
    """Per topic and island, the hosts of its own; the mainland is served first."""
    islands = 1 + len(size.tunnels)
    homes: list[dict[int, list[str]]] = [defaultdict(list) for _ in range(size.topics)]
    for k in range(size.hosts - portals):
        turn, topic = divmod(k, size.topics)
        round_, index = divmod(turn, len(SOCIETIES))
        name = f"www.{TOPICS[topic].slug}-{SOCIETIES[index]}{round_ + 1 if round_ else ''}.test"
        homes[topic][turn % islands].append(name)
    return homes


def _place_topic(
    size: Size,
    topic: int,
    homes: dict[int, list[str]],
    portals: list[tuple[str, str]],
    plots: dict[tuple[str, str], list[_Plot]],
) -> None:
    total = round(size.pages * TOPICAL_SHARE / size.topics * (0.7 + 0.6 * share(size.seed, 1, topic)))
    far = len(size.tunnels)
    mainland = round(total * MAINLAND_SHARE) if far else total
    embedded = max(6, round(mainland * (0.4 if homes[0] else 1.0)))
    turn = mix(size.seed, 2, topic)
    for copy in range(min(2, len(portals))):
        host = portals[(turn + copy) % len(portals)]
        plots[host].append(_Plot(TOPICS[topic].slug, topic, 0, embedded // min(2, len(portals))))
    if homes[0]:
        _settle(size, topic, 0, mainland - embedded, [(host, "") for host in homes[0]], plots)
    for island, length in enumerate(size.tunnels, 1):
        pages = max(8, (total - mainland) // far)
        elsewhere = portals[(turn + island + 1) % len(portals)][0]
        sites = [(host, "") for host in homes[island]] or [(elsewhere, f"/~{TOPICS[topic].slug}{island}")]
        _settle(size, topic, island, pages, sites, plots)
        for lane in range(min(MAX_LANES, max(2, pages // 30))):
            host = portals[(turn + island + lane) % len(portals)]
            plots[host].append(_Plot(f"archive{topic}{island}{lane}", -1, island, length, listed=False, topic=topic))


def _settle(
    size: Size,
    topic: int,
    island: int,
    pages: int,
    sites: list[tuple[str, str]],
    plots: dict[tuple[str, str], list[_Plot]],
) -> None:
    """Divides an island's pages among its sites, and each site into sections."""
    for number, site in enumerate(sites):
        own = max(6, pages // len(sites))
        count = min(6, max(1, own // 25))
        turn = mix(size.seed, 3, topic * 64 + island * 8 + number)
        names = [SECTIONS[(turn + k) % len(SECTIONS)] for k in range(count)]
        plots[site] = [_Plot(name, topic, island, max(4, (own - 1) // count)) for name in names]


def _fill_portals(size: Size, hosts: list[tuple[str, str]], plots: dict[tuple[str, str], list[_Plot]]) -> None:
    """Background sections until every page asked for has a place."""
    used = sum(plot.pages for site in plots.values() for plot in site) + len(plots)
    left = size.pages - used
    weights = [1 / (k + 3) for k in range(len(hosts))]
    for k, host in enumerate(hosts):
        last = k == len(hosts) - 1
        own = left if last else min(left, round((size.pages - used) * weights[k] / sum(weights)))
        left -= own
        count = max(1, min(5, own // 12))
        turn = mix(size.seed, 4, k)
        for part in range(count):
            pages = own // count + (part < own % count)
            theme = (turn + part) % len(BACKGROUND)
            plots[host].append(_Plot(BACKGROUND[theme].slug, len(TOPICS) + theme, -1, pages))


def _number(size: Size, plots: dict[tuple[str, str], list[_Plot]], portals: int) -> WebLayout:
    """Gives every planned page its number."""
    layout = WebLayout([], [], [])
    page = 0
    for number, ((host, root), parts) in enumerate(plots.items()):
        begin, first = page, len(layout.sections)
        portal = number < portals
        theme, island = (-1, -1) if portal else (parts[0].theme, parts[0].island)
        home = len(TOPICS) + mix(size.seed, 5, number) % len(BACKGROUND) if portal else theme
        layout.sections.append(SiteSection(number, "", home, island, page, page + 1, True))
        page += 1
        for part in parts:
            stop = page + part.pages
            layout.sections.append(
                SiteSection(number, part.slug, part.theme, part.island if part.listed else -1, page, stop, part.listed)
            )
            if not part.listed:
                layout.tunnels.append(Tunnel(part.topic, part.island, page, stop))
            page = stop
        style = mix(size.seed, 6, number) % 4
        layout.sites.append(GeneratedSite(host, root, theme, island, begin, page, first, len(layout.sections), style))
    return layout
