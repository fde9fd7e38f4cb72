"""Pages that show nothing until their scripts have run are told from pages that are merely short."""

import pytest

from scenthound.model import Response
from scenthound.parse.made_by_scripts import made_by_scripts
from scenthound.parse.page import parse

SHELLS = {
    "a root and a bundle": "<title>Reefs</title><body><div id=root></div><script src=/app.js></script>",
    "a wait": "<body><app-root>Loading ...</app-root><script type=module src=main.js></script>",
    "a plea": "<body><noscript>You need to enable JavaScript to run this app.</noscript><script src=a.js></script>",
    "a plea and a footer": "<body><noscript><p>Please turn on JavaScript.</p></noscript><script>start()</script>"
    "<footer>Reef Watch, 12 Shore Road, Port Something. All rights reserved. <a href=/a>About</a> <a href=/b>Terms</a> "
    "<a href=/c>Privacy</a></footer>",
    "text in a script": f"<body><script>{'words ' * 500}</script>",
}
PAGES = {
    "no script": "<body><div id=root></div>",
    "text": f"<body><script src=/count.js></script><p>{'Corals bleach in warm water. ' * 5}",
    "a list of links": "<body><script src=/count.js></script>" + "".join(f"<a href=/{n}>{n}</a> " for n in range(5)),
    "frames": "<body><script src=/count.js></script><iframe src=/inside></iframe>",
    "sent on": '<meta http-equiv=refresh content="0; url=/there"><body><script src=/count.js></script>',
    "a plea on a full page": f"<body><noscript>JavaScript makes this nicer</noscript><script></script>{'word ' * 400}",
}


def answer(html: str) -> Response:
    return Response("http://a.test/", 200, (("Content-Type", "text/html"),), html.encode())


@pytest.mark.parametrize("html", SHELLS.values(), ids=SHELLS)
def test_shells(html: str) -> None:
    assert made_by_scripts(answer(html))
    assert parse(answer(html)).needs_scripts


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_pages(html: str) -> None:
    assert not made_by_scripts(answer(html))
    assert not parse(answer(html)).needs_scripts
