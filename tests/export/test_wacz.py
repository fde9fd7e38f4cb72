"""A WACZ file held against its specification, read here independently: https://specs.webrecorder.net/wacz/1.1.1/"""

import hashlib
import io
import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from scenthound.app.export import export
from scenthound.export.wacz import surt
from tests.library.collection import zoo


@pytest.fixture(scope="module")
def wacz(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wacz")
    export(zoo(folder / "zoo"), folder / "zoo.wacz")
    return zipfile.ZipFile(folder / "zoo.wacz")


def test_its_parts_are_those_that_the_format_asks_for(wacz: zipfile.ZipFile) -> None:
    names = wacz.namelist()
    assert names == [
        "archive/data.warc.gz",
        "indexes/index.cdx",
        "pages/pages.jsonl",
        "datapackage.json",
        "datapackage-digest.json",
    ]
    assert wacz.getinfo("archive/data.warc.gz").compress_type == zipfile.ZIP_STORED, "read from inside the file"
    assert wacz.testzip() is None


def test_the_package_lists_every_part_with_its_hash(wacz: zipfile.ZipFile) -> None:
    package = json.loads(wacz.read("datapackage.json"))
    assert package["profile"] == "data-package"
    assert package["wacz_version"] == "1.1.1"
    assert [resource["path"] for resource in package["resources"]] == wacz.namelist()[:3]
    for resource in package["resources"]:
        data = wacz.read(resource["path"])
        assert resource["bytes"] == len(data)
        assert resource["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        assert resource["name"]
    digest = json.loads(wacz.read("datapackage-digest.json"))
    assert digest == {
        "path": "datapackage.json",
        "hash": f"sha256:{hashlib.sha256(wacz.read('datapackage.json')).hexdigest()}",
    }


def test_every_line_of_the_index_leads_to_its_record(wacz: zipfile.ZipFile) -> None:
    archive = wacz.read("archive/data.warc.gz")
    lines = wacz.read("indexes/index.cdx").decode().splitlines()
    assert lines == sorted(lines)
    for line in lines:
        key, stamp, about = line.split(" ", 2)
        entry = json.loads(about)
        start = int(entry["offset"])
        [record] = ArchiveIterator(io.BytesIO(archive[start : start + int(entry["length"])]))
        assert record.rec_headers["WARC-Target-URI"] == entry["url"]
        assert record.rec_headers["WARC-Payload-Digest"] == entry["digest"]
        assert record.http_headers.get_statuscode() == entry["status"]
        assert record.rec_headers["WARC-Date"].replace("-", "").replace(":", "").replace("T", "")[:14] == stamp
        assert entry["filename"] == "data.warc.gz"
        assert key == surt(entry["url"])


def test_every_page_has_its_text_and_is_in_the_index(wacz: zipfile.ZipFile) -> None:
    head, *pages = map(json.loads, wacz.read("pages/pages.jsonl").splitlines())
    assert (head["format"], head["hasText"]) == ("json-pages-1.0", True)
    indexed = wacz.read("indexes/index.cdx").decode()
    assert pages
    for page in pages:
        assert page["ts"].endswith("Z")
        assert f'"{page["url"]}"' in indexed
    assert any("Otters swim" in page["text"] for page in pages)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.zoo.example/", "example,zoo)/"),
        ("https://birds.example/Duck?b=2&a=1", "example,birds)/duck?a=1&b=2"),
        ("http://a.b.example:8080/x/", "example,b,a:8080)/x"),
        ("http://127.0.0.1:80/x", "127.0.0.1)/x"),
    ],
)
def test_keys(url: str, key: str) -> None:
    from scenthound import urls

    canonical = urls.canonical(url)
    assert isinstance(canonical, str)
    assert surt(canonical) == key


PYWB = os.environ.get("SCENTHOUND_PYWB", "")
ASK = """
from gevent.monkey import patch_all; patch_all()
import sys
from pywb.apps.frontendapp import FrontEndApp
from werkzeug.test import Client
answer = Client(FrontEndApp()).get(f"/zoo/id_/{sys.argv[1]}", follow_redirects=True)
sys.stdout.buffer.write(b"ANSWER" + answer.data)
"""


@pytest.mark.skipif(not PYWB, reason="set SCENTHOUND_PYWB to the python of an environment that has pywb and wacz")
def test_the_validator_of_the_format_finds_it_valid(wacz: zipfile.ZipFile) -> None:
    """py-wacz checks what must be there, the data package by its schema, paths and hashes."""
    program = "import sys; from wacz.main import main; sys.exit(main(sys.argv[1:]))"
    words = [PYWB, "-c", program, "validate", "-f", str(wacz.filename)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Validation succeeded, the passed WACZ is valid" in done.stdout


@pytest.mark.skipif(not PYWB, reason="set SCENTHOUND_PYWB to the python of an environment that has pywb")
@pytest.mark.parametrize("url", ["https://www.zoo.example/otters", "https://birds.example/mirror"])
def test_pywb_opens_it(wacz: zipfile.ZipFile, url: str, tmp_path: Path) -> None:
    """pywb pins versions that the suite cannot have beside its own, so it has an environment of its own."""
    for arguments in (["init", "zoo"], ["add", "--unpack-wacz", "zoo", str(wacz.filename)]):
        subprocess.run([PYWB, "-m", "pywb.manager.manager", *arguments], cwd=tmp_path, check=True, capture_output=True)
    asked = subprocess.run([PYWB, "-c", ASK, url], cwd=tmp_path, check=True, capture_output=True)
    shown = asked.stdout.partition(b"ANSWER")[2]
    assert b"<title>" in shown
    assert b"<p>" in shown
