"""What people and programs leave on the disk: recordings, settings, ontologies, histories, labels, models."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Hashable, Sequence
from functools import cache
from hashlib import sha1
from io import BytesIO
from pathlib import Path

from fuzz.targets.target import level, must, target
from scenthound import config, urls
from scenthound.app.label_table import read_table, write_table
from scenthound.app.settings_file import edited
from scenthound.crawler.assemble import build, make_context
from scenthound.errors import RecordingError
from scenthound.fetch import common_crawl
from scenthound.fetch.replay import ReplayFetcher
from scenthound.learn import model_file
from scenthound.learn.graphs.trails import START, Trail
from scenthound.library.archive.warc import parse_record, response_records
from scenthound.library.label_file import NAME, LabelFile
from scenthound.model import Label, Link, Response
from scenthound.ontology import skos
from scenthound.training import bookmarks, browsing_history
from scenthound.training.browsing_history import WantedVisits
from scenthound.training.training_store import TrainingStore


@cache
def _folder() -> Path:
    """A folder in memory where there is one: a target is tried some thousand times a second."""
    shared = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=shared if shared.is_dir() else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _file(name: str, data: bytes) -> Path:
    path = _folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@target(
    "warc",
    *("WARC/1.1\r\n", "WARC-Type: response\r\n", "WARC-Type: revisit\r\n", "WARC-Target-URI: http://a.test/\r\n"),
    *(
        "Content-Length: 10\r\n",
        "\r\n\r\n",
        "HTTP/1.1 200 OK\r\n",
        "Transfer-Encoding: chunked\r\n",
        "5\r\nhello\r\n0\r\n\r\n",
    ),
    *("Content-Encoding: gzip\r\n", "Content-Type: text/html\r\n", b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "WARC/1.0\r\n"),
    *(
        "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\n",
        "WARC-Refers-To-Target-URI: http://a.test/\r\n",
    ),
)
def try_warc(data: bytes) -> Hashable:
    _check_round_trip(data)
    path = _file("in.warc", data)
    replay = ReplayFetcher([path], index_folder=_folder() / "index")
    try:
        listed = list(replay.urls())
        kinds = set()
        for url in listed:
            answer = replay.answer(Link(url))
            must(urls.canonical(url) == url, "a URL that is not canonical")
            kinds.add(str(answer.status) if isinstance(answer, Response) else answer.kind)
        must(len(listed) <= len(replay) <= len(data), "more URLs than bytes")
        return level(len(listed)), bool(replay.damaged), frozenset(kinds)
    finally:
        replay.close_files()
        shutil.rmtree(_folder() / "index", ignore_errors=True)


@target(
    "cdxj",
    *("org,a)/x 20240229120000 ", '{"url": "http://a.test/x"', ', "mime": "text/html"', ', "status": "200"', "}\n"),
    *(', "filename": "../../in.warc.gz"', ', "filename": "in.warc.gz"', ', "offset": "0"', ', "length": "40"'),
    *(b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "-1", "9" * 30),
)
def try_cdxj(data: bytes) -> Hashable:
    path = _file("index/in.cdxj", data)
    beside = _file("index/in.warc.gz", data[:100])
    out = BytesIO()
    try:
        found = list(common_crawl.captures(path))
        common_crawl.write_local(path, out)
    except RecordingError as error:
        return type(error).__name__
    must(all(urls.canonical(each.url) == each.url for each in found), "a URL that is not canonical")
    must(len(out.getvalue()) <= len(found) * beside.stat().st_size, "more bytes than are there")
    return level(len(found)), bool(out.getvalue())


def _check_round_trip(data: bytes) -> None:
    """What our own library writes it reads, whatever a server put into it."""
    text = data[:200].decode("latin-1")
    name, _, value = text.partition(":")
    answer = Response("http://a.test/", 200, (("Content-Type", "text/html"), (name, value)), data, at=1e9)
    packed, _ = response_records(answer, sha1(data).digest())
    headers, start, fields, body = parse_record(packed)
    must(body == data, "another body than was written")
    must(start[1] == "200" and headers["WARC-Target-URI"] == answer.url, "another answer than was written")
    must(("Content-Type", "text/html") in fields, "a header is lost")


@target(
    "settings",
    *("[topic]\n", "[crawl]\n", "[scope]\n", "[fetch]\n", "[politeness]\n", "[library]\n", "[sites]\n", "[[topic]]\n"),
    *('name = "x"\n', "keywords = [", '{term = "a", weight = 0.5}', "pages = 100\n", "seeds = ['http://a.test/']\n"),
    *(
        'strategy = { name = "x", n = 1 }\n',
        "delay = nan\n",
        "parallel = 0\n",
        "'''",
        '"""',
        "# c\n",
        "1979-05-27T07:32:00Z",
    ),
    *("0x1f", "1_000", "true", "\\u0000", "\\ud800", "threshold = ", "minutes = ", "a.b.c = 1\n", "= {}\n"),
)
def try_settings(data: bytes) -> Hashable:
    path = _file("topic.toml", data)
    settings = config.load(path)
    settings.check()
    topic = settings.make_topic()
    must(not topic.keywords or abs(sum(word.weight for word in topic.keywords) - 1) < 1e-6, "weights do not sum to 1")
    kept = _folder() / "kept.toml"
    config.save(settings, kept)
    must(config.load(kept) == settings, "saved and loaded they are other settings")
    text = path.read_text(encoding="utf-8")
    changed = edited(text, {"topic": {"keywords": ["otter", "weasel"]}, "crawl": {"pages": 7}}, "topic.toml")
    again = config.load(_file("changed.toml", changed.encode()))
    must((again.topic.keywords, again.crawl.pages) == (["otter", "weasel"], 7), "an edit that is not there")
    must(again.fetch == settings.fetch and again.topic.name == settings.topic.name, "an edit that changed more")
    return level(len(topic.keywords)), level(len(changed)), settings.crawl.strategy != "best-first", "#" in text


