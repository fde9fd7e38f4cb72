import json
from pathlib import Path

import pytest

from scenthound.app.identity import identity_files, write_identity, write_new_key
from scenthound.config import PolitenessSection
from scenthound.errors import UsageError


def test_the_page_says_who_and_how(tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    write_new_key(key)
    assert key.stat().st_mode & 0o077 == 0
    made = identity_files(PolitenessSection(contact="<me>@a.test", agent="Fern", sign=str(key)))
    page = made.files["index.html"].decode()
    assert "User-agent: Fern\nDisallow: /" in page
    assert "&lt;me&gt;@a.test" in page
    assert made.key_id in page
    written = write_identity(tmp_path / "web", made)
    directory = json.loads((tmp_path / "web" / ".well-known" / "http-message-signatures-directory").read_text())
    assert len(written) == 2
    [published] = directory["keys"]
    assert (published["kty"], published["crv"], published["kid"]) == ("OKP", "Ed25519", made.key_id)
    assert "d" not in published, "the private half stays at home"


def test_slips(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--contact"):
        identity_files(PolitenessSection())
    (tmp_path / "key.pem").write_text("precious")
    with pytest.raises(UsageError, match="there already"):
        write_new_key(tmp_path / "key.pem")
    assert (tmp_path / "key.pem").read_text() == "precious"
