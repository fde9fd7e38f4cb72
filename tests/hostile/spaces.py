"""Habits without end: robots.txt files and spaces of pages that are made up while they are asked for."""

from __future__ import annotations

import hashlib
import re
from random import Random

from tests.hostile.server import Exchange, habit, honest, met
from tests.hostile.wire import bomb, move

MEGABYTE = 1_000_000

# robots.txt


@habit
async def robots_huge(exchange: Exchange) -> None:
    """Ten megabytes. The rule in front counts; what comes after half a megabyte need not be read."""
    if exchange.path != "/robots.txt":
        await exchange.answer(honest("robots-huge"))
        return
    rules = b"User-agent: *\nDisallow: /bad\n" + b"Disallow: /some/where/else\n" * (10 * MEGABYTE // 27)
    await exchange.answer(rules, "Content-Type: text/plain")


@habit
async def robots_html(exchange: Exchange) -> None:
    page = "<html><body><p>Disallow: /<br>Welcome to our robots page</body></html>"
    await exchange.answer(page if exchange.path == "/robots.txt" else honest("robots-html"))


@habit
async def robots_loop(exchange: Exchange) -> None:
    if exchange.path.startswith("/robots"):
        await move(exchange, f"/robots.txt?{exchange.count}")
    else:
        await exchange.answer(honest("robots-loop"))


@habit
async def robots_503(exchange: Exchange) -> None:
    await exchange.answer(honest("robots-503"), status="503 Service Unavailable")


@habit
async def robots_reset(exchange: Exchange) -> None:
    exchange.reset()


@habit
async def robots_bomb(exchange: Exchange) -> None:
    if exchange.path == "/robots.txt":
        await exchange.answer(bomb("gzip"), "Content-Encoding: gzip")
    else:
        await exchange.answer(honest("robots-bomb"))


@habit
async def robots_binary(exchange: Exchange) -> None:
    rules = b"\xff\xfe\0User-agent: *\nDisallow: /bad\n\0\x80\x81Crawl-delay: 1e999\nDisallow: /" + b"*" * 2_000 + b"$x"
    await exchange.answer(rules if exchange.path == "/robots.txt" else honest("robots-binary").encode())


@habit
async def robots_to_private(exchange: Exchange) -> None:
    if exchange.path == "/robots.txt":
        await move(exchange, "http://10.0.0.1/robots.txt")
    else:
        await exchange.answer(honest("robots-to-private"))


# Spaces


def filler(seed: str, words: int = 60) -> str:
    """Words that are the same for the same seed, and others for another."""
    letters = hashlib.blake2b(seed.encode(), digest_size=8).hexdigest()
    return " ".join(f"{letters[number % 8 :][:6]}{number}" for number in range(words))


def page(title: str, text: str, *targets: str) -> str:
    links = " ".join(f'<a href="{target}">more</a>' for target in targets)
    return f"<html><title>{title}</title><body><p>{text}</p>{links}</body></html>"


@habit
async def growing_paths(exchange: Exchange) -> None:
    """Relative links below a directory that exists at every depth: /a/b/a/b/..."""
    if exchange.path == "/bad":
        await exchange.answer(page("deeper", filler("/bad"), "/a/"))
        return
    step = "b/" if exchange.path.endswith("a/") else "a/"
    await exchange.answer(page("deeper", filler(exchange.path), step))


@habit
async def deep_paths(exchange: Exchange) -> None:
    """Paths that grow without repeating themselves."""
    depth = exchange.path.count("/")
    await exchange.answer(page("deeper", filler(exchange.path), f"{exchange.path.rstrip('/')}/level{depth}/"))


@habit
async def calendar(exchange: Exchange) -> None:
    """Every month has a page, and links to the one before and the one after."""
    found = re.search(r"/(\d+)/(\d+)", exchange.path)
    months = 12 * int(found[1]) + int(found[2]) - 1 if found else 12 * 2026
    around = [f"/calendar/{month // 12}/{month % 12 + 1:02}/" for month in (months - 1, months + 1)]
    await exchange.answer(page(f"month {months}", filler(str(months)), *around))


@habit
async def session_maze(exchange: Exchange) -> None:
    """Four pages under new names at every visit."""
    tokens = [hashlib.sha1(f"{exchange.path}{door}".encode()).hexdigest() for door in range(4)]
    await exchange.answer(page("maze", filler("maze"), *(f"/maze/{token}/room" for token in tokens)))


@habit
async def near_duplicates(exchange: Exchange) -> None:
    """Always the same text with another number in it."""
    number = int(exchange.query.removeprefix("n=") or 0)
    links = [f"/list?n={2 * number + door}" for door in (1, 2)]
    await exchange.answer(page(f"list {number}", filler("list", 300) + f" item{number}", *links))


@habit
async def growing_query(exchange: Exchange) -> None:
    """The link takes the whole query along and adds a filter of its own."""
    link = f"/bad?{exchange.query}&filter{exchange.count}=on"
    await exchange.answer(page("filters", filler(exchange.path), link))


@met(crawl={"pages": 60})
@habit
async def wild_hosts(exchange: Exchange) -> None:
    """Every host links to two that nobody heard of before."""
    number = int(exchange.host.partition(".")[0].removeprefix("n")) if exchange.host.startswith("n") else 0
    links = [f"http://n{2 * number + door}.wild-hosts.test/" for door in (1, 2)]
    await exchange.answer(page("a new host", filler(exchange.host), *links))


# Made up, and on the topic: what the pages say depends on the first part of the host's name, words.random-paths.test

TEMPLATE = "The hound has a calendar of its own " + filler("template", 80)
FACETS = ("color", "size", "brand", "price", "stock", "sort", "view", "fit", "lang", "mat")
WORD_LIST = filler("list", 200).split()


def made_up(exchange: Exchange) -> str:
    """Texts as traps make them up: always the same, or with something else in it for every page."""
    chance = Random(exchange.path)
    letters = [f"{chance.getrandbits(40):x}" for _ in range(60)]
    texts = {
        "short": "hound calendar",
        "counter": f"{TEMPLATE} page{chance.randrange(10**9)}",
        "date": f"{TEMPLATE} {chance.choice(['May', 'June', 'July'])} {chance.randrange(1900, 2100)}",
        "words": f"{TEMPLATE} {' '.join(letters[:25])}",
        "list": f"hound {' '.join(chance.choices(WORD_LIST, k=80))}",
        "letters": f"hound {' '.join(letters)}",
    }
    return texts.get(exchange.host.partition(".")[0], TEMPLATE)


def name_of(chance: Random, length: int = 8) -> str:
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=length))


