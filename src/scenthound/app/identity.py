"""Who this crawler is, for the people whose servers it asks: a page to host, and the key that checks signatures."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

import msgspec
from msgspec import Struct

from scenthound.atomic_write import replacing
from scenthound.config import PolitenessSection
from scenthound.errors import UsageError
from scenthound.fetch.request_signer import DIRECTORY, load_key, new_key, public_jwk, thumbprint
from scenthound.fetch.user_agent import user_agent

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>About {agent}</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}}</style>
</head>
<body>
<h1>About the crawler {agent}</h1>
<p>It collects pages about a topic. It is operated by {contact}.</p>
<table>
<tr><th scope="row">User-Agent</th><td><code>{user_agent}</code></td></tr>
<tr><th scope="row">Name in robots.txt</th><td><code>{agent}</code></td></tr>
{signature}</table>
<h2>How it behaves</h2>
<ul>
<li>It asks for <code>/robots.txt</code> first and obeys it (RFC 9309), <code>Crawl-delay</code> included.</li>
<li>It has one request under way to a host at a time, and waits {delay} between two, longer where answers are slow.</li>
<li>It heeds <code>Retry-After</code>, <code>nofollow</code> and <code>noindex</code>.</li>
<li>It notes what is said about the use of pages by AI: <code>Content-Usage</code>, <code>tdm-reservation</code>,
<code>License</code> in robots.txt.</li>
</ul>
<h2>How to keep it out</h2>
<pre>User-agent: {agent}
Disallow: /</pre>
<p>takes effect within a day. To reach the operator: {contact}.</p>
</body>
</html>
"""


class IdentityFiles(Struct, frozen=True):
    """Path below the root of a web server -> what to serve there."""

    files: dict[str, bytes]
    key_id: str = ""


def identity_files(politeness: PolitenessSection) -> IdentityFiles:
    if not politeness.contact.strip():
        raise UsageError("Say how to reach you, a URL or a mail address: --contact me@example.org")
    key = load_key(Path(politeness.sign)) if politeness.sign else None
    files = {"index.html": about_page(politeness, thumbprint(key) if key is not None else "").encode()}
    if key is None:
        return IdentityFiles(files)
    directory = {"keys": [{**public_jwk(key), "kid": thumbprint(key), "use": "sig"}]}
    return IdentityFiles(files | {DIRECTORY.lstrip("/"): msgspec.json.encode(directory)}, thumbprint(key))


def about_page(politeness: PolitenessSection, key_id: str = "") -> str:
    contact = escape(politeness.contact.strip())
    if "@" in contact and "/" not in contact:
        contact = f'<a href="mailto:{contact}">{contact}</a>'
    elif contact.startswith(("http://", "https://")):
        contact = f'<a href="{contact}">{contact}</a>'
    signature = (
        f'<tr><th scope="row">Signatures</th><td>Requests are signed (RFC 9421, Web Bot Auth); the key is in '
        f'<a href="{DIRECTORY}">the directory of keys</a>, as <code>{key_id}</code></td></tr>\n'
        if key_id
        else ""
    )
    seconds = f"{politeness.delay:g} second" + "s" * (politeness.delay != 1)
    return PAGE.format(
        agent=escape(politeness.agent),
        user_agent=escape(user_agent(politeness)),
        contact=contact,
        delay=seconds,
        signature=signature,
    )


def write_identity(folder: Path, made: IdentityFiles) -> list[Path]:
    """Puts the files into a folder that a web server can serve; which they are."""
    written = []
    for name, content in made.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.buffer.write(content)
        written.append(path)
    return written


def write_new_key(path: Path) -> None:
    """A new key, in a file that nobody else may read. One that is there is never overwritten."""
    made = new_key()
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(made)
    except FileExistsError:
        raise UsageError(f"{path} is there already, and may be a key in use: choose another name.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