SUFFIXES = ("ttl", "rdf", "nt", "owl", "ttl.gz")


@target(
    "ontology",
    *(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n",
        "skos:prefLabel",
        "skos:broader",
        "skos:related",
        " a ",
    ),
    *(
        "<http://a.test/x>",
        '"label"@en',
        '"""long"""',
        " ; ",
        " , ",
        " .\n",
        "[ ",
        " ]",
        "( ",
        " )",
        "_:b",
        "@base <",
        "#",
    ),
    *(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:s='http://www.w3.org/2004/02/skos/core#'>"
    ),
    *(
        "<rdf:Description rdf:about='",
        "<s:prefLabel xml:lang='en'>",
        "<s:broader rdf:resource='",
        "rdf:parseType='Collection'",
    ),
    *("\\u0000", "\\UFFFFFFFF", "^^xsd:string", "true", "1.5e3", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "&a;"),
)
def try_ontology(data: bytes) -> Hashable:
    kind, content = (data[0], data[1:]) if data else (0, b"")
    found = skos.read(_file(f"o.{SUFFIXES[kind % len(SUFFIXES)]}", content), "en" if kind & 64 else "*")
    number = len(found)
    must(0 < number <= len(content), "as many concepts as bytes")
    for concept in range(min(number, 50)):
        must(all(label.strip() for label in found.labels(concept)), "a label of nothing")
        near = (*found.broader(concept), *found.narrower(concept), *found.related(concept))
        must(all(0 <= other < number for other in near), "an edge to nowhere")
        must(found.depth(concept) >= 0, "a depth below the top")
    return kind % len(SUFFIXES), level(number), level(sum(len(found.broader(each)) for each in range(number)))


WANTED = WantedVisits(whole=True)


