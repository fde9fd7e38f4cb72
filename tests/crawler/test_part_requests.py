"""What the scripts of a page ask for passes scope, robots.txt and the host's rest before anybody is asked."""

from collections.abc import Mapping

from scenthound.config import Config, from_dict
from scenthound.crawler.part_requests import PartRequests
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.model import Failed, Link, Response

PAGE = Link("http://a.test/")
FREE = {"politeness": {"delay": 0.0}}


class Web:
    """Answers, and remembers what it was asked for."""

    def __init__(self, answers: Mapping[str, Response | Failed]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def __call__(self, link: Link) -> Response | Failed:
        self.asked.append(link.url)
        return self.answers.get(link.url) or Failed(link.url, "status", status=404)


def ok(url: str, body: bytes = b"x", status: int = 200, **headers: str) -> Response:
    return Response(url, status, tuple(headers.items()), body)


def moved(url: str, to: str) -> Response:
    return ok(url, b"", 302, location=to)


def parts(config: Config | None = None) -> PartRequests:
    config = config or from_dict(FREE)
    return PartRequests(config, PoliteFrontier(politeness=config.politeness).side_requests, lambda: 100.0)


async def test_robots_txt_is_read_once_before_a_host_is_asked() -> None:
    web = Web({"http://b.test/1.js": ok("http://b.test/1.js"), "http://b.test/2.js": ok("http://b.test/2.js")})
    ask = parts()
    for name in ("1.js", "2.js"):
        assert isinstance(await ask(PAGE, Link(f"http://b.test/{name}", kind="part"), web), Response)
    assert web.asked == ["http://b.test/robots.txt", "http://b.test/1.js", "http://b.test/2.js"]


async def test_what_robots_txt_denies_is_not_asked_for() -> None:
    rules = ok("http://b.test/robots.txt", b"User-agent: *\nDisallow: /private")
    web = Web({"http://b.test/robots.txt": rules})
    assert await parts()(PAGE, Link("http://b.test/private.js", kind="part"), web) == "robots"
    assert web.asked == ["http://b.test/robots.txt"]


async def test_a_host_whose_robots_txt_cannot_be_read_is_not_asked() -> None:
    web = Web({"http://b.test/robots.txt": Failed("http://b.test/robots.txt", "timeout", "silence", retry=True)})
    assert await parts()(PAGE, Link("http://b.test/1.js", kind="part"), web) == "timeout: silence"
    assert web.asked == ["http://b.test/robots.txt"]


async def test_what_is_out_of_scope_is_not_asked_for() -> None:
    for scope in ({"deny": "host:b.test"}, {"allow": "host:a.test"}):
        web = Web({})
        answer = await parts(from_dict({**FREE, "scope": scope}))(PAGE, Link("http://b.test/1.js", kind="part"), web)
        assert isinstance(answer, str)
        assert not web.asked


async def test_each_redirect_is_a_request_of_its_own() -> None:
    web = Web(
        {
            "http://b.test/1.js": moved("http://b.test/1.js", "http://c.test/1.js"),
            "http://c.test/1.js": ok("http://c.test/1.js"),
            "http://c.test/robots.txt": ok("http://c.test/robots.txt", b"User-agent: *\nDisallow: /2"),
            "http://b.test/2.js": moved("http://b.test/2.js", "http://c.test/2.js"),
        }
    )
    ask = parts()
    assert isinstance(await ask(PAGE, Link("http://b.test/1.js", kind="part"), web), Response)
    assert await ask(PAGE, Link("http://b.test/2.js", kind="part"), web) == "robots"
    assert "http://c.test/2.js" not in web.asked


async def test_redirects_come_to_an_end() -> None:
    web = Web({"http://b.test/": moved("http://b.test/", "http://b.test/")})
    assert await parts()(PAGE, Link("http://b.test/", kind="part"), web) == "redirect"
    assert web.asked.count("http://b.test/") == 5


async def test_a_robots_txt_that_lies_elsewhere_is_read_there() -> None:
    there = ok("http://c.test/rules", b"User-agent: *\nDisallow: /")
    web = Web({"http://b.test/robots.txt": moved("http://b.test/robots.txt", "http://c.test/rules"), there.url: there})
    assert await parts()(PAGE, Link("http://b.test/1.js", kind="part"), web) == "robots"
