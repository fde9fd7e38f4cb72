"""What a person has said about sites: kept in the folder's store of labels, and where to find pages of those sites.

Lists of sites, from options or settings, go into the same store as what `label` says of a host. A person's word wins
over a list's, and what a person took back is not set again by a list that was read before.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scenthound.config import Config
from scenthound.library import is_library, open_library
from scenthound.library.folder_labels import folder_labels
from scenthound.model import Label
from scenthound.protocols.library import LabelStore
from scenthound.sites import training
from scenthound.sites.definition import SiteKind, homepage, site_of
from scenthound.sites.label_check import LEAST_SITES

LIST = "list"


def site_labels(folder: Path, config: Config) -> dict[str, bool]:
    """Site -> is it relevant? The folder's labels, after the sites that the settings list were taken in."""
    store = folder_labels(folder)
    if config.sites.relevant or config.sites.other:
        kind = config.sites.kind
        named = {site_of(url, kind): relevant for url, relevant in training.named_sites(config).items()}
        store.add_labels(
            Label(site, relevant, by=LIST, kind="site")
            for site, relevant in named.items()
            if _last_listed(store, site) is not relevant
        )
    return {site: label.relevant is True for site, label in store.labels("site").items()}


def _last_listed(store: LabelStore, site: str) -> bool | None:
    words = [label.relevant for label in store.label_history(site) if label.by == LIST and label.kind == "site"]
    return words[-1] if words else None


def can_teach(labels: Mapping[str, bool]) -> bool:
    """Are there enough of each kind, that one can be held back and judged by the others?"""
    return min(list(labels.values()).count(kind) for kind in (True, False)) >= LEAST_SITES


def with_homepages(config: Config, folder: Path, labels: Mapping[str, bool]) -> Config:
    """The settings with all labelled sites as those to learn from, by the URLs they are entered at."""
    kind = config.sites.kind
    known = {site_of(url, kind): url for url in training.named_sites(config)} if config.sites.relevant else {}
    fronts = {**_seen(folder, kind), **known}
    urls = {site: fronts.get(site) or homepage(site) for site in labels}
    relevant = [urls[site] for site, said in labels.items() if said]
    return training.learning_from(config, relevant, [urls[site] for site, said in labels.items() if not said])


def _seen(folder: Path, kind: SiteKind) -> dict[str, str]:
    """The homepage of each site that the folder has a page of, spelt as the site is reached."""
    found: dict[str, str] = {}
    if is_library(folder):
        with open_library(folder, write=False) as library:
            for page in library.pages():
                site = site_of(page.url, kind)
                if site not in found:
                    found[site] = homepage(site, page.url)
    return found
