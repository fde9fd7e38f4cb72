import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound import urls
from scenthound.errors import UsageError
from scenthound.export.file_tree import FileTree, file_name, folder_tree, inside, zip_tree


@pytest.mark.parametrize(
    ("url", "start"),
    [
        ("http://a.example/", "a.example/index-"),
        ("http://a.example:8080/b/c.html?d=e", "a.example_8080/b/c-"),
        ("http://a.example/%2e%2e/%2e%2e/etc/passwd", "a.example/"),
        ("http://a.example/..%2f..%2fetc/passwd", "a.example/"),
        ("http://a.example/con/aux.txt", "a.example/_con/_aux.txt-"),
        ("http://a.example/a%5c..%5cb%00c", "a.example/"),
        ("http://a.example/.hidden", "a.example/hidden-"),
    ],
)
def test_names_of_files(url: str, start: str) -> None:
    assert file_name(url, ".md").startswith(start)


@given(st.text(max_size=300))
def test_no_name_leaves_the_folder_or_is_too_long(path: str) -> None:
    url = urls.canonical(f"http://a.example/{path}")
    if not isinstance(url, str):
        return
    name = file_name(url, ".md")
    assert inside(name) == name
    parts = name.split("/")
    assert all(part and part not in (".", "..") and len(part.encode()) <= 255 for part in parts)
    assert not set(name) & set('\\:*?"<>|\0\n')


@given(st.lists(st.text(alphabet="ab/.%?", max_size=8), unique=True, max_size=5))
def test_every_url_has_a_name_of_its_own(paths: list[str]) -> None:
    found = {url for path in paths if isinstance(url := urls.canonical(f"http://a.example/{path}"), str)}
    assert len({file_name(url, ".md") for url in found}) == len(found)


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "..\\x", "C:x", "a\0b", "", "."])
def test_names_that_lead_out_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError), folder_tree(tmp_path / "new") as tree:
        tree.add(name, b"")
    with pytest.raises(UsageError), zip_tree(io.BytesIO()) as tree:
        tree.add(name, b"")
    assert list(tmp_path.iterdir()) == []


def _add_one_and_a_bad_one(tree: FileTree, place: Path) -> None:
    tree.add("a/b.md", b"x")
    assert not place.exists()
    tree.add("../b.md", b"x")


def test_a_folder_is_there_when_it_is_whole(tmp_path: Path) -> None:
    place = tmp_path / "notes"
    with pytest.raises(UsageError), folder_tree(place) as tree:
        _add_one_and_a_bad_one(tree, place)
    assert list(tmp_path.iterdir()) == []
    with folder_tree(place) as tree:
        tree.add("a/b.md", b"x")
    assert (place / "a" / "b.md").read_bytes() == b"x"
    with pytest.raises(UsageError, match="is there already"), folder_tree(place):
        pass


def test_a_zip_file_of_the_same_files(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zip_tree(stream) as tree:
        tree.add("a/b.md", b"x")
    with zipfile.ZipFile(stream) as files:
        assert files.read("a/b.md") == b"x"
