from __future__ import annotations

import pytest

from scenthound.config import Config
from scenthound.crawler.assemble import make_scope
from scenthound.model import Link, LinkKind
from scenthound.scope.scope import Scope
from scenthound.sites.site_scope import WithinItsSite
from tests.sites.small_sites import settings

OTHER = "another site: b.test is looked at from its homepage"


def site_scope(config: Config) -> Scope:
    return make_scope(config, also=[WithinItsSite(config.sites.kind)])


def test_links_between_sites_are_no_pages() -> None:
    scope = site_scope(settings())
    assert scope.refuses(Link("http://b.test/x", source="http://a.test/"), 1) == OTHER
    assert scope.refuses(Link("http://a.test/x", source="http://a.test/"), 1) is None
    assert scope.refuses(Link("http://b.test/x"), 1) is None  # found on no page
    assert not scope.by_url_alone


@pytest.mark.parametrize("kind", ["redirect", "refresh", "canonical"])
def test_what_stands_for_a_page_may_leave_its_site(kind: LinkKind) -> None:
    assert site_scope(settings()).refuses(Link("http://b.test/", source="http://a.test/", kind=kind), 1) is None


def test_the_users_rules_come_first() -> None:
    config = settings()
    config.scope.deny = "host:b.test"
    reason = site_scope(config).refuses(Link("http://b.test/x", source="http://a.test/"), 1)
    assert reason is not None
    assert reason.startswith("scope: deny rule")


def test_what_a_site_is_can_be_chosen() -> None:
    link = Link("http://shop.a.org/x", source="http://www.a.org/")
    assert site_scope(settings()).refuses(link, 1) is not None
    assert site_scope(settings(kind="domain")).refuses(link, 1) is None
    tenant = Link("http://h.test/~al/", source="http://h.test/~jo/")
    assert site_scope(settings()).refuses(tenant, 1) is None
    assert site_scope(settings(kind="folder")).refuses(tenant, 1) is not None
