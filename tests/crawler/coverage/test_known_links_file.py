from pathlib import Path

from scenthound.crawler.coverage.known_links_file import NAME, keep_links, kept_links


def test_what_is_kept_comes_back_up_to_the_pages_that_are_there(tmp_path: Path) -> None:
    keep_links(tmp_path, {0: 0, 50: 300, 60: 340})
    assert kept_links(tmp_path, 60) == {0: 0, 50: 300, 60: 340}
    assert kept_links(tmp_path, 59) == {0: 0, 50: 300}


def test_nothing_is_known_without_a_file_or_with_a_damaged_one(tmp_path: Path) -> None:
    assert kept_links(None, 9) == kept_links(tmp_path, 9) == {0: 0}
    keep_links(None, {50: 1})
    (tmp_path / NAME).write_bytes(b'{"50": "x"')
    assert kept_links(tmp_path, 90) == {0: 0}
