"""Which sites a generated web of sites has, what each is about, and whom it links to.

    share      sites
    60 in 100  companies and departments of the classes: a topic each, `classes` of them
    36 in 100  everything else there is on the web: local papers, travel, cooking
     4 in 100  directories: lists of sites by class, mostly right

A link to another site leads to one of the same class in two of three cases, to a neighbouring class, a directory
or just anywhere otherwise: related sites are connected, and not only they.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from msgspec import Struct

from scenthound.lab.generated.hash_random import mix, share
from scenthound.lab.generated.prose import kin_of
from scenthound.lab.generated.vocabulary import BACKGROUND, THEMES, TOPICS

Front = Literal["telling", "vague", "splash", "frames"]
"""A homepage that says what the site is, one that says little, one that says `enter`, and one that is all frames."""

DIRECTORY = -1
"""The theme of a site that lists others."""

TOPICAL, LISTED = 0.60, 0.04
FRONTS: tuple[tuple[Front, float], ...] = (("telling", 0.45), ("vague", 0.20), ("splash", 0.15), ("frames", 0.20))
OFFERS = ("products", "services", "projects", "collection")
_NAMES = (
    "alder ash birch brook cedar cliff crane dale dell elm falcon fen field fox glen grove harbour hart hawk heath"
    " hill holm iron keel lake larch linden marsh mill moor north oak otter park pine raven reed ridge rowan south"
    " stone thorn vale wren"
)
NAMES = _NAMES.split()
KINDS = ("works", "house", "group", "and-sons", "institute", "partners", "supply", "studio", "department", "trust")


class PlannedSite(Struct, frozen=True):
    """One site. `root` is empty, or the folder it has on a host that many share."""

    number: int
    theme: int  # index into THEMES, or DIRECTORY
    host: str
    root: str
    front: Front
    offer: str  # the folder of its main pages
    offers: int
    news: int
    people: int  # pages of its people, each about what that person likes

    @property
    def homepage(self) -> str:
        return f"http://{self.host}{self.root}/"

    @property
    def key(self) -> str:
        """As `sites.definition.site_of` names it: by host, or by host and folder for one that has no host."""
        return self.host + self.root

    @property
    def name(self) -> str:
        label = self.root[2:] if self.root else self.host.removeprefix("www.").removesuffix(".test")
        return label.replace("-", " ").title()


class SitePlan:
    """All sites of a web. `tenants` of them have no host of their own but a folder on a shared one."""

    def __init__(self, seed: int, sites: int, classes: int, tenants: int = 0) -> None:
        if sites < 1 or not 1 <= classes <= len(TOPICS):
            raise ValueError(f"a web of sites needs a site or more, and 1 to {len(TOPICS)} classes")
        self.seed = seed
        self.classes = classes
        self._tenants = tenants
        self.sites = [self._site(number, sites) for number in range(sites)]

    def _site(self, number: int, sites: int) -> PlannedSite:
        bits = mix(self.seed, 1, number)
        theme = self._theme(number)
        name = f"{NAMES[bits % len(NAMES)]}-{KINDS[(bits >> 8) % len(KINDS)]}-{number}"
        shared = theme >= 0 and share(self.seed, 2, number) * sites < self._tenants
        return PlannedSite(
            number=number,
            theme=theme,
            host=f"www.homepages-{number % 3}.test" if shared else f"www.{name}.test",
            root=f"/~{name}" if shared else "",
            front="telling" if theme < 0 else _drawn(FRONTS, share(self.seed, 3, number)),
            offer=OFFERS[(bits >> 16) % len(OFFERS)],
            offers=3 + (bits >> 24) % 14,
            news=2 + (bits >> 32) % 6,
            people=(bits >> 40) % 4,
        )

    def _theme(self, number: int) -> int:
        """By turns, so that classes have the same number of sites, give or take one; the order is no hint."""
        place = share(self.seed, 0, number // 25) * 25 + number % 25  # a turn of 25 sites, begun anywhere
        turn = int(place) % 25
        if turn < round(LISTED * 25):
            return DIRECTORY
        if turn < round((LISTED + TOPICAL) * 25):
            return (number // 25 * 15 + turn - 1) % self.classes
        return len(TOPICS) + (number // 25 * 9 + turn) % len(BACKGROUND)

    @cached_property
    def members(self) -> dict[int, list[PlannedSite]]:
        """Theme -> its sites."""
        found: dict[int, list[PlannedSite]] = {}
        for site in self.sites:
            found.setdefault(site.theme, []).append(site)
        return found

    def related(self, site: PlannedSite, slot: int) -> PlannedSite:
        """The site that link number `slot` of a site leads to; it may be the site itself, which then has one less."""
        number = site.number << 12 | slot
        die, pick = share(self.seed, 4, number), mix(self.seed, 5, number)
        group = self.sites
        if die < 0.65:
            group = self.members[site.theme]
        elif die < 0.75 and 0 <= site.theme < len(TOPICS):
            group = self.members.get(kin_of(site.theme), group)
        elif die < 0.85:
            group = self.members.get(DIRECTORY, group)
        return group[pick % len(group)]

    def listed(self, directory: PlannedSite, theme: int) -> list[PlannedSite]:
        """What a directory has under a theme: six in ten of its sites, and a few that do not belong."""
        own = [
            site
            for site in self.members.get(theme, [])
            if share(self.seed, 6, directory.number << 20 | site.number) < 0.6
        ]
        strays = [
            self.sites[mix(self.seed, 7, directory.number << 20 | theme << 12 | slot) % len(self.sites)]
            for slot in range(len(own) // 10)
        ]
        return own + [site for site in strays if site.theme >= 0]

    @property
    def themes(self) -> list[int]:
        """What directories list, in order."""
        return [theme for theme in range(len(THEMES)) if theme in self.members]


def _drawn(odds: tuple[tuple[Front, float], ...], die: float) -> Front:
    for name, chance in odds:
        if die < chance:
            return name
        die -= chance
    return odds[-1][0]
