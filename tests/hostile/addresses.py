"""Ways to an address inside: redirects in every notation, links of every kind, names that change or look alike."""

from __future__ import annotations

from tests.hostile.names import ANSWERS, INSIDE
from tests.hostile.server import MEETINGS, Exchange, Habit, Meeting, habit, honest, register
from tests.hostile.wire import move

# Redirects to INSIDE. What stands in place of {port} is the port somebody listens at there.
NOTATIONS = {
    "plain": "http://127.0.0.2:{port}/",
    "decimal": "http://2130706434:{port}/",
    "octal": "http://0177.0.0.02:{port}/",
    "octal-whole": "http://017700000002:{port}/",
    "hex": "http://0x7f000002:{port}/",
    "hex-parts": "http://0x7f.0x0.0x0.0x2:{port}/",
    "mixed-parts": "http://0x7f.0.02:{port}/",
    "two-parts": "http://127.2:{port}/",
    "three-parts": "http://127.0.2:{port}/",
    "zero": "http://0:{port}/",
    "zeros": "http://0.0.0.0:{port}/",
    "mapped": "http://[::ffff:127.0.0.2]:{port}/",
    "mapped-hex": "http://[0:0:0:0:0:ffff:7f00:2]:{port}/",
    "compatible": "http://[::127.0.0.2]:{port}/",
    "nat64": "http://[64:ff9b::127.0.0.2]:{port}/",
    "6to4": "http://[2002:7f00:2::]:{port}/",
    "loopback6": "http://[::1]:{port}/",
    "unspecified6": "http://[::]:{port}/",
    "link-local6": "http://[fe80::1]:{port}/",
    "user": "http://neighbour.test@127.0.0.2:{port}/",
    "user-and-port": "http://neighbour.test:80@127.0.0.2:{port}/",
    "final-dot": "http://127.0.0.2.:{port}/",
    "escaped": "http://%31%32%37.0.0.2:{port}/",
    "full-width": "http://１２７.０.０.２:{port}/",
    "circled": "http://①②⑦.⓪.⓪.②:{port}/",
    "other-dots": "http://127。0｡0．2:{port}/",
    "tab": "http://127.0\t.0.2:{port}/",
    "backslashes": "http:\\\\127.0.0.2:{port}\\",
    "no-scheme": "//127.0.0.2:{port}/",
    "no-slashes": "https:127.0.0.2:{port}/",
    "upper-case": "HTTP://LOCALHOST:{port}/",
    "localhost": "http://localhost.:{port}/",
    "below-localhost": "http://app.localhost:{port}/",
}


def _redirect_to(target: str) -> Habit:
    async def act(exchange: Exchange) -> None:
        await move(exchange, target.replace("{port}", str(exchange.inside_port)))

    return act


for notation, target in NOTATIONS.items():
    register(f"redirect-inside-{notation}", _redirect_to(target))


# Other ways


@habit
async def refresh_inside(exchange: Exchange) -> None:
    target = f"http://2130706434:{exchange.inside_port}/"
    await exchange.answer(f'<title>refresh</title><meta http-equiv="refresh" content="0; url={target}"><p>go')


@habit
async def canonical_inside(exchange: Exchange) -> None:
    target = f"http://[::ffff:127.0.0.2]:{exchange.inside_port}/"
    await exchange.answer(f'<title>canonical</title><link rel="canonical" href="{target}"><p>go')


@habit
async def frame_inside(exchange: Exchange) -> None:
    target = f"http://127.2:{exchange.inside_port}/"
    await exchange.answer(f'<title>frames</title><frameset><frame src="{target}"></frameset>')


@habit
async def base_inside(exchange: Exchange) -> None:
    """Every relative link of the page leads inside."""
    base = f"http://{INSIDE}:{exchange.inside_port}/"
    await exchange.answer(f'<title>base</title><base href="{base}"><a href="admin">a</a><a href="/status">b</a>')


@habit
async def lookalike_links(exchange: Exchange) -> None:
    """Hosts that look like the neighbour's, and spellings of the neighbour's that do not."""
    hosts = [
        "neighb\u043eur.test",  # a Cyrillic o
        "ne\u0456ghbour.test",  # a Ukrainian i
        "ne\u00adighbour.test",  # a soft hyphen, which names do not have: the neighbour
        "ｎｅｉｇｈｂｏｕｒ.test",  # the neighbour in wide letters
        "neighbour。test",  # with the full stop of Chinese
        "NEIGHBOUR.TEST.",
        "n%65ighbour.test",
        "neighbour\u200b.test",  # a space of no width
        "neighbour\u2024test",  # a dot that is none
        "neighbour\u2215.test",  # a slash that is none
        "user@neighbour.test",
        "neighbour.test\\@lookalike-links.test",
    ]
    await exchange.answer("<title>alike</title>" + "".join(f'<a href="http://{host}/1">x</a>' for host in hosts))


# Names: see names.py for what they resolve to


async def _ordinary(exchange: Exchange) -> None:
    await exchange.answer(honest(exchange.host.removesuffix(".test")))


@habit
async def dns_rebinding(exchange: Exchange) -> None:
    """Ends every connection, and links to another port of itself: both make a client ask for the name again."""
    links = '<a href="/next">n</a><a href="http://dns-rebinding.test:8081/">other port</a>'
    await exchange.answer(honest("dns-rebinding").replace("</body>", f"{links}</body>"), "Connection: close")
    exchange.close()


for name in ANSWERS:
    if name != "dns-rebinding":
        register(name, _ordinary)
MEETINGS["dns-silent"] = Meeting(settings={"fetch": {"connect_timeout": 2.5, "retries": 0}})
