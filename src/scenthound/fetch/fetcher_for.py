"""Who answers a crawl's requests: the only place that chooses, and the only one that makes fetchers.

fetcher_for(config)        a recording where the settings name one, or a plug-in's fetcher; else the network
network(config)            the network, whatever they name: for search services, which no recording stands in for
recording(paths)           WARC files, for those who look pages up in them
settings_for(fetcher, config)   the settings as whoever answers needs them
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from scenthound.config import Config, FetchSection, named, without_manners
from scenthound.fetch.answer import NOTHING, Wanted
from scenthound.fetch.fetchers import OpensFetcher, own_fetcher
from scenthound.fetch.logins import Logins
from scenthound.fetch.replay import ReplayFetcher
from scenthound.fetch.request_signer import RequestSigner
from scenthound.parse.document import checked_formats
from scenthound.protocols.crawl import Clock, Fetcher

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

    from scenthound.fetch.http import HttpFetcher


def fetcher_for(
    config: Config,
    *,
    recordings: Sequence[Path] = (),
    clock: Clock = time.time,
    resolver: AbstractResolver | None = None,
) -> Fetcher:
    """The fetcher of a crawl with these settings.

    `recordings` stand in for those that the settings name. `resolver`: where hosts are that the system's cannot find.
    """
    fetcher = _without_scripts(config, recordings, clock, resolver)
    if config.fetch.render == "never":
        return fetcher
    from scenthound.fetch.rendering.rendering_fetcher import RenderingFetcher

    return RenderingFetcher(fetcher, config.fetch, config.politeness, Logins(config.fetch.logins))


def _without_scripts(
    config: Config, recordings: Sequence[Path], clock: Clock, resolver: AbstractResolver | None
) -> Fetcher:
    if recorded := list(recordings) or [Path(path) for path in config.fetch.recorded]:
        settings = config.fetch
        return recording(
            recorded,
            clock=clock,
            max_bytes=settings.max_bytes,
            either_scheme=settings.either_scheme,
            wanted=checked_formats(config.scope.want),
        )
    if config.fetch.fetcher:
        opens: OpensFetcher = own_fetcher.build(*named(config.fetch.fetcher, "fetcher"))
        return opens.open(config)
    return network(config, clock=clock, resolver=resolver)


def network(config: Config, *, clock: Clock = time.time, resolver: AbstractResolver | None = None) -> HttpFetcher:
    # Imported here: the HTTP client takes longer to load than `status` takes in all, and few commands ask the network.
    from scenthound.fetch.http import HttpFetcher

    politeness = config.politeness
    return HttpFetcher(
        config.fetch,
        politeness,
        clock=clock,
        resolver=resolver,
        wanted=checked_formats(config.scope.want),
        signer=RequestSigner(Path(politeness.sign), politeness.signature_agent) if politeness.sign else None,
        logins=Logins(config.fetch.logins),
    )


def recording(
    paths: Sequence[Path],
    *,
    clock: Clock = time.time,
    max_bytes: int = FetchSection().max_bytes,
    either_scheme: bool = False,
    dated: bool = False,
    wanted: Wanted = NOTHING,
) -> ReplayFetcher:
    """`dated`: answers are of the time when they were recorded, and not of now. `wanted`: files taken beside pages."""
    return ReplayFetcher(
        paths, clock=clock, max_bytes=max_bytes, either_scheme=either_scheme, dated=dated, wanted=wanted
    )


def settings_for(fetcher: Fetcher, config: Config) -> Config:
    """Where a recording answers, no server is asked, and none needs a pause. What topic.toml says stays as it is."""
    if not getattr(fetcher, "recorded", False):
        return config
    return replace(config, politeness=without_manners(config.politeness))