@habit
async def months_by_query(exchange: Exchange) -> None:
    """Months and years without end, in the query."""
    asked = dict(re.findall(r"(month|year)=(\d+)", exchange.query))
    months = 12 * int(asked.get("year", 2020)) + int(asked.get("month", 6)) - 1
    around = [f"/cal?month={month % 12 + 1}&year={month // 12}" for month in (months - 1, months + 1, months - 12)]
    await exchange.answer(page("calendar", made_up(exchange), *around))


@habit
async def session_in_path(exchange: Exchange) -> None:
    """Ten pages, under a new session with every visit."""
    chance = Random(exchange.path)
    links = [f"/{name_of(chance, 12)}/page{number}.html" for number in chance.sample(range(10), 4)]
    await exchange.answer(page("session", made_up(exchange), *links))


@habit
async def visit_ids(exchange: Exchange) -> None:
    """Every link has a number of its own for the visit."""
    chance = Random(exchange.path)
    links = [f"/page{chance.randrange(10)}?visit={name_of(chance)}" for _ in range(4)]
    await exchange.answer(page("visit", made_up(exchange), *links))


@habit
async def random_paths(exchange: Exchange) -> None:
    """Folders and names of letters thrown together."""
    chance = Random(exchange.path)
    links = ["/" + "/".join(name_of(chance) for _ in range(chance.randint(1, 4))) for _ in range(4)]
    await exchange.answer(page("somewhere", made_up(exchange), *links))


@habit
async def growing_facets(exchange: Exchange) -> None:
    """A shop whose filters can be combined at will."""
    names = [name for name in FACETS if name not in exchange.query]
    chance, query = Random(exchange.path), f"{exchange.query}&" if exchange.query else ""
    links = [f"/shop?{query}{name}={chance.randrange(50)}" for name in names[:4]]
    await exchange.answer(page("shop", made_up(exchange), *links))