@target(
    "trails",
    *(
        "http://a.test/b\n",
        "    ",
        "+ ",
        "- ",
        "<\n",
        "#\n",
        "\n\n",
        '{"log":{"entries":[',
        '{"request":{"url":"http://a.test/"',
    ),
    *(
        '"startedDateTime":"2026-01-01T00:00:00Z"',
        '"response":{"content":{"mimeType":"text/html"}}',
        "]}}",
        '"trails":[[',
    ),
    *(
        '{"scenthound":"trails","version":1}\n',
        '{"urls":["http://a.test/"],"origins":[-1],"begun":0.0}\n',
        "SQLite format 3\0",
    ),
    *(
        "<DL><p><DT><H3>folder</H3>",
        "<DT><A HREF=",
        '{"roots":{"bar":{"children":[{"url":"',
        '"type":"folder","name":"',
    ),
)
def try_trails(data: bytes) -> Hashable:
    path = _file("history", data)
    _file("home/training/trails.jsonl", data)
    said: list[Hashable] = []
    readers = (
        lambda: _checked(browsing_history.read(path, WANTED).trails),
        lambda: _checked(TrainingStore(_folder() / "home").trails()),
        lambda: level(len(bookmarks.read(path))),
    )
    refused = None
    for read in readers:
        try:
            said.append(read())
        except config.ConfigError as error:
            refused = error
            said.append(type(error).__name__)
            must(0 < len(str(error)) < 3000, "a message that cannot be told")
    if refused is not None and all(isinstance(each, str) for each in said):
        raise refused
    return tuple(said)


def _checked(trails: Sequence[Trail]) -> int:
    for trail in trails:
        must(len(trail.urls) == len(trail.origins), "steps and origins do not fit together")
        must(all(START <= origin < place for place, origin in enumerate(trail.origins)), "a step that comes from later")
    return level(len(trails))


@target(
    "label-table",
    *(
        "url,relevant\n",
        "url,relevant,by,at,kind\n",
        "http://a.test/x,yes\n",
        "a.test,no,person,,site\n",
        ",",
        ";",
        "\t",
    ),
    *(
        '"',
        '""',
        "'=",
        "2026-11-15T08:00",
        "1e10",
        "program:x",
        "bookmarks",
        "\r\n",
        "true",
        "not relevant",
        "99999999999",
    ),
)
def try_label_table(data: bytes) -> Hashable:
    labels = read_table(data, "labels.csv")
    table = write_table(labels)
    again = read_table(table.encode(), "labels.csv")
    order = sorted(labels, key=lambda label: (label.kind, label.subject))
    must(again == order, "written and read again they are other labels")
    return level(len(labels)), len({label.by for label in labels}), len({label.kind for label in labels})


@target(
    "label-file",
    *('{"scenthound":"labels","version":1}\n', '{"subject":"http://a.test/","relevant":true,"by":"person","at":1.0}\n'),
    *('"kind":"site"', '"relevant":null', '"at":1e300', "\n", "{", "}", '"by":"file"', '"version":2', "\\u0000"),
)
def try_label_file(data: bytes) -> Hashable:
    path = _file(f"labelled/{NAME}", data)
    labels = LabelFile(path.parent, clock=lambda: 2.0)
    before = labels.labels() | labels.labels("site")
    new = Label("http://added.test/", True, "person")
    labels.add_labels([new])
    after = LabelFile(path.parent).labels()
    must(after["http://added.test/"].relevant is True or "added" in str(data), "what was added is not there")
    must(all(subject in after or before[subject].kind == "site" for subject in before), "what was there is lost")
    write_table(after.values())
    return level(len(before)), len({label.by for label in before.values()})


@target(
    "models",
    *(
        "PK\x03\x04",
        "PK\x01\x02",
        "model.json",
        '{"~array":0}',
        '{"~tuple":[',
        '{"~struct":"',
        '"fields":{}',
        '"learned":{}',
    ),
    *(b"\x93NUMPY\x01\x00", "'descr': '<f8'", "'descr': '|O'", "'shape': (4,)", "'shape': (999999999999,)"),
)
def try_models(data: bytes) -> Hashable:
    path = _file("a.model", data)
    header = model_file.read_header(path)
    model_file.load(path, header.strategy, _learner())
    return header.strategy, level(len(header.learned))


@cache
def _learner() -> object:
    from scenthound import registry

    settings = config.from_dict({"topic": {"name": "x", "keywords": ["x"]}})
    return build(registry.strategy, "apprentice", make_context(settings))
